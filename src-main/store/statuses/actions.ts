import { z } from 'zod';
import type { ItemAction, ItemsQuery } from '../../contract/model/item.ts';
import { WINDOWS } from '../../contract/model/search.ts';
import { mirrorProperties as mirror } from '../database/properties.ts';
import {
  hasReadAddress,
  itemsAt,
  markAddressRead,
  markAddressUnread,
  markItemAddressUnread,
} from '../items/addresses.ts';
import { isComplete } from '../items/selected-set.ts';
import { starOf } from '../items/missing-stars.ts';
import { fromKey, listFilter, restrict, sourceFacts } from '../lists/list-filter.ts';
import { newest } from '../lists/list-queries.ts';
import { joinRecord, lastSeq, restore, setAll, type Before } from '../records.ts';
import { findSearch } from '../rules/applied-rules.ts';
import { jsonText, rows, sql } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { mayStartRead } from './reading-start.ts';

export interface MarkedPart {
  undo: Before;
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
  /** Items that the reader marked after this record stay as they are. */
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

interface Markable {
  id: string;
  /** Null if its age is unknown: it never was here. */
  key: number | null;
  unread: number | null;
  title: string | null;
  link: string | null;
  read: number | null;
  starred: number;
}

const MARKABLE = sql`SELECT given.id, unread,
    ifnull(item_index.key, (SELECT max(key) FROM gone WHERE gone.id = given.id)) AS key, title, link_original AS link, read.value AS read,
    star.value IS NOT NULL AS starred
  FROM (SELECT value AS id FROM json_each(?)) AS given LEFT JOIN item ON item.id = given.id
    LEFT JOIN item_index ON item_index.key = item.key ${joinRecord('read', 'given.id')} ${joinRecord('star', 'given.id')}`;

export function openMarking(of: { json<T>(name: string, schema: z.ZodType<T>): T | null }): OpenMarking | null {
  return of.json<OpenMarking>(OPEN_MARKING, MARKING);
}

export function mark(tx: Tx, ids: readonly string[], action: ItemAction, now: number): Before {
  const { db } = tx;
  const items = rows<Markable>(db, MARKABLE, jsonText([...new Set(ids)]));
  switch (action) {
    case 'read':
      return setAll(
        tx,
        'read',
        items.filter(({ read }) => read === null || read < 0).map(({ id }) => [id, now]),
      );
    case 'unread': {
      const read = items.filter((one) => (one.read ?? -1) >= 0 || one.unread === 0);
      const before = setAll(
        tx,
        'read',
        read.map(({ id, key }) => [id, mayStartRead(db, key ?? 0) ? -now : null]),
      );
      markAddressesUnread(tx, before);
      return before;
    }
    case 'star':
      return setAll(
        tx,
        'star',
        items.filter(({ starred }) => starred === 0).map((one) => [one.id, starOf(one, now)]),
      );
    case 'unstar':
      return setAll(
        tx,
        'star',
        items.filter(({ starred }) => starred === 1).map(({ id }) => [id, null]),
      );
  }
}

export function markAddress(tx: Tx, address: string, read: boolean, now: number): Before {
  if (read) markAddressRead(tx, address, now);
  else markAddressUnread(tx, address);
  const ids = itemsAt(tx.db, address).map(({ id }) => id);
  return mark(tx, ids, read ? 'read' : 'unread', now);
}

/** Saves `next`, so that the next start continues after a kill. */
export function markAllRead(tx: Tx, part: OpenMarking, limit: number): MarkedPart {
  const { db } = tx;
  const { query, watermark, now, below, above, since = lastSeq(db) } = part;
  // Also marks folded items.
  const { foldStories: _, ...everything } = query;
  const saved = query.saved === undefined ? null : findSearch(db, query.saved);
  const filter = listFilter(everything, now, isComplete(db), { ...sourceFacts(db), saved });
  if (!filter) {
    // A saved search was removed meanwhile.
    if (below !== null) mirror.set(db, OPEN_MARKING, null);
    return { undo: setAll(tx, 'read', []), next: null };
  }
  if (below !== null) fromKey(filter, '<', below);
  if (above !== undefined) fromKey(filter, '>=', above + 1);
  if (query.state !== 'unread') restrict(filter, 'item_index.unread = 1');
  restrict(filter, 'item_index.added <= ?', watermark);
  const found = newest(db, filter, limit);
  const pairs = found.map(({ id }): Before['pairs'][number] => [id, now]);
  const undo = restore(tx, { kind: 'read', service: tx.kept.service, pairs }, since);
  const last = found.length < limit ? undefined : found.at(-1);
  const next = last ? { query, watermark, now, below: last.key, since, ...(above !== undefined && { above }) } : null;
  if (next || below !== null) mirror.set(db, OPEN_MARKING, next && JSON.stringify(next));
  return { undo, next };
}

export function undo(tx: Tx, before: Before): number {
  restore(tx, before);
  if (before.kind === 'read') {
    const isUnread = ([, value]: Before['pairs'][number]): boolean => value === null || Number(value) < 0;
    markAddressesUnread(tx, { pairs: before.pairs.filter(isUnread) });
  }
  return before.pairs.length;
}

function markAddressesUnread(tx: Tx, { pairs }: Pick<Before, 'pairs'>): void {
  if (hasReadAddress(tx.db)) for (const [id] of pairs) markItemAddressUnread(tx, id);
}
