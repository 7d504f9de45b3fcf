import { canonicalAddress } from '../../contract/addresses.ts';
import { asTime } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  type Citation,
  type CitationWithStatus,
  type Correction,
  type Report,
  type ReportKind,
  type ReportLine,
  type StoredReport,
  isReportLabel,
} from '../../contract/model/report.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import { addressReadAt, itemsAt } from '../items/addresses.ts';
import { row, rows, sql, value, type Db } from '../sql.ts';
import { joinRecord } from '../records.ts';
import { facts, lineOf } from './reports.ts';

interface LineRow {
  label: string;
  line: string;
  stored: number;
  gone_at: number | null;
  read_at: number | null;
}

interface CorrectionRow {
  at: number;
  change: Correction['kind'];
  section: string | null;
  field: string | null;
  before: string | null;
  after: string | null;
}

interface StoredRow {
  line: string;
  body: string | null;
  fetched_at: number | null;
  gone_at: number | null;
  read_at: number | null;
}

const READ_STATUS = joinRecord('report', "report.kind || '/' || report.label", 'read');
const LINES = sql`SELECT report.label, line, body IS NOT NULL AS stored, gone_at, read.value AS read_at FROM report ${READ_STATUS}
  WHERE report.kind = ? ORDER BY report.label DESC`;
const ONE = sql`SELECT line, body, fetched_at, gone_at, read.value AS read_at FROM report ${READ_STATUS}
  WHERE report.kind = ? AND report.label = ?`;
const OPENABLE = '(body IS NOT NULL OR gone_at IS NULL)';
const PREVIOUS = sql`SELECT max(label) FROM report WHERE kind = ? AND label < ? AND ${OPENABLE}`;
const NEXT = sql`SELECT min(label) FROM report WHERE kind = ? AND label > ? AND ${OPENABLE}`;

/** Returns the newest first. A label that is no date can't be opened; the client accepts none. */
export function index(db: Db, kind: ReportKind): ReportLine[] {
  const counts = rows<{ label: string; count: number }>(
    db,
    'SELECT label, count(*) AS count FROM correction WHERE kind = ? GROUP BY label',
    kind,
  );
  const corrections = new Map(counts.map(({ label, count }) => [label, count]));
  const lines = rows<LineRow>(db, LINES, kind).filter(({ label }) => isReportLabel(kind, label));
  return readable(db, lines, (line) => ({
    ...lineOf(line),
    stored: line.stored === 1,
    goneAt: asTime(line.gone_at),
    readAt: asTime(line.read_at),
    corrections: corrections.get(line.label) ?? 0,
  }));
}

/** Errors: `not_found`, with a separate message for a listed report that is not downloaded yet. */
export function get(db: Db, kind: ReportKind, label: string): StoredReport {
  const found = row<StoredRow>(db, ONE, kind, label);
  if (!found) throw notListed();
  const { body, fetched_at: fetchedAt } = found;
  if (body === null || fetchedAt === null) throw found.gone_at === null ? notFetched() : goneUnfetched();
  const stored = readOrNull(db, () => ({
    ...textsOf(db, body, found),
    ...timesOf(db, kind, label, { ...found, fetched_at: fetchedAt }),
    ...aroundOf(db, kind, label),
  }));
  if (!stored) throw notFetched();
  return stored;
}

function textsOf(db: Db, body: string, found: StoredRow) {
  const { sections, flashes, ...report } = JSON.parse(body) as Report;
  // The report itself has the texts that count.
  const line = readOrNull(db, () => lineOf(found));
  const { headline, overview, attribution } = line ?? { headline: null, overview: null, attribution: null };
  const show = (citation: Citation): CitationWithStatus => withStatus(db, citation);
  return {
    ...report,
    sections: sections.map((section) => ({ ...section, items: section.items.map(show) })),
    flashes: flashes.map(show),
    listed: { headline, overview, attribution },
  };
}

function timesOf(db: Db, kind: ReportKind, label: string, found: StoredRow & { fetched_at: number }) {
  const checked = facts(db, kind, label);
  const checkedAt = checked?.checkedAt ?? found.fetched_at;
  return {
    fetchedAt: asTime(found.fetched_at) ?? '',
    checkedAt: asTime(checkedAt) ?? '',
    freshUntil: asTime(checkedAt + (checked?.lifetime ?? 0)) ?? '',
    goneAt: asTime(found.gone_at),
    readAt: asTime(found.read_at),
  };
}

function aroundOf(db: Db, kind: ReportKind, label: string) {
  const corrections = rows<CorrectionRow>(
    db,
    'SELECT at, change, section, field, before, after FROM correction WHERE kind = ? AND label = ? ORDER BY id DESC',
    ...[kind, label],
  );
  return {
    corrections: corrections.map(toCorrection),
    previous: value<string | null>(db, PREVIOUS, kind, label) ?? null,
    next: value<string | null>(db, NEXT, kind, label) ?? null,
  };
}

function withStatus(db: Db, citation: Citation): CitationWithStatus {
  const key = canonicalAddress(citation.links.original);
  if (key === null) return { ...citation, itemId: null, readAt: null, key };
  const items = itemsAt(db, key);
  const readAt = addressReadAt(db, key) ?? items.find(({ read_at }) => read_at !== null)?.read_at ?? null;
  return { ...citation, itemId: items.at(-1)?.id ?? null, readAt: asTime(readAt), key };
}

function toCorrection({ at, change, section, field, before, after }: CorrectionRow): Correction {
  const text = field !== null && before !== null && after !== null ? { field, before, after } : null;
  return { at: asTime(at) ?? '', kind: change, section, text };
}

function notListed(): BroadsheetError {
  return new BroadsheetError('not_found', 'The news source has not listed this report. Check the list of reports.');
}

function notFetched(): BroadsheetError {
  return new BroadsheetError('not_found', 'This report is not downloaded yet. Sync first.', { retryable: true });
}

function goneUnfetched(): BroadsheetError {
  return new BroadsheetError('not_found', 'The news source no longer has this report, and it was not saved before.');
}
