/**
 * The full-text index of saved reports: a thousand take a third of a second to read and fold. An entry counts only if the
 * report hasn't changed since. Otherwise, a search reads the report.
 */
import { REPORT_KINDS, type Report, type ReportHeader, type ReportKind } from '../../contract/model/report.ts';
import { mirrorProperties } from '../database/properties.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import * as documents from '../documents.ts';
import { VERSION } from '../documents.ts';
import { headerOf } from '../reports/reports.ts';
import { followItems, type Derived, type Writing } from '../derived/derived.ts';
import { rows, run, sql, value, values, type Db, type WritableDb } from '../sql.ts';
import { foldDocument, type DocumentTexts, type IndexedReport } from './document-search.ts';

export const KINDS = REPORT_KINDS.map((kind) => `'${kind}'`).join(', ');

/** Some 20 ms. */
const STEP_REPORTS = 15;

const CHANGED = sql`SELECT changed, rowid AS arrival, kind, id AS label FROM main.document
  WHERE kind IN (${KINDS}) AND (changed, rowid) > (?, ?) ORDER BY changed, rowid LIMIT ?`;
const ENTRIES = sql`SELECT entry.id, entry.kind, label, ${VERSION} AS version, title, names, sources
  FROM search.report_entry AS entry CROSS JOIN main.document
    ON document.kind = entry.kind AND document.id = label AND document.changed = entry.changed`;

interface ChangedReport {
  kind: ReportKind;
  label: string;
  changed: number;
}

interface EntryRow {
  id: number;
  kind: ReportKind;
  label: string;
  version: string;
  title: string;
  names: string;
  sources: string;
}

export const reportTexts: Derived<Writing> = {
  schema: 'search',
  version: (db) => mirrorProperties.get(db, 'build') ?? '',
  last: lastChange,
  restart: ({ db }) => {
    run(db, 'DELETE FROM search.report_entry');
    run(db, "INSERT INTO search.report_text (report_text) VALUES ('delete-all')");
  },
  step: ({ db }, place) =>
    followItems<ChangedReport>(db, place, { items: CHANGED, most: STEP_REPORTS, last: lastChange(db) }, (reports) => {
      for (const report of reports) writeEntry(db, report);
      return reports.length;
    }),
};

function lastChange(db: Db): number {
  return value<number>(db, 'SELECT coalesce(max(changed), 0) FROM main.document') ?? 0;
}

function writeEntry(db: WritableDb, { kind, label, changed }: ChangedReport): void {
  const known = value<number>(db, 'SELECT id FROM search.report_entry WHERE kind = ? AND label = ?', kind, label);
  if (known !== undefined) {
    run(db, 'DELETE FROM search.report_entry WHERE id = ?', known);
    run(db, 'DELETE FROM search.report_text WHERE rowid = ?', known);
  }
  const read = readTexts(db, kind, label);
  if (!read) return;
  const { text, title, names, sources } = foldDocument(read);
  const added = run(
    db,
    'INSERT INTO search.report_entry (kind, label, changed, title, names, sources) VALUES (?, ?, ?, ?, ?, ?)',
    ...[kind, label, changed, title, JSON.stringify([...names]), JSON.stringify(sources)],
  );
  const id = Number(added.lastInsertRowid);
  run(db, 'INSERT INTO search.report_text (rowid, text) VALUES (CAST(? AS INTEGER), ?)', id, text);
}

export function indexedReports(db: Db): Map<string, IndexedReport> {
  if (!hasIndex(db)) return new Map();
  const entries = rows<EntryRow>(db, ENTRIES);
  return new Map(
    readable(db, entries, ({ id, kind, label, version, title, names, sources }) => [
      `${kind}/${label}`,
      {
        row: id,
        version,
        title,
        names: new Set(JSON.parse(names) as string[]),
        sources: JSON.parse(sources) as string[],
      },
    ]),
  );
}

export function rowsMatching(db: Db, match: string): Set<number> {
  if (!hasIndex(db)) return new Set();
  return new Set(values<number>(db, 'SELECT rowid FROM search.report_text WHERE report_text MATCH ?', match));
}

/** Returns false for a new file, which gets its tables after it was attached. */
function hasIndex(db: Db): boolean {
  return value<number>(db, "SELECT count(*) FROM search.sqlite_schema WHERE name = 'report_entry'") === 1;
}

export function readTexts(db: Db, kind: ReportKind, label: string): DocumentTexts | null {
  const saved = documents.find(db, kind, label);
  const body = saved?.body ?? null;
  if (!saved || body === null) return null;
  return readOrNull(db, () => {
    const listed = readOrNull(db, () => headerOf(saved));
    return textsOf(label, JSON.parse(body) as Report, listed);
  });
}

function textsOf(label: string, report: Report, listed: ReportHeader | null): DocumentTexts {
  const citations = [...report.sections.flatMap(({ items }) => items), ...report.flashes];
  return {
    title: report.headline ?? listed?.headline ?? label,
    texts: [
      { field: 'overview', text: report.overview ?? listed?.overview ?? null },
      ...report.sections.map(({ summary }) => ({ field: 'overview' as const, text: summary })),
      ...citations.flatMap(({ title, summary }) => [
        { field: 'citation' as const, text: title },
        { field: 'citation' as const, text: summary },
      ]),
      { field: 'id', text: label },
    ],
    names: [report.headline ?? label, label],
    sources: citations.map(({ source }) => source.name),
  };
}
