import { z } from 'zod';
import { type ReportKind, isReportLabel } from '../../contract/model/report.ts';
import type { NotificationKind } from '../../contract/model/notification.ts';
import type { Target } from '../../contract/refs.ts';
import { readable, readStored } from '../database/stored-json.ts';
import { rows, run, sql, value, values, type Db, type WritableDb } from '../sql.ts';

/** Shown, waiting for the end of quiet hours or for a process that shows it, or only in the history. */
export type NotificationState = 'shown' | 'held' | 'found' | 'silent';

export interface FoundNotification {
  /** Identifies the event: equal keys are notified once. */
  key: string;
  /** The name of the service that it comes from, or of the gateway for models. */
  mirror: string;
  kind: NotificationKind;
  count: number;
  target: Target;
  /** The new items of a saved search, newest first. */
  items?: readonly string[];
}

/** Times are ms since 1970. */
export interface NotificationRecord extends Omit<FoundNotification, 'key'> {
  id: number;
  at: number;
  state: NotificationState;
  toldAt: number | null;
  items: readonly string[];
}

interface NotificationRow extends Omit<NotificationRecord, 'target' | 'toldAt' | 'items'> {
  target: string;
  items: string;
  notified_at: number | null;
}

const MAX_HISTORY = 500;
/** Beyond it, items of a notification are counted, but not listed. */
const MAX_ITEMS = 100;

const COLUMNS = 'id, mirror, kind, at, count, target, items, state, notified_at';
/** The targets of other services don't exist here. */
const OF_THESE = `mirror = (SELECT value FROM main.property WHERE name = iif(kind = 'models', 'gateway', 'source'))`;

const WAITING = sql`SELECT ${COLUMNS} FROM user.notification
  WHERE state IN ('held', 'found') AND ${OF_THESE} ORDER BY id DESC`;
const NEWEST = sql`SELECT ${COLUMNS} FROM user.notification WHERE ${OF_THESE} ORDER BY id DESC LIMIT ?`;
const PRUNE = sql`DELETE FROM user.notification
  WHERE id <= (SELECT id FROM user.notification ORDER BY id DESC LIMIT 1 OFFSET ${MAX_HISTORY})`;

/** Saves it as held: set the final state in the same transaction. Returns null for a known key. */
export function add(db: WritableDb, found: FoundNotification, at: number): number | null {
  const { key, mirror, kind, count, target, items = [] } = found;
  const id = value<number>(
    db,
    `INSERT INTO user.notification (key, mirror, kind, at, count, target, items, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'held') ON CONFLICT (key) DO NOTHING RETURNING id`,
    ...[key, mirror, kind, at, count, JSON.stringify(target), JSON.stringify(items.slice(0, MAX_ITEMS))],
  );
  return id ?? null;
}

export function extend(
  db: WritableDb,
  { id, items: before, count }: NotificationRecord,
  found: FoundNotification,
  at: number,
): void {
  const items = [...new Set([...(found.items ?? []), ...before])];
  setItems(db, id, { count: count + found.count, items: items.slice(0, MAX_ITEMS), at });
}

export function narrow(
  db: WritableDb,
  { id, at, items: before, count }: NotificationRecord,
  items: readonly string[],
): void {
  setItems(db, id, { count: count - (before.length - items.length), items, at });
}

export function notifiedItems(db: Db, mirror: string, target: Target): Set<string> {
  const items = values<string>(
    db,
    `SELECT DISTINCT item.value FROM user.notification, json_each(items) AS item
     WHERE kind = 'saved' AND mirror = ? AND target = ?`,
    ...[mirror, JSON.stringify(target)],
  );
  return new Set(items);
}

export function setState(db: WritableDb, id: number, state: NotificationState, now: number): void {
  run(
    db,
    'UPDATE user.notification SET state = ?, notified_at = ? WHERE id = ?',
    ...[state, state === 'shown' ? now : null, id],
  );
}

export function listWaiting(db: Db): NotificationRecord[] {
  return readable(db, rows<NotificationRow>(db, WAITING), toRecord);
}

export function newest(db: Db, limit: number): NotificationRecord[] {
  return readable(db, rows<NotificationRow>(db, NEWEST, limit), toRecord);
}

export function latestLabel(db: Db, mirror: string, kind: ReportKind, until: string): string | null {
  const labels = values<string>(
    db,
    `SELECT target ->> '$.label' AS label FROM user.notification
     WHERE mirror = ? AND kind = ? AND label <= ? ORDER BY label DESC`,
    ...[mirror, kind, until],
  );
  return labels.find((label) => isReportLabel(kind, label)) ?? null;
}

export function prune(db: WritableDb): void {
  run(db, PRUNE);
}

export function progress(db: Db, mirror: string, name: string): string | null {
  const known = value<string>(
    db,
    'SELECT value FROM user.notification_progress WHERE mirror = ? AND name = ?',
    mirror,
    name,
  );
  return known ?? null;
}

export function setProgress(db: WritableDb, mirror: string, name: string, to: string): void {
  if (progress(db, mirror, name) === to) return;
  run(
    db,
    'INSERT OR REPLACE INTO user.notification_progress (mirror, name, value) VALUES (?, ?, ?)',
    ...[mirror, name, to],
  );
}

/** Joins what was notified about a merged story and its survivor. */
export function moveStory(db: WritableDb, mirror: string, merged: string, survivor: string): void {
  run(
    db,
    `UPDATE user.notification SET target = ? WHERE mirror = ? AND kind = 'story' AND target = ?`,
    ...[storyTarget(survivor), mirror, storyTarget(merged)],
  );
  const notified = progress(db, mirror, storyProgress(merged));
  if (notified === null) return;
  run(db, 'DELETE FROM user.notification_progress WHERE mirror = ? AND name = ?', mirror, storyProgress(merged));
  const both = mergeNotified(readNotified(progress(db, mirror, storyProgress(survivor))), readNotified(notified));
  setProgress(db, mirror, storyProgress(survivor), JSON.stringify(both));
}

function setItems(
  db: WritableDb,
  id: number,
  { count, items, at }: Pick<NotificationRecord, 'count' | 'items' | 'at'>,
): void {
  run(
    db,
    'UPDATE user.notification SET count = ?, items = ?, at = ? WHERE id = ?',
    ...[count, JSON.stringify(items), at, id],
  );
}

/** Content of a followed story that was already notified. */
export interface NotifiedOfStory {
  reports: string[];
  /** A hash. */
  digest: string | null;
}

const NOTIFIED: z.ZodType<NotifiedOfStory> = z.object({ reports: z.array(z.string()), digest: z.string().nullable() });

/** Beyond it, the oldest reports would be notified again. */
const MAX_NOTIFIED = 2_000;

export function storyProgress(publicId: string): string {
  return `story ${publicId}`;
}

export function readNotified(value: string | null): NotifiedOfStory {
  return readStored(value, NOTIFIED) ?? { reports: [], digest: null };
}

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
