import type { z } from 'zod';
import type { Db } from '../sql.ts';
import { addMarker, checkMarker } from './files.ts';

const marked = new WeakSet<Db>();

/** Returns null for broken JSON. The check then due has it fetched again (docs/decisions/189). */
export function readOrNull<T>(db: Db, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    // TypeError: the JSON has lost members.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    markForCheck(db);
    return null;
  }
}

/** Leaves out rows with broken JSON, as {@link readOrNull}. */
export function readable<R, T>(db: Db, rows: readonly R[], read: (row: R) => T): T[] {
  return rows.flatMap((row) => readOrNull(db, () => [read(row)]) ?? []);
}

export function readStored<T>(text: string | null, schema: z.ZodType<T>): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export function markForCheck(db: Db): void {
  if (marked.has(db) || db.name === ':memory:') return;
  marked.add(db);
  addMarker(checkMarker(db.name));
}
