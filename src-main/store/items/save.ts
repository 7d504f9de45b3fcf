/** Saves items in `item` and `item_index`, and what follows from their rows (docs/decisions/005). */
import { canonicalAddress } from '../../contract/addresses.ts';
import type { Item } from '../../contract/model/item.ts';
import { THIS_SERVICE } from '../database/properties.ts';
import { markMatched } from '../rules/marking.ts';
import { followMatches, liveRules, putMatch, replaceMatches, type Match } from '../rules/applied-rules.ts';
import { FoldedFacts, type RuleFacts } from '../rules/rule-query.ts';
import { findOrAddSource } from '../sources/sources.ts';
import { row, run, sql, value, type WritableDb } from '../sql.ts';
import { projectOne } from '../statuses/item-statuses.ts';
import { startKey } from '../statuses/reading-start.ts';
import { coveredBy, coverItem, hasCoverage, relink, type NamedItem } from '../stories/coverage.ts';
import type { Past, Tx } from '../tx.ts';
import { adoptAddress, hasReadAddress } from './addresses.ts';
import { addGone, hasWithdrawals, lastWithdrawal, pruneGone } from './gone.ts';
import { SERVICE_COLUMNS, toColumns, type ServiceColumns } from './item-rows.ts';
import { addRevision, isOtherAddressOnly, revisedColumns } from './revisions.ts';
import { correctedTime, keyAt, type ItemTimes } from './time-key.ts';
import { touch, touchNew } from './touched.ts';

/** `lifetime`: how long caches may have kept the list, in ms (default 60 s). */
export type Origin = { kind: 'selected'; generation: number } | { kind: 'listed'; lifetime?: number };

/** `completed`: entered a list, or got a missing field or another address. */
export type Outcome = 'added' | 'revised' | 'completed' | 'unchanged' | 'refused';

type Column = (typeof SERVICE_COLUMNS)[number];

const SOURCE_COLUMNS = new Set<Column>(['selected', 'unknown']);
/** If the response has none (observed-7-items). */
const LIST_LIFETIME = 60_000;

export interface Removable {
  id: string;
  arrival: number;
  key: number;
}

export interface Stored extends ServiceColumns, Removable {
  generation: number;
  starred: number;
  muted: number;
  listed: number;
  added: number;
  revised_at: number | null;
}

interface NewItem {
  id: string;
  arrival: number;
  columns: ServiceColumns;
  wanted: number;
}

const INSERT = sql`INSERT INTO item (key, id, ${SERVICE_COLUMNS.join(', ')}, changed)
  VALUES (?, ?, ${SERVICE_COLUMNS.map(() => '?').join(', ')}, ?) ON CONFLICT (id) DO NOTHING`;
const UPDATE = sql`UPDATE item SET ${SERVICE_COLUMNS.map((name) => `${name} = ?`).join(', ')}, changed = ?, revised_at = ?
  WHERE arrival = ?`;
const FIND = sql`SELECT item.arrival, item.id, key, ${SERVICE_COLUMNS.map((name) => `item.${name}`).join(', ')}, revised_at,
  generation, listed, starred, added, muted FROM item JOIN item_index USING (key) WHERE id = ?`;
const ANY_STATUS = sql`SELECT EXISTS (SELECT 1 FROM user.record WHERE service = ${THIS_SERVICE} AND kind IN ('read', 'star'))`;

export function saveItem(tx: Tx, item: Item, origin: Origin, time: number): Outcome {
  if (origin.kind === 'listed' && comesTooLate(tx, item.id, origin)) return 'refused';
  const columns = toColumns(item);
  const wanted = keyAt(time);
  // Spares a first load a look-up for each item.
  const inserted = run(tx.db, INSERT, tx.kept.slots.first(wanted), item.id, ...boundOf(columns), tx.sequence);
  if (inserted.changes === 0) {
    const stored = findStored(tx, item.id);
    return stored ? revise(tx, stored, columns, origin) : 'refused';
  }
  list(tx, { id: item.id, arrival: Number(inserted.lastInsertRowid), columns, wanted }, origin);
  return 'added';
}

export function addReason(tx: Tx, id: string, reason: string): Outcome {
  const stored = findStored(tx, id);
  if (!stored) return 'unchanged';
  const columns = Object.fromEntries(SERVICE_COLUMNS.map((name) => [name, stored[name]])) as unknown as ServiceColumns;
  return revise(tx, stored, { ...columns, reason }, { kind: 'selected', generation: stored.generation });
}

export function renewMember(tx: Tx, id: string, generation: number): void {
  const stored = findStored(tx, id);
  if (stored && stored.generation > 0) relist(tx, stored, stored, { kind: 'selected', generation });
}

export function removeMember(tx: Tx, stored: Stored): void {
  touch(tx, stored.key);
  updateIndex(tx, { ...stored, generation: 0 });
  rematch(tx, { ...stored, generation: 0 });
}

export function remove(tx: Tx, { key, arrival }: Removable): void {
  touch(tx, key);
  const covered = coveredBy(tx.db, key);
  run(tx.db, 'DELETE FROM item WHERE arrival = ?', arrival);
  run(tx.db, 'DELETE FROM item_index WHERE key = ?', key);
  relink(tx, covered);
}

export function findStored({ db }: Tx, id: string): Stored | undefined {
  return row<Stored>(db, FIND, id);
}

interface Departure {
  at: number;
  /** The number of the write that added the item. */
  added: number;
}

export function endDeparture(db: WritableDb, id: string): Departure | undefined {
  const departure = row<Departure>(db, 'SELECT at, added FROM departure WHERE id = ?', id);
  if (departure) run(db, 'DELETE FROM departure WHERE id = ?', id);
  return departure;
}

/** A cache may still list a withdrawn item: only a list that must be newer brings it back. */
function comesTooLate(tx: Tx, id: string, { lifetime = LIST_LIFETIME }: { lifetime?: number }): boolean {
  if (!knownPast(tx).withdrawals) return false;
  const withdrawal = lastWithdrawal(tx.db, id);
  return withdrawal !== undefined && Math.abs(tx.now - withdrawal.at) < lifetime && findStored(tx, id) === undefined;
}

function knownPast(tx: Tx): Past {
  tx.past ??= {
    statuses: value<number>(tx.db, ANY_STATUS) === 1,
    withdrawals: hasWithdrawals(tx.db),
    coverage: hasCoverage(tx.db),
    readAddresses: hasReadAddress(tx.db),
    startKey: startKey(tx.db),
  };
  return tx.past;
}

function list(tx: Tx, { id, arrival, columns, wanted }: NewItem, origin: Origin): void {
  const past = knownPast(tx);
  const { category } = columns;
  const generation = origin.kind === 'selected' ? origin.generation : 0;
  const listed = Number(origin.kind === 'listed');
  const matches = liveRules(tx).any ? matchRules(tx, { ...columns, key: wanted, generation }) : [];
  const muted = Number(matches.some(({ rule }) => rule.kind === 'mute'));
  // A withdrawn item that returned is not new.
  const added = (past.withdrawals ? lastWithdrawal(tx.db, id)?.added : undefined) ?? tx.sequence;
  const source = findOrAddSource(tx, columns.source_name);
  const first = tx.kept.slots.first(wanted);
  const key = takeKey(tx, wanted, (free) => {
    const unread = Number(free >= past.startKey);
    const inserted = run(
      tx.db,
      `INSERT INTO item_index (key, arrival, category, generation, listed, unread, starred, added, source, muted)
       VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
      ...[free, arrival, category, generation, listed, unread, added, source, muted],
    );
    return inserted.changes > 0;
  });
  touchNew(tx, key);
  if (key !== first) setKey(tx, arrival, key);
  if (past.statuses) projectOne(tx, key);
  for (const match of matches) putMatch(tx, key, match, tx.sequence);
  markMatched(tx, { id, key, title: columns.title, link: columns.link_original }, matches);
  const named = { key, id, link: columns.link_original };
  if (past.coverage) coverItem(tx, named);
  if (past.readAddresses) inheritStatus(tx, named);
}

function inheritStatus(tx: Tx, { id, link }: NamedItem): void {
  const address = canonicalAddress(link);
  if (address !== null) adoptAddress(tx, address, [{ id }]);
}

function takeKey({ db, kept: { slots } }: Tx, wanted: number, take: (key: number) => boolean): number {
  let key = slots.first(wanted);
  while (!take(key)) {
    const free = value<number>(
      db,
      `SELECT key + 1 FROM item_index AS taken
       WHERE key >= ? AND NOT EXISTS (SELECT 1 FROM item_index WHERE key = taken.key + 1) ORDER BY key LIMIT 1`,
      key,
    );
    key = free ?? key + 1;
    slots.filled(wanted, key);
  }
  return key;
}

function setKey({ db }: Tx, arrival: number, key: number): void {
  run(db, 'UPDATE item SET key = ? WHERE arrival = ?', key, arrival);
}

/** Follows a corrected time; the caller saves it. The item never counts as new. */
function move(tx: Tx, stored: Stored, received: ServiceColumns): Stored {
  const time = correctedTime(timesOf(stored), timesOf(received), tx.now);
  if (time === null) return stored;
  const { db } = tx;
  const { arrival, id, link_original: link, key: before } = stored;
  touch(tx, before);
  const key = takeKey(
    tx,
    keyAt(time),
    (free) => run(db, 'UPDATE OR IGNORE item_index SET key = ? WHERE key = ?', free, before).changes > 0,
  );
  touchNew(tx, key);
  setKey(tx, arrival, key);
  projectOne(tx, key);
  coverItem(tx, { key, id, link });
  pruneGone(tx);
  addGone(tx, before);
  rematch(tx, { ...stored, key });
  return findStored(tx, id) ?? stored;
}

function revise(tx: Tx, found: Stored, received: ServiceColumns, origin: Origin): Outcome {
  const columns = merge(found, received, origin);
  const stored = move(tx, found, columns);
  const enters = relist(tx, stored, columns, origin);
  const differing = SERVICE_COLUMNS.filter((name) => columns[name] !== stored[name]);
  if (differing.length === 0) return enters ? 'completed' : 'unchanged';
  if (!enters) rematch(tx, { ...stored, ...columns });
  const visible = revisedColumns(differing, stored, columns);
  const revisedAt = visible.length > 0 ? tx.now : stored.revised_at;
  if (visible.length > 0) {
    addRevision(tx.db, stored.key, Object.fromEntries(visible.map((name) => [name, stored[name]])), tx);
  }
  run(tx.db, UPDATE, ...boundOf(columns), tx.sequence, revisedAt, stored.arrival);
  followSourceAndLink(tx, stored, columns);
  const isCompletion = differing.every((name) => completes(name, stored) || isOtherAddressOnly(name, stored, columns));
  return isCompletion ? 'completed' : 'revised';
}

function followSourceAndLink(tx: Tx, stored: Stored, columns: ServiceColumns): void {
  const { key, id, source_name: source, link_original: link } = stored;
  if (columns.source_name !== source) {
    run(tx.db, 'UPDATE item_index SET source = ? WHERE key = ?', findOrAddSource(tx, columns.source_name), key);
  }
  if (columns.link_original !== link) coverItem(tx, { key, id, link: columns.link_original });
}

/** Returns true if the item enters the selected set or another category, where it counts as new. */
function relist(tx: Tx, stored: Stored, columns: ServiceColumns, origin: Origin): boolean {
  const { category } = columns;
  const generation = origin.kind === 'selected' ? origin.generation : stored.generation;
  const listed = origin.kind === 'listed' ? 1 : stored.listed;
  const enters = category !== stored.category || (generation > 0 && stored.generation === 0);
  if (!enters && generation === stored.generation && listed === stored.listed) return false;
  const returned = enters && generation > 0 && stored.generation === 0 ? endDeparture(tx.db, stored.id) : undefined;
  const added = returned?.added ?? (enters ? tx.sequence : stored.added);
  if (enters) touch(tx, stored.key);
  updateIndex(tx, { key: stored.key, category, generation, listed, added });
  if (enters) {
    // The search index has the lists of each item.
    run(tx.db, 'UPDATE item SET changed = ? WHERE arrival = ?', tx.sequence, stored.arrival);
    const item = { ...stored, ...columns, generation };
    markMatched(tx, { ...item, link: item.link_original }, rematch(tx, item));
  }
  return enters;
}

function updateIndex(
  { db }: Tx,
  { key, category, generation, listed, added }: Pick<Stored, 'key' | 'category' | 'generation' | 'listed' | 'added'>,
): void {
  run(
    db,
    'UPDATE item_index SET category = ?, generation = ?, listed = ?, added = ? WHERE key = ?',
    ...[category, generation, listed, added, key],
  );
}

function rematch(tx: Tx, item: RuleFacts): readonly Match[] {
  if (!liveRules(tx).any) return [];
  touch(tx, item.key);
  const matches = matchRules(tx, item);
  replaceMatches(tx, item.key, matches);
  followMatches(tx, item.key);
  return matches;
}

function matchRules(tx: Tx, facts: RuleFacts): readonly Match[] {
  return liveRules(tx).set.match(new FoldedFacts(facts));
}

export function timesOf({ discovered_at: discoveredAt, published_at: publishedAt }: ServiceColumns): ItemTimes {
  return { discoveredAt, publishedAt };
}

function boundOf(columns: ServiceColumns): ServiceColumns[Column][] {
  return SERVICE_COLUMNS.map((name) => columns[name]);
}

/** Prefers the selected set to a list, which may come from a cache and lack `reason` (observed-1-reason). */
function merge(stored: Stored, received: ServiceColumns, origin: Origin): ServiceColumns {
  if (origin.kind === 'selected') return { ...received, reason: received.reason ?? stored.reason };
  if (stored.generation > 0) return { ...stored, reason: received.reason ?? stored.reason };
  return received;
}

function completes(name: Column, stored: Stored): boolean {
  return SOURCE_COLUMNS.has(name) || (name === 'reason' && stored.reason === null);
}
