import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import type { ReportKind } from '../../contract/model/report.ts';
import type { NotificationKind } from '../../contract/model/notification.ts';
import type { Target } from '../../contract/targets.ts';
import { readable, readStored } from '../database/stored-json.ts';
import { newestLabel } from '../reports/report-rows.ts';

/** The state of a notification: shown, held back for quiet hours, or only in the history. */
export type NotificationState = 'shown' | 'held' | 'silent';

/** An event to create a notification for. */
export interface FoundNotification {
  /** Identifies the event: equal keys are notified once. */
  key: string;
  /** The name of the service that it comes from, or of the gateway for models. */
  mirror: string;
  kind: NotificationKind;
  count: number;
  target: Target;
  /** The ids of the new items of a saved search, newest first; at most {@link MOST_ITEMS} are kept. */
  items?: readonly string[];
}

/** A saved notification. Times are ms since 1970. */
export interface NotificationRecord extends Omit<FoundNotification, 'key'> {
  id: number;
  at: number;
  toldAt: number | null;
  items: readonly string[];
}

interface NotificationRow extends Omit<NotificationRecord, 'target' | 'toldAt' | 'items'> {
  target: string;
  items: string;
  notified_at: number | null;
}

/** The length of the history. */
const KEPT = 500;
/** Of one notification. Beyond it items only count. */
const MOST_ITEMS = 100;

const COLUMNS = 'id, mirror, kind, at, count, target, items, notified_at';
/** Only notifications of the configured services: the targets of others don't exist here. */
const OF_THESE = `mirror = (SELECT value FROM main.property WHERE name = iif(kind = 'models', 'gateway', 'source'))`;

/** The tables `notification` and `notification_progress` of user.db. Write within a transaction. */
export class NotificationsTable {
  readonly #database: Database;
  readonly #add;
  readonly #setState;
  readonly #setItems;
  readonly #itemsOf;
  readonly #held;
  readonly #newest;
  readonly #labels;
  readonly #prune;
  readonly #retarget;
  readonly #progress;
  readonly #setProgress;
  readonly #removeProgress;

  constructor(database: Database) {
    this.#database = database;
    this.#add = database
      .prepare<[string, string, string, number, number, string, string], number>(
        `INSERT INTO user.notification (key, mirror, kind, at, count, target, items, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, 'held') ON CONFLICT (key) DO NOTHING RETURNING id`,
      )
      .pluck();
    this.#setItems = database.prepare<[number, string, number, number]>(
      'UPDATE user.notification SET count = ?, items = ?, at = ? WHERE id = ?',
    );
    this.#itemsOf = database
      .prepare<[string, string], string>(
        `SELECT DISTINCT item.value FROM user.notification, json_each(items) AS item
         WHERE kind = 'saved' AND mirror = ? AND target = ?`,
      )
      .pluck();
    this.#setState = database.prepare<[NotificationState, number | null, number]>(
      'UPDATE user.notification SET state = ?, notified_at = ? WHERE id = ?',
    );
    this.#held = database.prepare<[], NotificationRow>(
      `SELECT ${COLUMNS} FROM user.notification WHERE state = 'held' AND ${OF_THESE} ORDER BY id DESC`,
    );
    this.#newest = database.prepare<[number], NotificationRow>(
      `SELECT ${COLUMNS} FROM user.notification WHERE ${OF_THESE} ORDER BY id DESC LIMIT ?`,
    );
    this.#labels = database
      .prepare<[string, string, string], string>(
        `SELECT target ->> '$.label' AS label FROM user.notification
         WHERE mirror = ? AND kind = ? AND label <= ? ORDER BY label DESC`,
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

  /**
   * Saves a notification as held; set its final state in the same transaction. Returns null if the key exists already.
   * `at` is ms since 1970.
   */
  add({ key, mirror, kind, count, target, items = [] }: FoundNotification, at: number): number | null {
    const place = JSON.stringify(target);
    return this.#add.get(key, mirror, kind, at, count, place, JSON.stringify(items.slice(0, MOST_ITEMS))) ?? null;
  }

  /** Joins what was found with a held notification of the same saved search; the ids are newest first. */
  extend({ id, items: before, count: counted }: NotificationRecord, found: FoundNotification, at: number): void {
    const items = [...new Set([...(found.items ?? []), ...before])];
    this.#setItems.run(counted + found.count, JSON.stringify(items.slice(0, MOST_ITEMS)), at, id);
  }

  /** Keeps of a held notification what is still new. */
  narrow({ id, at, items: before, count }: NotificationRecord, items: readonly string[]): void {
    this.#setItems.run(count - (before.length - items.length), JSON.stringify(items), at, id);
  }

  /** The items of a saved search that the history has. */
  notifiedItems(mirror: string, target: Target): Set<string> {
    return new Set(this.#itemsOf.all(mirror, JSON.stringify(target)));
  }

  /** `now` in ms since 1970. */
  setState(id: number, state: NotificationState, now: number): void {
    this.#setState.run(state, state === 'shown' ? now : null, id);
  }

  /** The held notifications of the configured services, newest first. */
  held(): NotificationRecord[] {
    return readable(this.#database, this.#held.all(), toRecord);
  }

  /** The history of the configured services, newest first. */
  newest(limit: number): NotificationRecord[] {
    return readable(this.#database, this.#newest.all(limit), toRecord);
  }

  /** The label of the newest report of a kind with a notification, if it is not later than `until`. */
  latestLabel(mirror: string, kind: ReportKind, until: string): string | null {
    return newestLabel(kind, this.#labels.iterate(mirror, kind, until));
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

  /** Moves the notifications of a merged story to its survivor, and joins what was notified about both. */
  moveStory(mirror: string, merged: string, survivor: string): void {
    this.#retarget.run(storyTarget(survivor), mirror, storyTarget(merged));
    const notified = this.progress(mirror, storyProgress(merged));
    if (notified === null) return;
    this.#removeProgress.run(mirror, storyProgress(merged));
    const kept = this.progress(mirror, storyProgress(survivor));
    this.setProgress(
      mirror,
      storyProgress(survivor),
      JSON.stringify(mergeNotified(readNotified(kept), readNotified(notified))),
    );
  }
}

/** What was notified about a followed story: report ids and the hash of a digest. */
export interface NotifiedOfStory {
  reports: string[];
  digest: string | null;
}

const NOTIFIED: z.ZodType<NotifiedOfStory> = z.object({ reports: z.array(z.string()), digest: z.string().nullable() });

/** Limit of saved report ids; beyond it, the oldest reports would be notified again. */
const MAX_NOTIFIED = 2_000;

/** The name of the progress entry of a story. */
export function storyProgress(publicId: string): string {
  return `story ${publicId}`;
}

export function readNotified(value: string | null): NotifiedOfStory {
  return readStored(value, NOTIFIED) ?? { reports: [], digest: null };
}

/** Adds `more` to `notified`. */
export function mergeNotified(notified: NotifiedOfStory, more: NotifiedOfStory): NotifiedOfStory {
  const reports = [...new Set([...more.reports, ...notified.reports])].slice(0, MAX_NOTIFIED);
  return { reports, digest: more.digest ?? notified.digest };
}

function storyTarget(publicId: string): string {
  return JSON.stringify({ view: 'story', publicId } satisfies Target);
}

function toRecord({ notified_at: toldAt, target, items, ...row }: NotificationRow): NotificationRecord {
  return { ...row, target: JSON.parse(target) as Target, items: JSON.parse(items) as string[], toldAt };
}
