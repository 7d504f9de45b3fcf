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

/** The thread of the search index has no user.db, so no more of a {@link Tx}. */
export type Writing = Pick<Tx, 'db'>;

interface Source {
  /** The file of its row: search.db has other writers. */
  readonly schema?: 'search';
  version(db: Db): string;
  /** The last change of its source, which may be an older copy than the one applied. */
  last?(db: Db): number;
}

export interface Derived<T extends Writing = Tx> extends Source {
  restart(tx: T): void;
  /** Applies the next part: at most 50 ms with 100,000 items. Null when it is up to date. */
  step(tx: T, place: Place): Place | null;
}

type Schema = 'main' | 'search';

const WHOLE = Number.MAX_SAFE_INTEGER;

const statementsOf = (schema: Schema) => ({
  read: sql`SELECT version, at, within FROM ${schema}.derived WHERE name = ?`,
  save: sql`INSERT INTO ${schema}.derived (name, version, at, within) VALUES (?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET version = excluded.version, at = excluded.at, within = excluded.within`,
  forget: sql`DELETE FROM ${schema}.derived WHERE name = ?`,
});
const STATEMENTS = { main: statementsOf('main'), search: statementsOf('search') };
const CLAIM = 'UPDATE search.derived SET at = at';

export function after(at: number): Place {
  return { at, within: WHOLE };
}

export function watermark(db: Db, name: string, schema?: Schema): number {
  const { at, within } = progress(db, name, schema) ?? after(0);
  return within === WHOLE ? at : at - 1;
}

export function progress(db: Db, name: string, schema: Schema = 'main'): (Place & { version: string }) | undefined {
  return row(db, STATEMENTS[schema].read, name);
}

export function renew<T extends Writing>(tx: T, name: string, derived: Derived<T>): Place & { renewed: boolean } {
  const { db } = tx;
  const known = progress(db, name, derived.schema);
  const version = derived.version(db);
  if (known?.version === version && known.at <= (derived.last?.(db) ?? Infinity)) return { ...known, renewed: false };
  save(db, name, derived, after(0));
  derived.restart(tx);
  return { ...after(0), renewed: true };
}

/** For search.db, call it outside of a transaction: one that has read can't write after another connection has. */
export function isUpToDate(db: Db, name: string, derived: Source): boolean {
  const known = progress(db, name, derived.schema);
  return known?.version === derived.version(db) && known.within === WHOLE && known.at === derived.last?.(db);
}

/** Does a part of the work. Returns false when it is up to date. */
export function derive<T extends Writing>(tx: T, name: string, derived: Derived<T>): boolean {
  // An immediate transaction would lock the mirror, too.
  if (derived.schema === 'search') run(tx.db, CLAIM);
  if (isUpToDate(tx.db, name, derived)) return false;
  const { renewed, at, within } = renew(tx, name, derived);
  if (renewed) return true;
  const next = derived.step(tx, { at, within });
  if (next && (next.at !== at || next.within !== within)) save(tx.db, name, derived, next);
  return next !== null;
}

/** For data that follows in each transaction. One that starts again stays so. */
export function advance(db: WritableDb, name: string, at: number): void {
  run(db, 'UPDATE main.derived SET at = ?, within = ? WHERE name = ?', at, WHOLE, name);
}

export function forget(db: WritableDb, name?: string, schema: Schema = 'main'): void {
  if (name === undefined) run(db, 'DELETE FROM main.derived');
  else run(db, STATEMENTS[schema].forget, name);
}

function save(db: WritableDb, name: string, derived: Source, { at, within }: Place): void {
  run(db, STATEMENTS[derived.schema ?? 'main'].save, name, derived.version(db), at, within);
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
  { items, most, last: sequence = mirror.number(db, 'sequence') }: { items: string; most: number; last?: number },
  apply: (items: readonly (Item & Written)[]) => number,
): Place | null {
  if (at === sequence && within === WHOLE) return null;
  const found = rows<Item & Written>(db, items, at, within, most);
  const last = found[apply(found) - 1];
  const isEnd = found.length < most && last === found.at(-1);
  return last === undefined || isEnd ? after(sequence) : { at: last.changed, within: last.arrival };
}
