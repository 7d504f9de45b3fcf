/** An item and its citation share one read status. Addresses are indexed late; reads include those still pending. */
import { hash } from 'node:crypto';
import { canonicalAddress } from '../../contract/addresses.ts';
import { mirrorProperties as mirror } from '../database/properties.ts';
import { followItems, itemsAfter, watermark, type Derived } from '../derived/derived.ts';
import * as records from '../records.ts';
import { perConnection, row, rows, run, sql, value, type Db, type WritableDb } from '../sql.ts';
import { READ_AT } from '../statuses/status-sql.ts';
import type { Tx } from '../tx.ts';

/** Increment it when {@link canonicalAddress} changes. */
export const RULES = 1;

/** Some 30 ms of work. */
const STEP_ITEMS = 2000;

export interface AddressedItem {
  key: number;
  id: string;
  read_at: number | null;
}

interface ItemRow extends AddressedItem {
  arrival: number;
  link_original: string | null;
}

interface Link {
  arrival: number;
  link_original: string | null;
}

const ITEM = `SELECT item.arrival, item.key, item.id, item.link_original, ${READ_AT} AS read_at
  FROM item ${records.joinRecord('read', 'item.id')}`;
const ANY_READ = `SELECT 1 FROM user.record WHERE service = 0 AND kind = 'address' AND value IS NOT NULL LIMIT 1`;
const LINKS = sql`${itemsAfter('link_original')}`;
const WITH_HASH = sql`${ITEM} WHERE item.arrival IN (SELECT arrival FROM item_address WHERE hash = ?)`;
const PUT = `INSERT INTO item_address (arrival, hash) VALUES (?, ?)
  ON CONFLICT (arrival) DO UPDATE SET hash = excluded.hash WHERE hash <> excluded.hash`;
const WITH_ARRIVAL = sql`${ITEM} WHERE item.arrival = ?`;

export const addresses: Derived = {
  version: () => String(RULES),
  restart: ({ db }) => {
    run(db, 'DELETE FROM item_address');
  },
  step: ({ db }, place) =>
    followItems<Link>(db, place, { items: LINKS, most: STEP_ITEMS }, (items) => {
      putAddresses(db, items);
      return items.length;
    }),
};

function putAddresses(db: WritableDb, items: readonly Link[]): void {
  const found: { arrival: number; hash: number }[] = [];
  for (const { arrival, link_original: link } of items) {
    const address = canonicalAddress(link);
    if (address !== null) found.push({ arrival, hash: hashOf(address) });
    else run(db, 'DELETE FROM item_address WHERE arrival = ?', arrival);
  }
  // In the order of the index, so that its pages are written once.
  found.sort((a, b) => a.hash - b.hash);
  for (const { arrival, hash } of found) run(db, PUT, arrival, hash);
}

export function itemsAt(db: Db, address: string): AddressedItem[] {
  const wanted = hashOf(address);
  const found = new Map(rows<ItemRow>(db, WITH_HASH, wanted).map((item) => [item.arrival, item]));
  for (const arrival of pendingAt(db, wanted)) {
    const item = row<ItemRow>(db, WITH_ARRIVAL, arrival);
    if (item) found.set(arrival, item);
  }
  return [...found.values()]
    .filter(({ link_original: link }) => canonicalAddress(link) === address)
    .sort((a, b) => a.key - b.key);
}

export function addressReadAt(db: Db, address: string): number | null {
  return records.get(db, 'address', address);
}

export function hasReadAddress(db: Db): boolean {
  return value<number>(db, ANY_READ) !== undefined;
}

export function markAddressRead(tx: Tx, address: string, now: number): void {
  records.turn(tx, 'address', address, now);
}

export function markAddressUnread(tx: Tx, address: string): void {
  records.set(tx, 'address', address, null);
}

/** Not the reader's act: items count as read with their address, as on each device that learns the same. */
export function adoptAddress(
  tx: Tx,
  address: string,
  items: readonly Pick<AddressedItem, 'id'>[] = itemsAt(tx.db, address),
): void {
  if (addressReadAt(tx.db, address) === null) return;
  const from = { kind: 'address', service: '', id: address };
  for (const { id } of items) records.adopt(tx, from, { kind: 'read', service: tx.kept.service, id });
}

export function markItemAddressUnread(tx: Tx, id: string): void {
  if (!hasReadAddress(tx.db)) return;
  const link = value<string | null>(tx.db, 'SELECT link_original FROM item WHERE id = ?', id);
  const address = canonicalAddress(link ?? null);
  if (address !== null) markAddressUnread(tx, address);
}

/** 48 bits fit a number exactly. On a collision, readers compare the addresses. */
function hashOf(address: string): number {
  return hash('sha1', address, 'buffer').readUIntBE(0, 6);
}

interface Pending {
  readonly arrivals: Map<number, number[]>;
  watermark: number;
  seen: number;
}

const pendingOf = perConnection((): Pending => ({ arrivals: new Map(), watermark: 0, seen: 0 }));

/** May include deleted items, and some with another address by now. */
function pendingAt(db: Db, wanted: number): number[] {
  const pending = pendingOf(db);
  forgetIndexed(db, pending);
  const { arrivals, seen } = pending;
  const committed = mirror.number(db, 'sequence');
  const uncommitted: number[] = [];
  const later = rows<Link & { changed: number }>(
    db,
    'SELECT arrival, changed, link_original FROM item WHERE changed > ? AND link_original IS NOT NULL ORDER BY changed',
    seen,
  );
  for (const { arrival, changed, link_original: link } of later) {
    const address = canonicalAddress(link);
    if (address === null) continue;
    const found = hashOf(address);
    if (changed <= committed) arrivals.set(found, [...(arrivals.get(found) ?? []), arrival]);
    else if (found === wanted) uncommitted.push(arrival);
  }
  pending.seen = Math.max(seen, committed);
  return [...(arrivals.get(wanted) ?? []), ...uncommitted];
}

function forgetIndexed(db: Db, pending: Pending): void {
  const indexed = watermark(db, 'addresses');
  // It goes back to 0 when all addresses are indexed again.
  if (indexed >= pending.watermark && indexed < pending.seen) return;
  pending.arrivals.clear();
  pending.watermark = indexed;
  pending.seen = indexed;
}
