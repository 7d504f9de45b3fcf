import { z } from 'zod';
import { earlierTime } from '../../common/time.ts';
import type { ItemAction, ItemsQuery } from '../../contract/model/item.ts';
import { WINDOWS } from '../../contract/model/search.ts';
import { mirrorProperties as mirror, userProperties as user } from '../database/properties.ts';
import {
  addressReadAt,
  hasReadAddress,
  itemsAt,
  markAddressRead,
  markAddressUnread,
  markItemAddressUnread,
} from '../items/addresses.ts';
import { isComplete } from '../items/selected-set.ts';
import { INTO_TOUCHED, TOUCHED_COLUMNS, touchAll } from '../items/touched.ts';
import { fromKey, listFilter, restrict, rowsOf, sourceFacts } from '../lists/list-filter.ts';
import { findSearch } from '../rules/applied-rules.ts';
import { row, run, value, values, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';
import {
  beginAction,
  findStatus,
  NO_STATUS,
  projectIds,
  projectTouched,
  putStatus,
  type StatusRow,
} from './item-statuses.ts';
import { mayStartRead } from './reading-start.ts';

type Field = 'read_at' | 'starred_at';

export interface Undo {
  field: Field;
  /** `markedAt` is that of `unread_mark`, if the action changes it. */
  before: { id: string; value: number | null; markedAt?: number | null }[];
}

export interface MarkedPart {
  undo: Undo;
  next: OpenMarking | null;
}

/** Marks all as read in parts. What is left is below key `below`, or everything. */
export interface OpenMarking {
  query: ItemsQuery;
  /** Items added after this write stay unread. */
  watermark: number;
  now: number;
  below: number | null;
  above?: number;
  /** Items that the reader marked after this action stay as they are. */
  since?: number;
}

export const OPEN_MARKING = 'open_marking';

const MARKING = z.object({
  query: z.object({
    scope: z.enum(['selected', 'all']),
    window: z.enum(WINDOWS),
    state: z.enum(['any', 'unread', 'starred']),
    category: z.string().exactOptional(),
    source: z.string().exactOptional(),
    text: z.string().exactOptional(),
    saved: z.string().exactOptional(),
    muted: z.literal(true).exactOptional(),
  }),
  watermark: z.int().min(0),
  now: z.int().min(0),
  below: z.int().min(0),
  above: z.int().min(0).exactOptional(),
  since: z.int().min(0).exactOptional(),
});

const READ_TOUCHED = `INSERT INTO user.item_status (mirror, item_id, read_at, sequence)
  SELECT ?, id, ?, ? FROM touched CROSS JOIN item_index USING (key) CROSS JOIN item USING (arrival) WHERE true
  ON CONFLICT (mirror, item_id) DO UPDATE SET read_at = excluded.read_at, sequence = excluded.sequence RETURNING item_id`;
const MARK_UNREAD = `UPDATE user.item_status SET read_at = NULL, sequence = ?
  WHERE mirror = ? AND item_id IN (SELECT value FROM json_each(?))`;

export function openMarking(of: { json<T>(name: string, schema: z.ZodType<T>): T | null }): OpenMarking | null {
  return of.json<OpenMarking>(OPEN_MARKING, MARKING);
}

export function mark(tx: Tx, ids: readonly string[], action: ItemAction, now: number): Undo {
  const { db } = tx;
  const field: Field = action === 'read' || action === 'unread' ? 'read_at' : 'starred_at';
  const to = action === 'read' || action === 'star' ? now : null;
  const changing = [...new Set(ids)].filter((id) => {
    const isSet = (findStatus(db, tx.kept.service, id)?.[field] ?? null) !== null;
    return action === 'unread' ? isSet || findIndexed(db, id)?.unread === 0 : isSet !== (to !== null);
  });
  return change(
    tx,
    field,
    changing.map((id) => ({ id, value: to, ...(action === 'unread' && markedUnread(db, id, now)) })),
  );
}

/** A citation and the items of its address share one status. */
export function markAddress(tx: Tx, address: string, read: boolean, now: number): Undo {
  if (read) markAddressRead(tx, address, now);
  else markAddressUnread(tx, address);
  const ids = itemsAt(tx.db, address).map(({ id }) => id);
  return mark(tx, ids, read ? 'read' : 'unread', now);
}

/** Saves `next`, so that the next start continues after a kill. */
export function markAllRead(tx: Tx, part: OpenMarking, limit: number): MarkedPart {
  const { db, kept } = tx;
  const { query, watermark, now, below, above, since = user.number(db, 'sequence') } = part;
  // Also marks folded items.
  const { foldStories: _, ...everything } = query;
  const saved = query.saved === undefined ? null : findSearch(db, query.saved);
  const filter = listFilter(everything, now, isComplete(db), { ...sourceFacts(db), saved });
  if (!filter) {
    // A saved search was removed meanwhile.
    if (below !== null) mirror.set(db, OPEN_MARKING, null);
    return { undo: { field: 'read_at', before: [] }, next: null };
  }
  if (below !== null) {
    fromKey(filter, '<', below);
    const isMarked = `SELECT 1 FROM user.item_status WHERE mirror = ? AND sequence > ?
      AND item_id = (SELECT id FROM item AS marked WHERE marked.arrival = item_index.arrival)`;
    restrict(filter, `NOT EXISTS (${isMarked})`, kept.service, since);
  }
  if (above !== undefined) fromKey(filter, '>=', above + 1);
  if (query.state !== 'unread') restrict(filter, 'item_index.unread = 1');
  restrict(filter, 'item_index.added <= ?', watermark);
  const { sql: touched, bound } = rowsOf(filter, TOUCHED_COLUMNS, '', limit);
  const any = touchAll(tx, `${INTO_TOUCHED} ${touched}`, ...bound);
  const undo: Undo = { field: 'read_at', before: any ? readTouched(tx, now) : [] };
  const last = value<number | null>(db, 'SELECT min(key) FROM touched') ?? 0;
  const next =
    undo.before.length < limit
      ? null
      : { query, watermark, now, below: last, since, ...(above !== undefined && { above }) };
  if (next || below !== null) mirror.set(db, OPEN_MARKING, next && JSON.stringify(next));
  return { undo, next };
}

export function undo(tx: Tx, { field, before }: Undo): number {
  const wasRead =
    field === 'read_at' && before.every(({ value, markedAt }) => value === null && markedAt === undefined);
  if (wasRead) markUnread(tx, before);
  else change(tx, field, before);
  return before.length;
}

/** All of them at once: a look at each takes several times as long. */
function markUnread(tx: Tx, items: readonly { id: string }[]): void {
  const { db, kept } = tx;
  const ids = items.map(({ id }) => id);
  run(db, MARK_UNREAD, beginAction(tx), kept.service, JSON.stringify(ids));
  projectIds(tx, ids);
  if (hasReadAddress(db)) for (const id of ids) markItemAddressUnread(tx, id);
}

function change(tx: Tx, field: Field, wanted: Undo['before']): Undo {
  const before: Undo['before'] = [];
  if (wanted.length === 0) return { field, before };
  const { service } = tx.kept;
  const sequence = beginAction(tx);
  for (const { id, value: to, markedAt } of wanted) {
    const status = findStatus(tx.db, service, id) ?? NO_STATUS;
    before.push({ id, value: status[field], ...(markedAt !== undefined && { markedAt: status.marked_at }) });
    const changed = { ...status, [field]: to, ...(markedAt !== undefined && { marked_at: markedAt }) };
    putStatus(tx.db, { service, id }, status, changed, sequence);
    if (field === 'read_at' && to === null) markItemAddressUnread(tx, id);
  }
  projectIds(
    tx,
    wanted.map(({ id }) => id),
  );
  return { field, before };
}

function readTouched(tx: Tx, now: number): Undo['before'] {
  const ids = values<string>(tx.db, READ_TOUCHED, tx.kept.service, now, beginAction(tx));
  projectTouched(tx);
  return ids.map((id) => ({ id, value: null }));
}

/** Without a row in the index, the age is unknown. */
function markedUnread(db: Db, id: string, now: number): { markedAt?: number } {
  return mayStartRead(db, findIndexed(db, id)?.key ?? 0) ? { markedAt: now } : {};
}

function findIndexed(db: Db, id: string): { key: number; unread: number } | undefined {
  return row<{ key: number; unread: number }>(
    db,
    'SELECT item_index.key, unread FROM item CROSS JOIN item_index USING (key) WHERE id = ?',
    id,
  );
}

interface StatusKey {
  mirror?: string;
  item_id: string;
}

/** A missing field stays as it is. */
export type CarriedStatus = Required<StatusKey> & Partial<StatusRow>;

/** Keeps the earlier of two times. Returns for each row whether it changed. */
export function mergeStatuses(
  tx: Tx,
  rows: readonly (StatusKey & Pick<StatusRow, 'read_at' | 'starred_at'>)[],
): boolean[] {
  return saveAll(tx, rows, (here, { read_at, starred_at }) => ({
    read_at: earlierTime(here.read_at, read_at),
    starred_at: earlierTime(here.starred_at, starred_at),
  }));
}

export function mergeAddress(tx: Tx, address: string, readAt: number): boolean {
  const here = addressReadAt(tx.db, address);
  if (here !== null && here <= readAt) return false;
  if (here !== null) markAddressUnread(tx, address);
  markAddress(tx, address, true, readAt);
  return true;
}

/** Their age does not make these items read. */
export function mergeUnread(tx: Tx, rows: readonly (StatusKey & { marked_at: number })[]): boolean[] {
  return saveAll(tx, rows, (here, { marked_at }) => ({ marked_at: earlierTime(here.marked_at, marked_at) }));
}

/** Sets statuses from another device (docs/decisions/131). Returns changed items of this service. */
export function carryStatuses(tx: Tx, rows: readonly CarriedStatus[]): string[] {
  const changed = saveAll(tx, rows, (_here, { mirror: _, item_id: __, ...status }) => status);
  return rows.flatMap(({ mirror, item_id: id }, at) => (changed[at] && mirror === tx.kept.service ? [id] : []));
}

function saveAll<R extends StatusKey>(
  tx: Tx,
  rows: readonly R[],
  merge: (here: StatusRow, row: R) => Partial<StatusRow>,
): boolean[] {
  let sequence: number | null = null;
  const changed: string[] = [];
  const outcomes = rows.map((row) => {
    const { mirror: service = tx.kept.service, item_id: id } = row;
    const here = findStatus(tx.db, service, id) ?? NO_STATUS;
    const status = { ...here, ...merge(here, row) };
    if (
      status.read_at === here.read_at &&
      status.starred_at === here.starred_at &&
      status.marked_at === here.marked_at
    ) {
      return false;
    }
    sequence ??= beginAction(tx);
    putStatus(tx.db, { service, id }, here, status, sequence);
    if (service === tx.kept.service) changed.push(id);
    return true;
  });
  if (changed.length > 0) projectIds(tx, changed);
  return outcomes;
}
