import { row, run, type Db, type WritableDb } from './sql.ts';

/** A text of the service that is shown unchanged, such as its guide for agents. Times are ms since 1970. */
export interface TextPage {
  text: string;
  fetchedAt: number;
}

export function get(db: Db, name: string): TextPage | null {
  return row<TextPage>(db, 'SELECT text, fetched_at AS fetchedAt FROM page WHERE name = ?', name) ?? null;
}

export function put(db: WritableDb, name: string, { text, fetchedAt }: TextPage): void {
  run(db, 'INSERT OR REPLACE INTO page (name, text, fetched_at) VALUES (?, ?, ?)', name, text, fetchedAt);
}
