/**
 * The full-text index of saved reports: a thousand take a third of a second to read and fold. It has no watermark: an entry
 * counts only if the report still has its version. Otherwise, a search reads the report.
 */
import { REPORT_KINDS, type Report, type ReportHeader, type ReportKind } from '../../contract/model/report.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import * as documents from '../documents.ts';
import { VERSION } from '../documents.ts';
import { headerOf } from '../reports/reports.ts';
import { perConnection, rows, run, sql, value, values, type Db, type WritableDb } from '../sql.ts';
import type { SearchIndex } from './search-index.ts';
import { foldDocument, versionOf, type DocumentTexts, type IndexedReport } from './document-search.ts';

export const KINDS = REPORT_KINDS.map((kind) => `'${kind}'`).join(', ');

/** Some 20 ms. */
const STEP_REPORTS = 15;

const CHANGED = sql`SELECT document.kind, document.id AS label, ${VERSION} AS version FROM main.document
  LEFT JOIN search.report_entry AS entry ON entry.kind = document.kind AND entry.label = document.id
  WHERE document.kind IN (${KINDS}) AND body IS NOT NULL AND entry.version IS NOT ${VERSION}`;

interface ChangedReport {
  kind: ReportKind;
  label: string;
  version: string;
}

interface EntryRow extends ChangedReport {
  id: number;
  title: string;
  names: string;
  sources: string;
}

const progress = perConnection(() => ({
  doneAt: '',
  /** Reports that can't be read, by version: they are fetched again. */
  unreadable: new Set<string>(),
}));

export function indexReports(db: Db, index: Pick<SearchIndex, 'claim'>): boolean {
  const version = versionOf(db, ['main', 'search']);
  const state = progress(db);
  if (version === state.doneAt) return false;
  const changed = rows<ChangedReport>(db, CHANGED).filter((report) => !state.unreadable.has(nameOf(report)));
  const gone = values<number>(
    db,
    `SELECT entry.id FROM search.report_entry AS entry LEFT JOIN main.document
       ON document.kind = entry.kind AND document.id = entry.label AND document.body IS NOT NULL
     WHERE document.id IS NULL`,
  );
  if (changed.length === 0 && gone.length === 0) {
    state.doneAt = version;
    return false;
  }
  index.claim((tx) => {
    for (const id of gone) removeEntry(tx, id);
    for (const report of changed.slice(0, STEP_REPORTS)) writeEntry(tx, report);
  });
  return true;
}

function writeEntry(db: WritableDb, report: ChangedReport): void {
  const { kind, label, version } = report;
  const known = value<number>(db, 'SELECT id FROM search.report_entry WHERE kind = ? AND label = ?', kind, label);
  if (known !== undefined) removeEntry(db, known);
  const read = reportTexts(db, kind, label);
  if (!read) {
    progress(db).unreadable.add(nameOf(report));
    return;
  }
  const { text, title, names, sources } = foldDocument(read);
  const added = run(
    db,
    'INSERT INTO search.report_entry (kind, label, version, title, names, sources) VALUES (?, ?, ?, ?, ?, ?)',
    ...[kind, label, version, title, JSON.stringify([...names]), JSON.stringify(sources)],
  );
  const id = Number(added.lastInsertRowid);
  run(db, 'INSERT INTO search.report_text (rowid, text) VALUES (CAST(? AS INTEGER), ?)', id, text);
}

function removeEntry(db: WritableDb, id: number): void {
  run(db, 'DELETE FROM search.report_entry WHERE id = ?', id);
  run(db, 'DELETE FROM search.report_text WHERE rowid = ?', id);
}

function nameOf({ kind, label, version }: ChangedReport): string {
  return `${kind} ${label} ${version}`;
}

/** By id, such as `daily/2026-11-20`. */
export function indexedReports(db: Db): Map<string, IndexedReport> {
  if (!hasIndex(db)) return new Map();
  const entries = rows<EntryRow>(db, 'SELECT id, kind, label, version, title, names, sources FROM search.report_entry');
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

export function reportTexts(db: Db, kind: ReportKind, label: string): DocumentTexts | null {
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
