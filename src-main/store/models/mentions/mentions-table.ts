import type { Database } from 'better-sqlite3';

/** The table `mention`: the models that items seem to name. Write within a transaction. */
export class MentionsTable {
  readonly #of;
  readonly #add;
  readonly #remove;
  readonly #removeAll;
  readonly #move;
  readonly #items;
  readonly #clear;

  constructor(database: Database) {
    this.#of = database.prepare<[number], string>('SELECT model FROM mention WHERE key = ? ORDER BY model').pluck();
    this.#add = database.prepare<[number, string]>('INSERT INTO mention (key, model) VALUES (?, ?)');
    this.#remove = database.prepare<[number, string]>('DELETE FROM mention WHERE key = ? AND model = ?');
    this.#removeAll = database.prepare<[number]>('DELETE FROM mention WHERE key = ?');
    this.#move = database.prepare<[number, number]>('UPDATE mention SET key = ? WHERE key = ?');
    this.#items = database
      .prepare<[], string>(
        'SELECT id FROM item_index JOIN item USING (arrival) WHERE item_index.key IN (SELECT key FROM mention)',
      )
      .pluck();
    this.#clear = database.prepare('DELETE FROM mention');
  }

  /** Replaces the mentions of an item; returns true if they changed. */
  replace(key: number, models: readonly string[]): boolean {
    const before = this.#of.all(key);
    const added = models.filter((model) => !before.includes(model));
    const removed = before.filter((model) => !models.includes(model));
    for (const model of added) this.#add.run(key, model);
    for (const model of removed) this.#remove.run(key, model);
    return added.length > 0 || removed.length > 0;
  }

  /** Deletes the mentions of a removed item. */
  remove(key: number): void {
    this.#removeAll.run(key);
  }

  /** The item has another key. */
  move(from: number, to: number): void {
    this.#move.run(to, from);
  }

  /** Deletes all mentions and returns the ids of their items. */
  clear(): string[] {
    const ids = this.#items.all();
    if (ids.length > 0) this.#clear.run();
    return ids;
  }
}
