import type { Database } from 'better-sqlite3';
import type { ReportKind } from '../../contract/model/report.ts';
import type { NotificationKind } from '../../contract/model/notification.ts';
import type { Target } from '../../contract/targets.ts';

/** What became of a notification: told, held back for quiet hours, or in the history only. */
export type NotificationState = 'told' | 'held' | 'silent';

/** Something that happened, before it is a notification. */
export interface FoundNotification {
  /** What happened, in one word: the same one twice is told once. */
  key: string;
  /** The service that it is of: the name of its mirror, of a gateway for models. */
  mirror: string;
  kind: NotificationKind;
  count: number;
  target: Target;
}

/** A notification as it is kept. Times are ms since 1970. */
export interface NotificationRecord extends Omit<FoundNotification, 'key'> {
  id: number;
  at: number;
  toldAt: number | null;
}

interface NotificationRow extends Omit<NotificationRecord, 'target' | 'toldAt'> {
  target: string;
  told_at: number | null;
}

/** The history is as long as this. */
const KEPT = 500;

const COLUMNS = 'id, mirror, kind, at, count, target, told_at';
/** What is of the services that are configured now: targets of others lead nowhere here. */
const OF_THESE = `mirror = (SELECT value FROM main.property WHERE name = iif(kind = 'models', 'gateway', 'source'))`;

/** The tables `notification` and `notification_progress` of user.db. Writing is for transactions. */
export class NotificationsTable {
  readonly #add;
  readonly #settle;
  readonly #held;
  readonly #newest;
  readonly #latest;
  readonly #prune;
  readonly #retarget;
  readonly #progress;
  readonly #setProgress;
  readonly #removeProgress;

  constructor(database: Database) {
    this.#add = database
      .prepare<[string, string, string, number, number, string], number>(
        `INSERT INTO user.notification (key, mirror, kind, at, count, target, state) VALUES (?, ?, ?, ?, ?, ?, 'held')
         ON CONFLICT (key) DO NOTHING RETURNING id`,
      )
      .pluck();
    this.#settle = database.prepare<[NotificationState, number | null, number]>(
      'UPDATE user.notification SET state = ?, told_at = ? WHERE id = ?',
    );
    this.#held = database.prepare<[], NotificationRow>(
      `SELECT ${COLUMNS} FROM user.notification WHERE state = 'held' AND ${OF_THESE} ORDER BY id DESC`,
    );
    this.#newest = database.prepare<[number], NotificationRow>(
      `SELECT ${COLUMNS} FROM user.notification WHERE ${OF_THESE} ORDER BY id DESC LIMIT ?`,
    );
    this.#latest = database
      .prepare<[string, string], string | null>(
        `SELECT max(target ->> '$.label') FROM user.notification WHERE mirror = ? AND kind = ?`,
      )
      .pluck();
    this.#prune = database.prepare(
      `DELETE FROM user.notification WHERE id <= (SELECT id FROM user.notification ORDER BY id DESC LIMIT 1 OFFSET ${String(KEPT)})`,
    );
    this.#retarget = database.prepare<[string, string, string]>(
      `UPDATE user.notification SET target = ? WHERE mirror = ? AND kind = 'story' AND target = ?`,
    );
    this.#progress = database
      .prepare<[string, string], string>('SELECT value FROM user.notification_progress WHERE mirror = ? AND name = ?')
      .pluck();
    this.#setProgress = database.prepare<[string, string, string]>(
      'INSERT OR REPLACE INTO user.notification_progress (mirror, name, value) VALUES (?, ?, ?)',
    );
    this.#removeProgress = database.prepare<[string, string]>(
      'DELETE FROM user.notification_progress WHERE mirror = ? AND name = ?',
    );
  }

  /** Keeps it as held, to be settled in the same transaction; null where it was kept before. `at` is ms since 1970. */
  add({ key, mirror, kind, count, target }: FoundNotification, at: number): number | null {
    return this.#add.get(key, mirror, kind, at, count, JSON.stringify(target)) ?? null;
  }

  /** `now` in ms since 1970. */
  settle(id: number, state: NotificationState, now: number): void {
    this.#settle.run(state, state === 'told' ? now : null, id);
  }

  /** Of the configured services, newest first. */
  held(): NotificationRecord[] {
    return this.#held.all().map(toRecord);
  }

  /** The history of the configured services, newest first. */
  newest(limit: number): NotificationRecord[] {
    return this.#newest.all(limit).map(toRecord);
  }

  /** The newest report of a kind that there ever was a notification of. */
  latestLabel(mirror: string, kind: ReportKind): string | null {
    return this.#latest.get(mirror, kind) ?? null;
  }

  prune(): void {
    this.#prune.run();
  }

  progress(mirror: string, name: string): string | null {
    return this.#progress.get(mirror, name) ?? null;
  }

  setProgress(mirror: string, name: string, value: string): void {
    if (this.progress(mirror, name) !== value) this.#setProgress.run(mirror, name, value);
  }

  /** A story lives on in another one: so do its notifications. What was told of the survivor is what counts from here on. */
  moveStory(mirror: string, merged: string, survivor: string): void {
    this.#retarget.run(storyTarget(survivor), mirror, storyTarget(merged));
    const told = this.progress(mirror, storyProgress(merged));
    if (told === null) return;
    this.#removeProgress.run(mirror, storyProgress(merged));
    const kept = this.progress(mirror, storyProgress(survivor));
    this.setProgress(
      mirror,
      storyProgress(survivor),
      JSON.stringify(mergeNotified(readNotified(kept), readNotified(told))),
    );
  }
}

/** What was told of a followed story: ids of reports, and the hash of a digest. */
export interface NotifiedOfStory {
  reports: string[];
  digest: string | null;
}

/** In ids: a story with more reports than this would be told of those at the end again. */
const MOST_TOLD = 2_000;

/** The name of the progress that holds what was told of a story. */
export function storyProgress(publicId: string): string {
  return `story ${publicId}`;
}

export function readNotified(value: string | null): NotifiedOfStory {
  return value === null ? { reports: [], digest: null } : (JSON.parse(value) as NotifiedOfStory);
}

/** `told` and what comes to it. */
export function mergeNotified(told: NotifiedOfStory, more: NotifiedOfStory): NotifiedOfStory {
  const reports = [...new Set([...more.reports, ...told.reports])].slice(0, MOST_TOLD);
  return { reports, digest: more.digest ?? told.digest };
}

function storyTarget(publicId: string): string {
  return JSON.stringify({ view: 'story', publicId } satisfies Target);
}

function toRecord({ told_at: toldAt, target, ...row }: NotificationRow): NotificationRecord {
  return { ...row, target: JSON.parse(target) as Target, toldAt };
}
