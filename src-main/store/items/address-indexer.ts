import type { Database } from 'better-sqlite3';
import type { Properties } from '../database/properties.ts';
import { ADDRESSES_WATERMARK, type AddressesTable } from './addresses-table.ts';

/** Approximate number of items per step: some 20 ms of work. Each step writes all over the table. */
const STEP_ITEMS = 5000;

/**
 * Fills the table `item_address` from the mirror: each step indexes complete writes after its watermark, so it can stop
 * and resume after any step. Until then {@link AddressesTable} finds the addresses of later writes by itself.
 */
export class AddressIndexer {
  readonly #database: Database;
  readonly #addresses: AddressesTable;
  readonly #properties: Properties;
  readonly #target;
  readonly #last;

  /**
   * @param database the writer's connection
   * @param mirror the properties of mirror.db
   */
  constructor(database: Database, { addresses, mirror }: { addresses: AddressesTable; mirror: Properties }) {
    this.#database = database;
    this.#addresses = addresses;
    this.#properties = mirror;
    this.#target = database
      .prepare<[number, number], number>('SELECT changed FROM item WHERE changed > ? ORDER BY changed LIMIT 1 OFFSET ?')
      .pluck();
    this.#last = database.prepare<[number], number | null>('SELECT max(changed) FROM item WHERE changed > ?').pluck();
  }

  /** Indexes the next writes; returns false when the addresses are up to date. */
  step(): boolean {
    const from = this.#properties.number(ADDRESSES_WATERMARK);
    const to = this.#target.get(from, STEP_ITEMS - 1) ?? this.#last.get(from) ?? null;
    if (to === null) return false;
    // Deferred: an immediate transaction would also lock search.db, which its own thread writes.
    this.#database.transaction(() => {
      this.#addresses.addWritten(from, to);
      this.#properties.set(ADDRESSES_WATERMARK, to);
    })();
    return true;
  }
}
