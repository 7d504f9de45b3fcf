import type { Database } from 'better-sqlite3';
import { hash } from 'node:crypto';
import { canonicalAddress } from '../../common/canonical-address.ts';
import type { Properties } from '../database/properties.ts';
import { STATUS_JOIN } from '../database/this-mirror.ts';

/** Increment it when {@link canonicalAddress} changes: all addresses are then rebuilt. */
const RULES = 1;

/** The property with the last write whose addresses are in the table. */
export const ADDRESSES_WATERMARK = 'addresses_watermark';

/** The item that matches a citation. Time in ms since 1970. */
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
  link_original: string;
}

const ITEM_SQL = `SELECT item.arrival, item.key, item.id, item.link_original, item_status.read_at
  FROM item ${STATUS_JOIN}`;

/**
 * The tables `item_address` and `address_status`: which items share an original address, and which addresses were read
 * as citations. An item and its citation share one read status. An indexer adds the addresses of items some
 * time after they are written; reads are complete before. Write within a transaction.
 */
export class AddressesTable {
  readonly #database: Database;
  readonly #mirror: Properties;
  readonly #pending: PendingAddresses;
  readonly #add;
  readonly #remove;
  readonly #links;
  readonly #items;
  readonly #item;
  readonly #link;
  readonly #readAt;
  readonly #anyRead;
  readonly #mark;
  readonly #unmark;

  /** @param mirror the properties of the mirror */
  constructor(database: Database, mirror: Properties) {
    this.#database = database;
    this.#mirror = mirror;
    this.#pending = new PendingAddresses(database, mirror);
    this.#add = database.prepare<[number, number]>(
      'INSERT INTO item_address (hash, arrival) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#remove = database.prepare<[number, number]>('DELETE FROM item_address WHERE hash = ? AND arrival = ?');
    this.#links = database.prepare<[number, number], Link>(
      'SELECT arrival, link_original FROM item WHERE changed > ? AND changed <= ? AND link_original IS NOT NULL',
    );
    this.#items = database.prepare<[number], ItemRow>(
      `${ITEM_SQL} WHERE item.arrival IN (SELECT arrival FROM item_address WHERE hash = ?)`,
    );
    this.#item = database.prepare<[number], ItemRow>(`${ITEM_SQL} WHERE item.arrival = ?`);
    this.#link = database.prepare<[string], string | null>('SELECT link_original FROM item WHERE id = ?').pluck();
    this.#readAt = database
      .prepare<[string], number>('SELECT read_at FROM user.address_status WHERE address = ?')
      .pluck();
    this.#anyRead = database.prepare<[], number>('SELECT 1 FROM user.address_status LIMIT 1').pluck();
    this.#mark = database.prepare<[string, number]>(
      'INSERT INTO user.address_status (address, read_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#unmark = database.prepare<[string]>('DELETE FROM user.address_status WHERE address = ?');
  }

  /** Indexes the items that were last changed after write `from` and up to write `to`. */
  addWritten(from: number, to: number): void {
    const added = this.#links.all(from, to).flatMap(({ arrival, link_original: link }) => {
      const address = canonicalAddress(link);
      return address === null ? [] : [{ hash: hashOf(address), arrival }];
    });
    // In the order of the table, so that pages of it are written once.
    added.sort((a, b) => a.hash - b.hash);
    for (const { hash, arrival } of added) this.#add.run(hash, arrival);
  }

  /** Removes an item that is deleted or gets another link. */
  remove(arrival: number, link: string | null): void {
    const address = canonicalAddress(link);
    if (address !== null) this.#remove.run(hashOf(address), arrival);
  }

  /** The saved items with a canonical address, oldest first. */
  itemsAt(address: string): AddressedItem[] {
    const hash = hashOf(address);
    const found = new Map(this.#items.all(hash).map((row) => [row.arrival, row]));
    for (const arrival of this.#pending.at(hash)) {
      const row = this.#item.get(arrival);
      if (row) found.set(arrival, row);
    }
    return [...found.values()]
      .filter(({ link_original: link }) => canonicalAddress(link) === address)
      .sort((a, b) => a.key - b.key);
  }

  /** When a citation with this canonical address was read, in ms since 1970; null if unread. */
  readAt(address: string): number | null {
    return this.#readAt.get(address) ?? null;
  }

  /** Like {@link readAt}, for any link. Returns at once while no citation was ever read. */
  readAtLink(link: string | null): number | null {
    if (this.#anyRead.get() === undefined) return null;
    const address = canonicalAddress(link);
    return address === null ? null : this.readAt(address);
  }

  mark(address: string, now: number): void {
    this.#mark.run(address, now);
  }

  unmark(address: string): void {
    this.#unmark.run(address);
  }

  /** Marks the address of an item as unread along with the item. */
  unmarkItem(id: string): void {
    const address = this.#anyRead.get() === undefined ? null : canonicalAddress(this.#link.get(id) ?? null);
    if (address !== null) this.unmark(address);
  }

  /** Has the addresses of all items indexed again if those of the mirror follow other rules; answers whether they did. */
  catchUp(): boolean {
    if (this.#mirror.number('addresses') === RULES) return false;
    this.#database.exec('DELETE FROM item_address');
    this.#mirror.set(ADDRESSES_WATERMARK, null);
    this.#mirror.set('addresses', RULES);
    return true;
  }
}

/** 48 bits fit a number exactly. On a collision, readers compare the addresses themselves. */
function hashOf(address: string): number {
  return hash('sha1', address, 'buffer').readUIntBE(0, 6);
}

/** Finds items by address whose addresses are not in the table yet. */
class PendingAddresses {
  readonly #mirror: Properties;
  readonly #links;
  readonly #arrivals = new Map<number, number[]>();
  #watermark = 0;
  /** The write up to which the pending items are in the map. */
  #seen = 0;

  constructor(database: Database, mirror: Properties) {
    this.#mirror = mirror;
    this.#links = database.prepare<[number], Link & { changed: number }>(
      'SELECT arrival, changed, link_original FROM item WHERE changed > ? AND link_original IS NOT NULL ORDER BY changed',
    );
  }

  /** Items that may have an address with this hash, and some that may be deleted or have another address by now. */
  at(hash: number): number[] {
    this.#forgetIndexed();
    const committed = this.#mirror.number('sequence');
    const uncommitted: number[] = [];
    for (const { arrival, changed, link_original: link } of this.#links.all(this.#seen)) {
      const address = canonicalAddress(link);
      if (address === null) continue;
      const its = hashOf(address);
      if (changed <= committed) this.#arrivals.set(its, [...(this.#arrivals.get(its) ?? []), arrival]);
      else if (its === hash) uncommitted.push(arrival);
    }
    this.#seen = Math.max(this.#seen, committed);
    return [...(this.#arrivals.get(hash) ?? []), ...uncommitted];
  }

  #forgetIndexed(): void {
    const watermark = this.#mirror.number(ADDRESSES_WATERMARK);
    // It goes back to 0 when all addresses are indexed again.
    if (watermark >= this.#watermark && watermark < this.#seen) return;
    this.#arrivals.clear();
    this.#watermark = watermark;
    this.#seen = watermark;
  }
}
