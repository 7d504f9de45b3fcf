/**
 * Data that follows from other data and can be computed again at any time. Each kind has a row in `derived`: the version of
 * its rules, and the last change that it has applied. Without the row, or with another version, it starts again.
 */
import { mirrorProperties as mirror } from '../database/properties.ts';
import { row, rows, run, sql, type Db, type WritableDb } from '../sql.ts';
import type { Tx } from '../tx.ts';

export interface Place {
  /** In the order of the source, for example the number of a write. */
  at: number;
  /** The last row of that write which was applied. */
  within: number;
}

export interface Derived {
  version(db: Db): string;
  restart(tx: Tx): void;
  /** Applies the next part: at most 50 ms with 100,000 items. Null when it is up to date. */
  step(tx: Tx, place: Place): Place | null;
}

const WHOLE = Number.MAX_SAFE_INTEGER;

const READ = sql`SELECT version, at, within FROM main.derived WHERE name = ?`;
const SAVE = sql`INSERT INTO main.derived (name, version, at, within) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET version = excluded.version, at = excluded.at, within = excluded.within`;

export function after(at: number): Place {
  return { at, within: WHOLE };
}

export function watermark(db: Db, name: string): number {
  const { at, within } = progress(db, name) ?? after(0);
  return within === WHOLE ? at : at - 1;
}

export function progress(db: Db, name: string): (Place & { version: string }) | undefined {
  return row(db, READ, name);
}

export function renew(tx: Tx, name: string, derived: Derived): Place & { renewed: boolean } {
  const known = progress(tx.db, name);
  const version = derived.version(tx.db);
  if (known?.version === version) return { ...known, renewed: false };
  save(tx.db, name, version, after(0));
  derived.restart(tx);
  return { ...after(0), renewed: true };
}

/** Does a part of the work. Returns false when it is up to date. */
export function derive(tx: Tx, name: string, derived: Derived): boolean {
  const { renewed, at, within } = renew(tx, name, derived);
  if (renewed) return true;
  const next = derived.step(tx, { at, within });
  if (next && (next.at !== at || next.within !== within)) save(tx.db, name, derived.version(tx.db), next);
  return next !== null;
}

/** For data that follows in each transaction. One that starts again stays so. */
export function advance(db: WritableDb, name: string, at: number): void {
  run(db, 'UPDATE main.derived SET at = ?, within = ? WHERE name = ?', at, WHOLE, name);
}

export function forget(db: WritableDb, name?: string): void {
  if (name === undefined) run(db, 'DELETE FROM main.derived');
  else run(db, 'DELETE FROM main.derived WHERE name = ?', name);
}

function save(db: WritableDb, name: string, version: string, { at, within }: Place): void {
  run(db, SAVE, name, version, at, within);
}

interface Written {
  arrival: number;
  changed: number;
}

export const itemsAfter = (columns: string): string =>
  `SELECT arrival, changed, ${columns} FROM item WHERE (changed, arrival) > (?, ?) ORDER BY changed, arrival LIMIT ?`;

/** `apply` returns how many of the items it has done. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- SQLite has no types for results: the caller names them.
export function followItems<Item extends object>(
  db: Db,
  { at, within }: Place,
  { items, most }: { items: string; most: number },
  apply: (items: readonly (Item & Written)[]) => number,
): Place | null {
  const sequence = mirror.number(db, 'sequence');
  if (at === sequence && within === WHOLE) return null;
  const found = rows<Item & Written>(db, items, at, within, most);
  const last = found[apply(found) - 1];
  const isEnd = found.length < most && last === found.at(-1);
  return last === undefined || isEnd ? after(sequence) : { at: last.changed, within: last.arrival };
}
