import { row, run, type Db, type WritableDb } from './sql.ts';

/** A text of the service that is shown unchanged, such as its guide for agents. Times are ms since 1970. */
export interface TextPage {
  text: string;
  etag: string | null;
  /** In ms from `requestedAt`. */
  lifetime: number;
  /** When the service was last asked; the text may be unchanged since `fetchedAt`. */
  requestedAt: number;
  fetchedAt: number;
}

export function get(db: Db, name: string): TextPage | null {
  const found = row<TextPage>(
    db,
    'SELECT text, etag, lifetime, requested_at AS requestedAt, fetched_at AS fetchedAt FROM page WHERE name = ?',
    name,
  );
  return found ?? null;
}

export function put(db: WritableDb, name: string, page: TextPage): void {
  run(
    db,
    'INSERT OR REPLACE INTO page (name, text, etag, lifetime, requested_at, fetched_at) VALUES (?, ?, ?, ?, ?, ?)',
    ...[name, page.text, page.etag, page.lifetime, page.requestedAt, page.fetchedAt],
  );
}
