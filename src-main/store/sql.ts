/** Runs statements where they are used: a function takes a connection and SQL, and binds values by position. */
import type { Database, RunResult, Statement } from 'better-sqlite3';

export type Value = string | number | bigint | Buffer | null;

export interface BoundSql {
  sql: string;
  bound: (string | number)[];
}

/** A connection to all files of a data folder; `main` is the mirror. */
export type Db = Pick<Database, 'name' | 'memory'>;

declare const writable: unique symbol;

/** A connection within a transaction. Only {@link transaction} makes one. */
export type WritableDb = Db & { readonly [writable]: true };

/** `pluck()` and `raw()` change a statement for all its users, so each form has its own statements. */
type Form = 'rows' | 'values' | 'arrays';
type Statements = Record<Form, Map<string, Statement>>;

/** Only lists and searches compose SQL at run time; all other texts are fewer than this. */
const MAX_STATEMENTS = 500;

/** Kept at the connection itself: a look-up in a WeakMap costs more, at each call. */
const STATEMENTS = Symbol('statements');
/** Depth of {@link transaction}: Database#inTransaction takes a twentieth of the time of a first load. */
const DEPTH = Symbol('depth');
type Connection = Database & { [STATEMENTS]: Statements | undefined; [DEPTH]: number | undefined };

const composed = new Set<string>();

/** Composes a statement once, when its module loads: composing at each call costs more than running it. */
export function sql(parts: TemplateStringsArray, ...inserted: readonly (string | number)[]): string {
  const text = String.raw({ raw: parts }, ...inserted);
  composed.add(text);
  return text;
}

/** Exported for the test that prepares them. */
export function composedStatements(): readonly string[] {
  return [...composed];
}

/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- SQLite has no types for results: the caller names them. */

export function row<R extends object>(db: Db, text: string, ...values: readonly Value[]): R | undefined {
  return statement(db, 'rows', text).get(...values) as R | undefined;
}

export function rows<R extends object>(db: Db, text: string, ...values: readonly Value[]): R[] {
  return statement(db, 'rows', text).all(...values) as R[];
}

export function value<V extends Value>(db: Db, text: string, ...values: readonly Value[]): V | undefined {
  return statement(db, 'values', text).get(...values) as V | undefined;
}

export function values<V extends Value>(db: Db, text: string, ...bound: readonly Value[]): V[] {
  return statement(db, 'values', text).all(...bound) as V[];
}

export function arrays<R extends readonly Value[]>(db: Db, text: string, ...values: readonly Value[]): R[] {
  return statement(db, 'arrays', text).all(...values) as R[];
}
/* eslint-enable @typescript-eslint/no-unnecessary-type-parameters */

export function run(db: WritableDb, text: string, ...values: readonly Value[]): RunResult {
  assertInTransaction(db);
  return statement(db, 'rows', text).run(...values);
}

export function script(db: WritableDb, text: string): void {
  assertInTransaction(db);
  connectionOf(db).exec(text);
}

/** Saves everything that `work` writes, or nothing if it throws. Within a transaction: undoes only its own part. */
export function transaction<T>(db: Db, work: (db: WritableDb) => T): T {
  const connection = connectionOf(db);
  return connection.transaction(() => {
    const depth = connection[DEPTH] ?? 0;
    connection[DEPTH] = depth + 1;
    try {
      return work(db as WritableDb);
    } finally {
      connection[DEPTH] = depth;
    }
  })();
}

export function perConnection<T>(make: (db: Db) => T): (db: Db) => T {
  const made = new WeakMap<Db, { value: T }>();
  return (db) => {
    const known = made.get(db) ?? { value: make(db) };
    made.set(db, known);
    return known.value;
  };
}

export type Bound<D, M> = {
  [K in keyof M as M[K] extends (db: D, ...values: never) => unknown ? K : never]: M[K] extends (
    db: D,
    ...values: infer A
  ) => infer R
    ? (...values: A) => R
    : never;
};

/** `perform` runs each call, e.g. in an error boundary. */
export function bindAll<D, M extends object>(
  db: D,
  domain: M,
  perform: <T>(work: () => T) => T = (work) => work(),
): Bound<D, M> {
  const bound: Record<string, unknown> = {};
  for (const [name, work] of functionsOf(domain))
    bound[name] = (...values: unknown[]) => perform(() => work(db, ...values));
  return bound as Bound<D, M>;
}

type Named = [name: string, work: (...values: unknown[]) => unknown];

/** Each transaction binds the same modules. */
const functions = new WeakMap<object, readonly Named[]>();

function functionsOf(domain: object): readonly Named[] {
  const known = functions.get(domain);
  if (known) return known;
  const found = Object.entries(domain).filter((entry): entry is Named => typeof entry[1] === 'function');
  functions.set(domain, found);
  return found;
}

function statement(db: Db, form: Form, text: string): Statement {
  const database = connectionOf(db);
  let forms: Statements | undefined = database[STATEMENTS];
  if (!forms) database[STATEMENTS] = forms = { rows: new Map(), values: new Map(), arrays: new Map() };
  const statements = forms[form];
  const known = statements.get(text);
  if (known) return known;
  if (statements.size >= MAX_STATEMENTS) statements.clear();
  const made = database.prepare(text);
  if (form === 'values') made.pluck();
  if (form === 'arrays') made.raw();
  statements.set(text, made);
  return made;
}

function assertInTransaction(db: Db): void {
  if (!connectionOf(db)[DEPTH]) throw new Error('A write outside of a transaction.');
}

function connectionOf(db: Db): Connection {
  return db as Connection;
}

const HALF = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** For `json_each`: half a character becomes U+FFFD, as in a bound text. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\ud') ? text.replace(HALF, '$1\\ufffd') : text;
}
