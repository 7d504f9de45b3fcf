import type { Database } from 'better-sqlite3';
import { hash } from 'node:crypto';
import { canonicalAddress } from '../../common/canonical-address.ts';
import type { Properties } from '../database/properties.ts';
import { STATUS_JOIN } from '../database/this-mirror.ts';

/** Increment it when {@link canonicalAddress} changes: all addresses are then rebuilt. */
const RULES = 1;

/** The item that matches a citation. Time in ms since 1970. */
export interface AddressedItem {
  id: string;
  read_at: number | null;
}

/**
 * The tables `item_address` and `address_status`: which items share an original address, and which addresses were read
 * as citations. An item and its citation share one read status. Write within a transaction.
 */
export class AddressesTable {
  readonly #database: Database;
  readonly #add;
  readonly #remove;
  readonly #items;
  readonly #link;
  readonly #readAt;
  readonly #anyRead;
  readonly #mark;
  readonly #unmark;

  constructor(database: Database) {
    this.#database = database;
    this.#add = database.prepare<[number, number]>(
      'INSERT INTO item_address (hash, arrival) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#remove = database.prepare<[number, number]>('DELETE FROM item_address WHERE hash = ? AND arrival = ?');
    this.#items = database.prepare<[number], AddressedItem & { link_original: string | null }>(
      `SELECT item.id, item.link_original, item_status.read_at FROM item_address JOIN item USING (arrival)
       ${STATUS_JOIN} WHERE hash = ? ORDER BY item.key`,
    );
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

  /** Indexes an item under its address. */
  add(arrival: number, link: string | null): void {
    const address = canonicalAddress(link);
    if (address !== null) this.#add.run(hashOf(address), arrival);
  }

  remove(arrival: number, link: string | null): void {
    const address = canonicalAddress(link);
    if (address !== null) this.#remove.run(hashOf(address), arrival);
  }

  move(arrival: number, from: string | null, to: string | null): void {
    this.remove(arrival, from);
    this.add(arrival, to);
  }

  /** The saved items with a canonical address, oldest first. */
  itemsAt(address: string): AddressedItem[] {
    return this.#items.all(hashOf(address)).filter(({ link_original: link }) => canonicalAddress(link) === address);
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

  /** Rebuilds the addresses of all items if the mirror has none or those of another version. */
  catchUp(mirror: Properties): void {
    if (mirror.number('addresses') === RULES) return;
    this.#database.exec('DELETE FROM item_address');
    const links = this.#database.prepare<[], { arrival: number; link_original: string | null }>(
      'SELECT arrival, link_original FROM item WHERE link_original IS NOT NULL',
    );
    for (const { arrival, link_original: link } of links.all()) this.add(arrival, link);
    mirror.set('addresses', RULES);
  }
}

/** 48 bits fit a number exactly. On a collision, readers compare the addresses themselves. */
function hashOf(address: string): number {
  return hash('sha1', address, 'buffer').readUIntBE(0, 6);
}
