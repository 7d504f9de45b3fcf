import type { z } from 'zod';
import type { Db } from '../sql.ts';
import { addMarker, checkMarker } from './files.ts';

/** Connections that have marked their mirror. */
const marked = new WeakSet<Db>();

/**
 * What `read` makes of a row; null if the JSON in it can't be read. The mirror is then marked for a check, which has the row
 * fetched again (docs/decisions/053).
 */
export function readOrNull<T>(db: Db, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    // TypeError: it is JSON, but has lost members.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    markForCheck(db);
    return null;
  }
}

/** The rows of a list that can be read: one that can't must not cost the others. See {@link readOrNull}. */
export function readable<R, T>(db: Db, rows: readonly R[], read: (row: R) => T): T[] {
  return rows.flatMap((row) => {
    const value = readOrNull(db, () => [read(row)]);
    return value ?? [];
  });
}

/** A saved JSON value; null if it is missing, no JSON, or not what this version saves: it then counts as none. */
export function readStored<T>(text: string | null, schema: z.ZodType<T>): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Makes a check of the databases due at the next idle moment: it finds what can't be read. Once for a connection. */
export function markForCheck(db: Db): void {
  if (marked.has(db) || db.name === ':memory:') return;
  marked.add(db);
  addMarker(checkMarker(db.name));
}
