import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';

/** The pages of the tables and indexes whose names begin like this, without their roots, counted from 1. */
export function pagesOf(prefix: string, file: string): number[] {
  const database = new Database(file, { readonly: true });
  const sql = `SELECT pageno FROM dbstat WHERE name LIKE ? || '%' AND path <> '/'`;
  const pages = database.prepare<[string], number>(sql).pluck().all(prefix);
  database.close();
  return pages;
}

/** Makes a table unreadable, although the schema names it. */
export function damageRoot(file: string, table: string): void {
  const database = new Database(file, { readonly: true });
  const sql = 'SELECT rootpage FROM sqlite_schema WHERE name = ?';
  const page = database.prepare<[string], number>(sql).pluck().get(table) ?? 1;
  const size = database.pragma('page_size', { simple: true }) as number;
  database.close();
  writeFileSync(file, readFileSync(file).fill(0xff, (page - 1) * size, page * size));
}

export const PAGE_KINDS = [
  'the first page',
  'a page of the schema',
  'an inner page of a table',
  'a leaf of a table',
  'an inner page of an index',
  'a leaf of an index',
  'an overflow page',
  'an unused page',
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

const INNER_INDEX = 2;
const INNER_TABLE = 5;
const LEAF_INDEX = 10;

/** The pages of a database by kind, counted from 1. */
export function pagesByKind(file: string, pageSize: number): Map<PageKind, number[]> {
  const database = new Database(file, { readonly: true });
  const used = new Map(
    database
      .prepare<[], { pageno: number; name: string; pagetype: string }>('SELECT pageno, name, pagetype FROM dbstat')
      .all()
      .map((page) => [page.pageno, page]),
  );
  const count = database.pragma('page_count', { simple: true }) as number;
  database.close();
  const bytes = readFileSync(file);
  const kindOf = (number: number): PageKind => {
    const page = used.get(number);
    if (number === 1) return 'the first page';
    if (page === undefined) return 'an unused page';
    if (page.name === 'sqlite_schema') return 'a page of the schema';
    if (page.pagetype === 'overflow') return 'an overflow page';
    const type = bytes[(number - 1) * pageSize];
    if (type === INNER_INDEX) return 'an inner page of an index';
    if (type === INNER_TABLE) return 'an inner page of a table';
    return type === LEAF_INDEX ? 'a leaf of an index' : 'a leaf of a table';
  };
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return Map.groupBy(numbers, kindOf);
}
