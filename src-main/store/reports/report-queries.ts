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
import * as documents from '../documents.ts';
import type { StoredDocument } from '../documents.ts';
import { rows, sql, value, type Db } from '../sql.ts';
import * as records from '../records.ts';
import { facts, headerOf } from './reports.ts';

interface CorrectionRow {
  at: number;
  change: Correction['kind'];
  section: string | null;
  field: string | null;
  before: string | null;
  after: string | null;
}

const OPENABLE = '(body IS NOT NULL OR gone_at IS NULL)';
const PREVIOUS = sql`SELECT max(id) FROM document WHERE kind = ? AND id < ? AND ${OPENABLE}`;
const NEXT = sql`SELECT min(id) FROM document WHERE kind = ? AND id > ? AND ${OPENABLE}`;

/** Returns the newest first. A label that is no date can't be opened; the client accepts none. */
export function index(db: Db, kind: ReportKind): ReportLine[] {
  const counts = rows<{ label: string; count: number }>(
    db,
    'SELECT label, count(*) AS count FROM correction WHERE kind = ? GROUP BY label',
    kind,
  );
  const corrections = new Map(counts.map(({ label, count }) => [label, count]));
  const readAt = new Map(records.list(db, 'report'));
  const lines = documents.lines(db, kind).filter(({ id }) => isReportLabel(kind, id));
  const found = readable(db, lines, (line) => {
    const header = headerOf(line);
    return (
      header && {
        ...header,
        stored: line.stored === 1,
        goneAt: asTime(line.goneAt),
        readAt: asTime(readAt.get(`${kind}/${line.id}`) ?? null),
        corrections: corrections.get(line.id) ?? 0,
      }
    );
  });
  return found.filter((line) => line !== null);
}

/** Errors: `not_found`, with a separate message for a listed report that is not downloaded yet. */
export function get(db: Db, kind: ReportKind, label: string): StoredReport {
  const found = documents.find(db, kind, label);
  if (!found) throw notListed();
  const { body, fetchedAt } = found;
  if (body === null || fetchedAt === null) throw found.goneAt === null ? notFetched() : goneUnfetched();
  const stored = readOrNull(db, () => ({
    ...textsOf(db, body, found),
    ...timesOf(db, kind, label, { fetchedAt, goneAt: found.goneAt }),
    ...aroundOf(db, kind, label),
  }));
  if (!stored) throw notFetched();
  return stored;
}

function textsOf(db: Db, body: string, found: StoredDocument) {
  const { sections, flashes, ...report } = JSON.parse(body) as Report;
  // The report itself has the texts that count.
  const line = readOrNull(db, () => headerOf(found));
  const { headline, overview, attribution } = line ?? { headline: null, overview: null, attribution: null };
  const show = (citation: Citation): CitationWithStatus => withStatus(db, citation);
  return {
    ...report,
    sections: sections.map((section) => ({ ...section, items: section.items.map(show) })),
    flashes: flashes.map(show),
    listed: { headline, overview, attribution },
  };
}

function timesOf(
  db: Db,
  kind: ReportKind,
  label: string,
  { fetchedAt, goneAt }: { fetchedAt: number; goneAt: number | null },
) {
  const checked = facts(db, kind, label);
  const checkedAt = checked?.checkedAt ?? fetchedAt;
  return {
    fetchedAt: asTime(fetchedAt) ?? '',
    checkedAt: asTime(checkedAt) ?? '',
    freshUntil: asTime(checkedAt + (checked?.lifetime ?? 0)) ?? '',
    goneAt: asTime(goneAt),
    readAt: asTime(records.get(db, 'report', `${kind}/${label}`)),
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
