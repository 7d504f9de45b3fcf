import type { Database } from 'better-sqlite3';
import type { ReportKind } from '../../contract/model/report.ts';

const SQL = 'SELECT max(label) FROM main.report WHERE kind = ? AND body IS NOT NULL';

/** The label of the newest report of a kind whose text is stored; null before the first one. */
export function newestReport(database: Database, kind: ReportKind): string | null {
  return database.prepare<[string], string | null>(SQL).pluck().get(kind) ?? null;
}
