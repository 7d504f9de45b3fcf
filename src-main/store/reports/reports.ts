/** Reports are never deleted; of a withdrawn citation, only that fact is kept. */
import { canonicalAddress } from '../../contract/addresses.ts';
import { type Report, type ReportHeader, type ReportKind, isReportLabel } from '../../contract/model/report.ts';
import { readOrNull } from '../database/stored-json.ts';
import { pendingLog } from '../schedule/pending-log.ts';
import { perConnection, row, rows, run, sql, value, values, type Db, type WritableDb } from '../sql.ts';
import { compareReports, repeats, type FoundCorrection } from './report-changes.ts';

/** Times are ms since 1970, durations are in ms. */
export interface ReportFacts {
  label: string;
  stored: boolean;
  generatedAt: string | null;
  etag: string | null;
  lifetime: number;
  requestedAt: number | null;
  /** When the service last confirmed the report, or had none. */
  checkedAt: number | null;
  goneAt: number | null;
  /** `backoff` is how long to wait after the last one. */
  failures: number;
  backoff: number;
}

export interface IndexFetch {
  at: number;
  lifetime: number;
  /** When the index was last complete. */
  wholeAt: number;
}

interface Freshness {
  etag: string | null;
  lifetime: number;
}

export interface ReportOutcome {
  outcome: 'added' | 'revised' | 'unchanged';
  withdrawn: number;
}

type LastRequest = Pick<ReportFacts, 'requestedAt' | 'checkedAt' | 'lifetime' | 'failures' | 'backoff'>;

interface FactsRow extends Omit<ReportFacts, 'stored'> {
  stored: 0 | 1;
}

interface TextsRow {
  line: string;
  body: string | null;
  gone_at: number | null;
}

interface CorrectionTexts {
  id: number;
  citation: string | null;
  before: string;
  after: string;
}

// Without texts, as it is read for a whole archive.
const FACTS = sql`SELECT report.label, body IS NOT NULL AS stored, generated_at AS generatedAt, etag,
    coalesce(request.lifetime, 0) AS lifetime, requested_at AS requestedAt, checked_at AS checkedAt, gone_at AS goneAt,
    coalesce(failures, 0) AS failures, coalesce(backoff, 0) AS backoff
  FROM report LEFT JOIN report_request AS request ON request.kind = report.kind AND request.label = report.label
  WHERE report.kind = ?`;
const FACTS_OF_ONE = sql`${FACTS} AND report.label = ?`;
const FACTS_OF_ALL = sql`${FACTS} ORDER BY report.label DESC`;

const LABELS_AT_ONCE = 20;
const LISTED = sql`SELECT label FROM report WHERE kind = ? AND label <= ? ORDER BY label DESC LIMIT ${LABELS_AT_ONCE}`;
const SAVED = sql`SELECT label FROM report WHERE kind = ? AND label <= ? AND body IS NOT NULL
  ORDER BY label DESC LIMIT ${LABELS_AT_ONCE}`;

/** Latest requests by kind and label, and fetches of an index, which may not be saved yet. */
const unsaved = perConnection(() => ({
  requests: new Map<string, LastRequest>(),
  indexFetches: new Map<ReportKind, IndexFetch>(),
}));

export function lastIndexFetch(db: Db, kind: ReportKind): IndexFetch | null {
  const noted = unsaved(db).indexFetches.get(kind);
  if (noted) return noted;
  return row<IndexFetch>(db, 'SELECT at, lifetime, whole_at AS wholeAt FROM index_fetch WHERE kind = ?', kind) ?? null;
}

/** Saved with the next recorded run; until then in memory. */
export function saveIndexFetch(db: WritableDb, kind: ReportKind, fetch: IndexFetch): void {
  const { at, lifetime, wholeAt } = fetch;
  unsaved(db).indexFetches.set(kind, fetch);
  pendingLog(db).put(`index ${kind}`, (tx) => {
    run(
      tx,
      'INSERT OR REPLACE INTO index_fetch (kind, at, lifetime, whole_at) VALUES (?, ?, ?, ?)',
      ...[kind, at, lifetime, wholeAt],
    );
  });
}

export function isListed(db: Db, kind: ReportKind, label: string): boolean {
  return value<number>(db, 'SELECT 1 FROM report WHERE kind = ? AND label = ?', kind, label) === 1;
}

export function facts(db: Db, kind: ReportKind, label: string): ReportFacts | null {
  const found = row<FactsRow>(db, FACTS_OF_ONE, kind, label);
  return found ? toFacts(db, kind, found) : null;
}

/** Returns the newest first, without what an earlier version saved under a label that is no date. */
export function allFacts(db: Db, kind: ReportKind): ReportFacts[] {
  const found = rows<FactsRow>(db, FACTS_OF_ALL, kind).filter(({ label }) => isReportLabel(kind, label));
  return found.map((one) => toFacts(db, kind, one));
}

/** Returns the newest report, saved or not, that is not later than `until`. */
export function newestListed(db: Db, kind: ReportKind, until: string): string | null {
  return newestInCalendar(kind, until, (from) => values<string>(db, LISTED, kind, from));
}

export function newest(db: Db, kind: ReportKind, until: string): string | null {
  return newestInCalendar(kind, until, (from) => values<string>(db, SAVED, kind, from));
}

function newestInCalendar(kind: ReportKind, until: string, read: (from: string) => string[]): string | null {
  for (let from = until; ;) {
    const labels = read(from);
    const found = labels.find((label) => isReportLabel(kind, label));
    if (found !== undefined) return found;
    if (labels.length < LABELS_AT_ONCE) return null;
    from = labels.at(-1) ?? '';
  }
}

export function list(db: WritableDb, lines: readonly ReportHeader[]): string[] {
  return lines.filter((line) => saveLine(db, line)).map(({ label }) => label);
}

export function savedStories(db: Db, kind: ReportKind, label: string): number {
  const body = textsOf(db, kind, label)?.body ?? null;
  const report = body === null ? null : readOrNull(db, () => JSON.parse(body) as Report);
  if (report === null) return 0;
  return report.sections.reduce((sum, { items }) => sum + items.length, report.flashes.length);
}

/** Saves differences from the saved report as corrections. */
export function store(db: WritableDb, report: Report, { etag, lifetime }: Freshness, now: number): ReportOutcome {
  const { kind, label } = report;
  const known = textsOf(db, kind, label);
  const stored = known?.body ?? null;
  const body = JSON.stringify(report);
  const before = stored === null || stored === body ? null : readOrNull(db, () => JSON.parse(stored) as Report);
  const line = known && readOrNull(db, () => lineOf(known));
  const listed = line && (before ? withoutRemoved(line, before, report) : line);
  saveLine(db, headOf(report, listed ?? null));
  confirm(db, kind, label, { etag, lifetime }, now);
  if (stored === body) return { outcome: known?.gone_at === null ? 'unchanged' : 'revised', withdrawn: 0 };
  run(db, 'UPDATE report SET body = ?, fetched_at = ? WHERE kind = ? AND label = ?', body, now, kind, label);
  if (before === null) return { outcome: 'added', withdrawn: 0 };
  return { outcome: 'revised', withdrawn: recordChanges(db, before, report, now) };
}

/** Records a 304 without a write: the time is saved with the next recorded run. */
export function confirm(
  db: WritableDb,
  kind: ReportKind,
  label: string,
  { etag, lifetime }: Freshness,
  now: number,
): void {
  const request: LastRequest = { requestedAt: now, checkedAt: now, lifetime, failures: 0, backoff: 0 };
  unsaved(db).requests.set(nameOf(kind, label), request);
  pendingLog(db).put(nameOf(kind, label), (tx) => {
    saveRequest(tx, kind, label, request);
  });
  run(
    db,
    `UPDATE report SET etag = ?, gone_at = NULL
     WHERE kind = ? AND label = ? AND (etag IS NOT ? OR gone_at IS NOT NULL)`,
    ...[etag, kind, label, etag],
  );
}

export function recordFailure(db: WritableDb, kind: ReportKind, label: string, backoff: number, now: number): void {
  const { lifetime = 0, checkedAt = null, failures = 0 } = facts(db, kind, label) ?? {};
  saveNow(db, kind, label, { requestedAt: now, checkedAt, lifetime, failures: failures + 1, backoff });
}

/** Returns false if it was known to be gone. */
export function markGone(db: WritableDb, kind: ReportKind, label: string, now: number): boolean {
  const lifetime = facts(db, kind, label)?.lifetime ?? 0;
  saveNow(db, kind, label, { requestedAt: now, checkedAt: now, lifetime, failures: 0, backoff: 0 });
  const { changes } = run(
    db,
    'UPDATE report SET etag = NULL, gone_at = ? WHERE kind = ? AND label = ? AND gone_at IS NULL',
    ...[now, kind, label],
  );
  return changes === 1;
}

export function lineOf({ line }: { line: string }): ReportHeader {
  return JSON.parse(line) as ReportHeader;
}

/** Fixes the order of fields, so that equal headers are equal texts. */
export function lineText(header: ReportHeader): string {
  const { kind, label, generatedAt, periodStart, periodEnd, headline, overview } = header;
  const { links, attribution, extra } = header;
  const dates = { kind, label, generatedAt, periodStart, periodEnd };
  return JSON.stringify({ ...dates, headline, overview, links, attribution, extra } satisfies ReportHeader);
}

export function headOf(report: Report, listed: ReportHeader | null): ReportHeader {
  const daily = report.kind === 'daily';
  const lead = report.headline === null && report.overview === null && listed ? listed : report;
  return {
    ...report,
    generatedAt: report.generatedAt ?? listed?.generatedAt ?? null,
    periodStart: report.periodStart ?? listed?.periodStart ?? null,
    periodEnd: report.periodEnd ?? listed?.periodEnd ?? null,
    headline: lead.headline,
    overview: daily ? lead.overview : null,
    attribution: report.attribution ?? listed?.attribution ?? null,
    extra: listed?.extra ?? {},
  };
}

function textsOf(db: Db, kind: ReportKind, label: string): TextsRow | undefined {
  return row<TextsRow>(db, 'SELECT line, body, gone_at FROM report WHERE kind = ? AND label = ?', kind, label);
}

function toFacts(db: Db, kind: ReportKind, { stored, ...found }: FactsRow): ReportFacts {
  return { ...found, stored: stored === 1, ...unsaved(db).requests.get(nameOf(kind, found.label)) };
}

function saveNow(db: WritableDb, kind: ReportKind, label: string, request: LastRequest): void {
  unsaved(db).requests.set(nameOf(kind, label), request);
  pendingLog(db).drop(nameOf(kind, label));
  saveRequest(db, kind, label, request);
}

function saveRequest(db: WritableDb, kind: ReportKind, label: string, request: LastRequest): void {
  const { requestedAt, checkedAt, lifetime, failures, backoff } = request;
  run(
    db,
    `INSERT OR REPLACE INTO report_request (kind, label, requested_at, checked_at, lifetime, failures, backoff)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...[kind, label, requestedAt, checkedAt, lifetime, failures, backoff],
  );
}

function saveLine(db: WritableDb, line: ReportHeader): boolean {
  const { kind, label, generatedAt } = line;
  const text = lineText(line);
  const added = run(
    db,
    'INSERT INTO report (kind, label, generated_at, line) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ...[kind, label, generatedAt, text],
  );
  if (added.changes === 1) return true;
  const changed = run(
    db,
    'UPDATE report SET line = ?, generated_at = ? WHERE kind = ? AND label = ? AND line <> ?',
    ...[text, generatedAt, kind, label, text],
  );
  return changed.changes === 1;
}

function recordChanges(db: WritableDb, before: Report, after: Report, now: number): number {
  const { kind, label } = after;
  const { corrections, withdrawn } = compareReports(before, after);
  if (withdrawn.length > 0) forgetTexts(db, after, withdrawn);
  for (const correction of corrections) addCorrection(db, kind, label, correction, now);
  return withdrawn.length;
}

function forgetTexts(db: WritableDb, { kind, label }: Report, withdrawn: readonly Withdrawn[]): void {
  const addresses = new Set(withdrawn.map(({ links }) => canonicalAddress(links.original)));
  const texts = rows<CorrectionTexts>(
    db,
    `SELECT id, citation, before, after FROM correction
     WHERE kind = ? AND label = ? AND before IS NOT NULL AND after IS NOT NULL`,
    ...[kind, label],
  );
  for (const { id, citation, before, after } of texts) {
    const repeated = withdrawn.some((gone) => repeats(before, gone) || repeats(after, gone));
    if (!repeated && (citation === null || !addresses.has(citation))) continue;
    run(db, 'UPDATE correction SET field = NULL, before = NULL, after = NULL, citation = NULL WHERE id = ?', id);
  }
}

type Withdrawn = ReturnType<typeof compareReports>['withdrawn'][number];

function addCorrection(
  db: WritableDb,
  kind: ReportKind,
  label: string,
  { kind: change, section, citation, text }: FoundCorrection,
  now: number,
): void {
  const { field = null, before = null, after = null } = text ?? {};
  run(
    db,
    `INSERT INTO correction (kind, label, at, change, section, citation, field, before, after)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[kind, label, now, change, section, citation, field, before, after],
  );
}

/** Drops removed texts from a saved header. If the index still has them, it brings them back. */
function withoutRemoved(line: ReportHeader, before: Report, after: Report): ReportHeader {
  const { withdrawn } = compareReports(before, after);
  const keep = (field: 'headline' | 'overview'): string | null => {
    const text = line[field];
    const isRemoved = text === before[field] || (text !== null && withdrawn.some((gone) => repeats(text, gone)));
    return isRemoved ? null : text;
  };
  return { ...line, headline: keep('headline'), overview: keep('overview') };
}

function nameOf(kind: ReportKind, label: string): string {
  return `report ${kind} ${label}`;
}
