import type { Database } from 'better-sqlite3';

/** Named values of a database. A missing property reads as null. */
export class Properties {
  readonly #get;
  readonly #set;
  readonly #remove;

  constructor(database: Database, schema: string) {
    this.#get = database.prepare<[string], string>(`SELECT value FROM ${schema}.property WHERE name = ?`).pluck();
    this.#set = database.prepare<[string, string]>(
      `INSERT INTO ${schema}.property (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    );
    this.#remove = database.prepare<[string]>(`DELETE FROM ${schema}.property WHERE name = ?`);
  }

  get(name: string): string | null {
    return this.#get.get(name) ?? null;
  }

  number(name: string): number {
    return Number(this.get(name) ?? 0);
  }

  set(name: string, value: string | number | null): void {
    if (value === null) this.#remove.run(name);
    else this.#set.run(name, String(value));
  }
}
