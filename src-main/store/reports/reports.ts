/** Reports are never deleted; of a withdrawn citation, only that fact is kept. */
import { canonicalAddress } from '../../contract/addresses.ts';
import {
  type Citation,
  type Report,
  type ReportHeader,
  type ReportKind,
  isReportLabel,
  REPORT_RESOURCE,
} from '../../contract/model/report.ts';
import { readOrNull } from '../database/stored-json.ts';
import * as fetches from '../schedule/fetches.ts';
import * as documents from '../documents.ts';
import type { DocumentLine } from '../documents.ts';
import { rows, run, sql, values, type Db, type WritableDb } from '../sql.ts';
import { compareReports, repeats, type FoundCorrection } from './report-changes.ts';

/** Times are ms since 1970, durations are in ms. */
export interface ReportFacts {
  label: string;
  stored: boolean;
  generatedAt: string | null;
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

export interface ReportOutcome {
  outcome: 'added' | 'revised' | 'unchanged';
  withdrawn: number;
}

interface CorrectionTexts {
  id: number;
  citation: string | null;
  before: string;
  after: string;
}

const LISTED = sql`SELECT id FROM document WHERE kind = ? AND id <= ? ORDER BY id DESC`;
const SAVED = sql`SELECT id FROM document WHERE kind = ? AND id <= ? AND body IS NOT NULL ORDER BY id DESC`;

/** By how many of its newest reports an index was requested. */
export type IndexName = 'whole' | 'short' | 'newest';

/** `index` has the times of the last request for any part of it. */
export function indexFetch(kind: ReportKind, name: IndexName | 'index' | 'latest'): string {
  return `${REPORT_RESOURCE[kind]} ${name}`;
}

export function lastIndexFetch(db: Db, kind: ReportKind): IndexFetch | null {
  const last = fetches.state(db, indexFetch(kind, 'index'));
  const whole = fetches.state(db, indexFetch(kind, 'whole'));
  return last && whole && { at: last.requestedAt, lifetime: last.lifetime, wholeAt: whole.requestedAt };
}

export function facts(db: Db, kind: ReportKind, label: string): ReportFacts | null {
  const found = documents.line(db, kind, label);
  return found ? toFacts(db, kind, found) : null;
}

/** Returns the newest first, without what an earlier version saved under a label that is no date. */
export function allFacts(db: Db, kind: ReportKind): ReportFacts[] {
  const found = documents.lines(db, kind).filter(({ id }) => isReportLabel(kind, id));
  return found.map((one) => toFacts(db, kind, one));
}

/** Returns the newest report, saved or not, that is not later than `until`. */
export function newestListed(db: Db, kind: ReportKind, until: string): string | null {
  return values<string>(db, LISTED, kind, until).find((label) => isReportLabel(kind, label)) ?? null;
}

export function newest(db: Db, kind: ReportKind, until: string): string | null {
  return values<string>(db, SAVED, kind, until).find((label) => isReportLabel(kind, label)) ?? null;
}

export function list(db: WritableDb, lines: readonly ReportHeader[]): string[] {
  return lines.filter((line) => documents.putHead(db, line.kind, line.label, headText(line))).map(({ label }) => label);
}

export function savedStories(db: Db, kind: ReportKind, label: string): number {
  const body = documents.find(db, kind, label)?.body ?? null;
  const report = body === null ? null : readOrNull(db, () => JSON.parse(body) as Report);
  if (report === null) return 0;
  return report.sections.reduce((sum, { items }) => sum + items.length, report.flashes.length);
}

/** Saves differences from the saved report as corrections. */
export function store(db: WritableDb, report: Report, now: number): ReportOutcome {
  const { kind, label } = report;
  const known = documents.find(db, kind, label);
  const stored = known?.body ?? null;
  const body = JSON.stringify(report);
  const before = stored === null || stored === body ? null : readOrNull(db, () => JSON.parse(stored) as Report);
  const changes = before && compareReports(before, report);
  const line = known && readOrNull(db, () => headerOf(known));
  const listed = line && before && changes ? withoutRemoved(line, before, changes.withdrawn) : line;
  const head = headText(headOf(report, listed ?? null));
  if (stored === body) {
    documents.putHead(db, kind, label, head);
    return { outcome: documents.setGone(db, kind, label, null) ? 'revised' : 'unchanged', withdrawn: 0 };
  }
  documents.put(db, kind, label, { head, body, fetchedAt: now });
  if (!changes) return { outcome: 'added', withdrawn: 0 };
  if (changes.withdrawn.length > 0) forgetTexts(db, report, changes.withdrawn);
  for (const correction of changes.corrections) addCorrection(db, kind, label, correction, now);
  return { outcome: 'revised', withdrawn: changes.withdrawn.length };
}

/** Null for one that the service only named. */
export function headerOf({ head }: { head: string | null }): ReportHeader | null {
  return head === null ? null : (JSON.parse(head) as ReportHeader);
}

/** Fixes the order of fields, so that equal headers are equal texts. */
export function headText(header: ReportHeader): string {
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

function toFacts(db: Db, kind: ReportKind, document: DocumentLine): ReportFacts {
  const { id: label, stored, goneAt } = document;
  const generatedAt = readOrNull(db, () => headerOf(document))?.generatedAt ?? null;
  const fetch = fetches.state(db, `${kind}/${label}`);
  const { requestedAt = null, answeredAt: checkedAt = null, lifetime = 0, failures = 0 } = fetch ?? {};
  const backoff = fetch && failures > 0 ? fetch.dueAt - fetch.requestedAt : 0;
  return { label, stored: stored === 1, generatedAt, goneAt, requestedAt, checkedAt, lifetime, failures, backoff };
}

function forgetTexts(db: WritableDb, { kind, label }: Report, withdrawn: readonly Citation[]): void {
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
function withoutRemoved(line: ReportHeader, before: Report, withdrawn: readonly Citation[]): ReportHeader {
  const keep = (field: 'headline' | 'overview'): string | null => {
    const text = line[field];
    const isRemoved = text === before[field] || (text !== null && withdrawn.some((gone) => repeats(text, gone)));
    return isRemoved ? null : text;
  };
  return { ...line, headline: keep('headline'), overview: keep('overview') };
}
