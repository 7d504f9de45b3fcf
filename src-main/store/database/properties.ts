import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import { readStored } from './stored-json.ts';

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

  /** 0 for a missing value, and for one that is no number. */
  number(name: string): number {
    const value = Number(this.get(name) ?? 0);
    return Number.isFinite(value) ? value : 0;
  }

  /** A value saved as JSON; null for a missing value, and for one that doesn't fit the schema. */
  json<T>(name: string, schema: z.ZodType<T>): T | null {
    return readStored(this.get(name), schema);
  }

  set(name: string, value: string | number | null): void {
    if (value === null) this.#remove.run(name);
    else this.#set.run(name, String(value));
  }
}
