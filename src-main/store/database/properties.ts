import type { z } from 'zod';
import { run, sql, value, type Db, type WritableDb } from '../sql.ts';
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

/** The named values of the mirror. A missing property reads as null. */
export const mirrorProperties = propertiesOf('main');

/** The named values of user.db. */
export const userProperties = propertiesOf('user');

function propertiesOf(schema: keyof typeof STATEMENTS) {
  const get = (db: Db, name: string): string | null => value<string>(db, STATEMENTS[schema].get, name) ?? null;
  return {
    get,
    /** Returns 0 for a missing value, and for one that is no number. */
    number(db: Db, name: string): number {
      const number = Number(get(db, name) ?? 0);
      return Number.isFinite(number) ? number : 0;
    },
    /** Reads JSON. Returns null for a missing value, and for one that doesn't fit the schema. */
    json: <T>(db: Db, name: string, schema: z.ZodType<T>): T | null => readStored(get(db, name), schema),
    /** Saves a value; null removes it. */
    set(db: WritableDb, name: string, to: string | number | null): void {
      if (to === null) run(db, STATEMENTS[schema].remove, name);
      else run(db, STATEMENTS[schema].set, name, String(to));
    },
  };
}
