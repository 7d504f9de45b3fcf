import type { Database } from 'better-sqlite3';
import type { EditionKind } from '../../contract/model/report.ts';

const SQL = 'SELECT max(label) FROM main.edition WHERE kind = ? AND body IS NOT NULL';

/** The label of the newest edition of a kind whose text is stored; null before the first one. */
export function newestEdition(database: Database, kind: EditionKind): string | null {
  return database.prepare<[string], string | null>(SQL).pluck().get(kind) ?? null;
}
