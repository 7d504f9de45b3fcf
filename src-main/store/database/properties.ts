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

/** In `record`. */
export const THIS_SERVICE = `(SELECT id FROM user.service WHERE name = (SELECT value FROM main.property WHERE name = 'source'))`;

export const mirrorProperties = propertiesOf('main');
export const userProperties = propertiesOf('user');

export function thisMirror(db: Db): string {
  return mirrorProperties.get(db, 'source') ?? '';
}

function propertiesOf(schema: keyof typeof STATEMENTS) {
  const get = (db: Db, name: string): string | null => value<string>(db, STATEMENTS[schema].get, name) ?? null;
  return {
    get,
    /** Returns 0 for a value that is missing or no number. */
    number(db: Db, name: string): number {
      const number = Number(get(db, name) ?? 0);
      return Number.isFinite(number) ? number : 0;
    },
    json: <T>(db: Db, name: string, schema: z.ZodType<T>): T | null => readStored(get(db, name), schema),
    /** Null removes the value. An equal value is not written again. */
    set(db: WritableDb, name: string, to: string | number | null): void {
      const text = to === null ? null : String(to);
      if (text === get(db, name)) return;
      if (text === null) run(db, STATEMENTS[schema].remove, name);
      else run(db, STATEMENTS[schema].set, name, text);
    },
  };
}
