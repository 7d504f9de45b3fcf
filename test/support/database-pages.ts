import Database from 'better-sqlite3';

/** The pages of the tables and indexes whose names begin like this, without their roots, counted from 1. */
export function pagesOf(prefix: string, file: string): number[] {
  const database = new Database(file, { readonly: true });
  const sql = `SELECT pageno FROM dbstat WHERE name LIKE ? || '%' AND path <> '/'`;
  const pages = database.prepare<[string], number>(sql).pluck().all(prefix);
  database.close();
  return pages;
}
