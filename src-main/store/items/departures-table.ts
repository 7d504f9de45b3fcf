import type { Database } from 'better-sqlite3';

/** An item that left the selected set. Times are ms since 1970. */
interface Departure {
  at: number;
  added: number;
}

/**
 * The table `departure`: items that left the selected set. Such an item may be withdrawn or still be public; until the
 * item list was seen to list it, the departure is open. Write within a transaction.
 */
export class DeparturesTable {
  readonly #put;
  readonly #get;
  readonly #remove;
  readonly #confirm;
  readonly #open;

  constructor(database: Database) {
    this.#put = database.prepare<[string, number, number]>(
      `INSERT INTO departure (id, at, added, confirmed) VALUES (?, ?, ?, 0)
       ON CONFLICT (id) DO UPDATE SET at = excluded.at, confirmed = 0`,
    );
    this.#get = database.prepare<[string], Departure>('SELECT at, added FROM departure WHERE id = ?');
    this.#remove = database.prepare<[string]>('DELETE FROM departure WHERE id = ?');
    this.#confirm = database.prepare<[string]>('UPDATE departure SET confirmed = 1 WHERE id = ?');
    this.#open = database.prepare<[], { id: string; at: number }>(
      `SELECT departure.id, at FROM departure JOIN item ON item.id = departure.id JOIN item_index USING (key)
       WHERE confirmed = 0 AND generation = 0`,
    );
  }

  /** @param added the number of the write that had added the item */
  add(id: string, at: number, added: number): void {
    this.#put.run(id, at, added);
  }

  /** The item entered the set again or was removed: forgets its departure and returns it. */
  end(id: string): Departure | undefined {
    const departure = this.#get.get(id);
    if (departure) this.#remove.run(id);
    return departure;
  }

  /** The item list still has the item. */
  confirm(id: string): void {
    this.#confirm.run(id);
  }

  /** The departures that are not confirmed yet. */
  open(): { id: string; at: number }[] {
    return this.#open.all();
  }
}
