import type { Database } from 'better-sqlite3';

/**
 * Why an item is parked. A snapshot lacked it: it is still a `member` of the selected set, or it `left` the set, or it
 * left and is too old (`old`) for the item list to show that it is public. Or the item list lacked it although it
 * should have been `listed`.
 */
export type Parking = 'member' | 'left' | 'old' | 'listed';

/**
 * The table `parked_item`: items that the service no longer had in a snapshot or a list, without saying that they were
 * removed. Nothing of them is deleted until the service confirms it (docs/decisions/144). Write within a transaction.
 */
export class ParkedItems {
  readonly #any;
  readonly #put;
  readonly #take;
  readonly #seen;
  readonly #ids;
  readonly #count;
  readonly #get;

  constructor(database: Database) {
    this.#any = database.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM parked_item)').pluck();
    this.#put = database.prepare<[string, Parking]>('INSERT OR REPLACE INTO parked_item (id, parking) VALUES (?, ?)');
    this.#take = database.prepare<[string], Parking>('DELETE FROM parked_item WHERE id = ? RETURNING parking').pluck();
    this.#seen = database.prepare<[string]>(`DELETE FROM parked_item WHERE id = ? AND parking IN ('old', 'listed')`);
    this.#ids = database.prepare<[Parking], string>('SELECT id FROM parked_item WHERE parking = ?').pluck();
    this.#count = database.prepare<[Parking], number>('SELECT count(*) FROM parked_item WHERE parking = ?').pluck();
    this.#get = database.prepare<[string], Parking>('SELECT parking FROM parked_item WHERE id = ?').pluck();
  }

  get any(): boolean {
    return this.#any.get() === 1;
  }

  put(id: string, parking: Parking): void {
    this.#put.run(id, parking);
  }

  /** Ends a parking and returns it; undefined if there was none. */
  take(id: string): Parking | undefined {
    return this.#take.get(id);
  }

  /** The item list has the item: it is public, but that doesn't tell whether it is in the selected set. */
  seen(id: string): void {
    this.#seen.run(id);
  }

  ids(parking: Parking): string[] {
    return this.#ids.all(parking);
  }

  count(parking: Parking): number {
    return this.#count.get(parking) ?? 0;
  }

  get(id: string): Parking | undefined {
    return this.#get.get(id);
  }
}
