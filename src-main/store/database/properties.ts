import type { z } from 'zod';
import { run, sql, value, writing, type Db } from '../sql.ts';
import { readStored } from './stored-json.ts';

const PUT = 'VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
const STATEMENTS = {
  main: {
    get: sql`SELECT value FROM main.property WHERE name = ?`,
    set: sql`INSERT INTO main.property (name, value) ${PUT}`,
    remove: sql`DELETE FROM main.property WHERE name = ?`,
  },
  user: {
    get: sql`SELECT value FROM user.property WHERE name = ?`,
    set: sql`INSERT INTO user.property (name, value) ${PUT}`,
    remove: sql`DELETE FROM user.property WHERE name = ?`,
  },
};

/** Named values of a database. A missing property reads as null. */
export class Properties {
  readonly #db: Db;
  readonly #schema: keyof typeof STATEMENTS;

  constructor(db: Db, schema: keyof typeof STATEMENTS) {
    this.#db = db;
    this.#schema = schema;
  }

  get(name: string): string | null {
    return value<string>(this.#db, STATEMENTS[this.#schema].get, name) ?? null;
  }

  /** 0 for a missing value, and for one that is no number. */
  number(name: string): number {
    const number = Number(this.get(name) ?? 0);
    return Number.isFinite(number) ? number : 0;
  }

  /** A value saved as JSON; null for a missing value, and for one that doesn't fit the schema. */
  json<T>(name: string, schema: z.ZodType<T>): T | null {
    return readStored(this.get(name), schema);
  }

  /** Writes within a transaction. */
  set(name: string, to: string | number | null): void {
    const db = writing(this.#db);
    if (to === null) run(db, STATEMENTS[this.#schema].remove, name);
    else run(db, STATEMENTS[this.#schema].set, name, String(to));
  }
}
