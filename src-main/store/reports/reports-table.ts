import type { Database } from 'better-sqlite3';
import { canonicalAddress } from '../../common/canonical-address.ts';
import type { Report, ReportHeader, ReportKind } from '../../contract/model/report.ts';
import { isReportLabel } from '../../contract/report-labels.ts';
import { logSchema } from '../database/corruption.ts';
import { readOrNull } from '../database/stored-json.ts';
import type { PendingLog } from '../schedule/pending-log.ts';
import { compareReports, repeats, type FoundCorrection } from './report-changes.ts';
import {
  headOf,
  lineOf,
  FACTS_COLUMNS,
  lineText,
  newestLabel,
  toFacts,
  type FactsRow,
  type ReportFacts,
  type Freshness,
  type IndexFetch,
} from './report-rows.ts';

/** The result of saving a report. */
export interface ReportOutcome {
  outcome: 'added' | 'revised' | 'unchanged';
  /** The number of citations removed from it. */
  withdrawn: number;
}

const rowSql = (
  log: string,
): string => `SELECT ${FACTS_COLUMNS}, requested_at, checked_at, coalesce(request.lifetime, 0) AS lifetime,
    coalesce(failures, 0) AS failures, coalesce(backoff, 0) AS backoff
  FROM report LEFT JOIN ${log}.report_request AS request ON request.kind = report.kind AND request.label = report.label
  WHERE report.kind = ?`;

/** When a report was last requested, with what result. Times and durations are in ms. */
type LastRequest = Pick<FactsRow, 'checked_at' | 'lifetime' | 'failures' | 'backoff'> & { requested_at: number };

interface CorrectionTexts {
  id: number;
  citation: string | null;
  before: string;
  after: string;
}

/**
 * The tables `report` and `correction`: the listed reports, their saved texts, and what the service changed in them
 * later. Write within a transaction. Reports are never deleted; of a withdrawn citation, only the fact of its
 * withdrawal is kept.
 */
export class ReportsTable {
  readonly #database: Database;
  readonly #get;
  readonly #all;
  readonly #getTexts;
  readonly #labelsUpTo;
  readonly #list;
  readonly #setLine;
  readonly #setBody;
  readonly #setRequested;
  readonly #setEtag;
  readonly #gone;
  readonly #correct;
  readonly #texts;
  readonly #forget;
  readonly #indexFetch;
  readonly #setIndexFetch;
  readonly #pending: PendingLog;
  /** The latest requests by kind and label, and fetches of an index by kind: they may not be saved yet. */
  readonly #requests = new Map<string, LastRequest>();
  readonly #indexFetches = new Map<ReportKind, IndexFetch>();

  constructor(database: Database, pending: PendingLog) {
    this.#database = database;
    this.#pending = pending;
    const log = logSchema(database);
    const rows = rowSql(log);
    this.#get = database.prepare<[string, string], FactsRow>(`${rows} AND report.label = ?`);
    this.#all = database.prepare<[string], FactsRow>(`${rows} ORDER BY report.label DESC`);
    this.#getTexts = database.prepare<[string, string], { line: string; body: string | null }>(
      'SELECT line, body FROM report WHERE kind = ? AND label = ?',
    );
    this.#labelsUpTo = database
      .prepare<[string, string], string>('SELECT label FROM report WHERE kind = ? AND label <= ? ORDER BY label DESC')
      .pluck();
    this.#list = database.prepare<[string, string, string | null, string]>(
      'INSERT INTO report (kind, label, generated_at, line) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#setLine = database.prepare<[string, string | null, string, string, string]>(
      'UPDATE report SET line = ?, generated_at = ? WHERE kind = ? AND label = ? AND line <> ?',
    );
    this.#setBody = database.prepare<[string, number, string, string]>(
      'UPDATE report SET body = ?, fetched_at = ? WHERE kind = ? AND label = ?',
    );
    this.#setRequested = database.prepare<(string | number | null)[]>(
      `INSERT OR REPLACE INTO fetchLog.report_request (kind, label, requested_at, checked_at, lifetime, failures, backoff)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#setEtag = database.prepare<[string | null, string, string, string | null]>(
      `UPDATE report SET etag = ?, gone_at = NULL
       WHERE kind = ? AND label = ? AND (etag IS NOT ? OR gone_at IS NOT NULL)`,
    );
    this.#gone = database.prepare<[number, string, string]>(
      'UPDATE report SET etag = NULL, gone_at = ? WHERE kind = ? AND label = ? AND gone_at IS NULL',
    );
    this.#correct = database.prepare(
      `INSERT INTO correction (kind, label, at, change, section, citation, field, before, after)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#texts = database.prepare<[string, string], CorrectionTexts>(
      `SELECT id, citation, before, after FROM correction
       WHERE kind = ? AND label = ? AND before IS NOT NULL AND after IS NOT NULL`,
    );
    this.#forget = database.prepare<[number]>(
      'UPDATE correction SET field = NULL, before = NULL, after = NULL, citation = NULL WHERE id = ?',
    );
    this.#indexFetch = database.prepare<[string], IndexFetch>(
      `SELECT at, lifetime, whole_at AS wholeAt FROM ${log}.index_fetch WHERE kind = ?`,
    );
    this.#setIndexFetch = database.prepare<[string, number, number, number]>(
      'INSERT OR REPLACE INTO fetchLog.index_fetch (kind, at, lifetime, whole_at) VALUES (?, ?, ?, ?)',
    );
  }

  /** When the index was last fetched; null if never. */
  lastIndexFetch(kind: ReportKind): IndexFetch | null {
    return this.#indexFetches.get(kind) ?? this.#indexFetch.get(kind) ?? null;
  }

  /** Notes the fetch in memory; it is saved with the next entry of the fetch log. */
  saveIndexFetch(kind: ReportKind, fetch: IndexFetch): void {
    const { at, lifetime, wholeAt } = fetch;
    this.#indexFetches.set(kind, fetch);
    this.#pending.put(`index ${kind}`, () => {
      this.#setIndexFetch.run(kind, at, lifetime, wholeAt);
    });
  }

  /** Whether the service has listed this report: no others are requested. */
  isListed(kind: ReportKind, label: string): boolean {
    return this.#get.get(kind, label) !== undefined;
  }

  facts(kind: ReportKind, label: string): ReportFacts | null {
    const row = this.#get.get(kind, label);
    return row ? toFacts(this.#withRequest(row)) : null;
  }

  /** Newest first. What an earlier version saved under a label that is no date is left out. */
  allFacts(kind: ReportKind): ReportFacts[] {
    const rows = this.#all.all(kind).filter(({ label }) => isReportLabel(kind, label));
    return rows.map((row) => toFacts(this.#withRequest(row)));
  }

  /** The newest listed label that is not later than `until`; null without one. */
  newestListed(kind: ReportKind, until: string): string | null {
    return newestLabel(kind, this.#labelsUpTo.iterate(kind, until));
  }

  /** Saves the headers of an index and returns the labels of those that are new or changed. */
  list(lines: readonly ReportHeader[]): string[] {
    return lines.filter((line) => this.#saveLine(line)).map(({ label }) => label);
  }

  /** The number of stories of a saved report; 0 if it isn't saved or can't be read. */
  savedStories(kind: ReportKind, label: string): number {
    const body = this.#getTexts.get(kind, label)?.body ?? null;
    const report = body === null ? null : readOrNull(this.#database, () => JSON.parse(body) as Report);
    if (report === null) return 0;
    return report.sections.reduce((sum, { items }) => sum + items.length, report.flashes.length);
  }

  /**
   * Saves a report with its validator, and corrections for its differences from the saved one. `now` is ms since 1970.
   */
  store(report: Report, { etag, lifetime }: Freshness, now: number): ReportOutcome {
    const { kind, label } = report;
    const known = this.#getTexts.get(kind, label);
    const stored = known?.body ?? null;
    const body = JSON.stringify(report);
    const before =
      stored === null || stored === body ? null : readOrNull(this.#database, () => JSON.parse(stored) as Report);
    const line = known && readOrNull(this.#database, () => lineOf(known));
    const listed = line && (before ? withoutRemoved(line, before, report) : line);
    this.#saveLine(headOf(report, listed ?? null));
    this.confirm(kind, label, { etag, lifetime }, now);
    if (stored === body) return { outcome: 'unchanged', withdrawn: 0 };
    this.#setBody.run(body, now, kind, label);
    if (before === null) return { outcome: 'added', withdrawn: 0 };
    return { outcome: 'revised', withdrawn: this.#note(before, report, now) };
  }

  /**
   * Records that the saved report is unchanged (304), without a write to the mirror. When it was requested is saved with
   * the next entry of the fetch log.
   */
  confirm(kind: ReportKind, label: string, { etag, lifetime }: Freshness, now: number): void {
    const request = this.#noteRequest(kind, label, {
      requested_at: now,
      checked_at: now,
      lifetime,
      failures: 0,
      backoff: 0,
    });
    this.#pending.put(requestOf(kind, label), () => this.#saveRequest(kind, label, request));
    this.#setEtag.run(etag, kind, label, etag);
  }

  /** Records another failed request, after which the report is left alone for `backoff` ms. */
  recordFailure(kind: ReportKind, label: string, backoff: number, now: number): void {
    const known = this.facts(kind, label);
    const { lifetime = 0, checkedAt = null, failures = 0 } = known ?? {};
    this.#saveNow(kind, label, { requested_at: now, checked_at: checkedAt, lifetime, failures: failures + 1, backoff });
  }

  /** Marks a report that the service no longer has (404); its text stays saved. */
  markGone(kind: ReportKind, label: string, now: number): void {
    const lifetime = this.facts(kind, label)?.lifetime ?? 0;
    this.#saveNow(kind, label, { requested_at: now, checked_at: now, lifetime, failures: 0, backoff: 0 });
    this.#gone.run(now, kind, label);
  }

  #noteRequest(kind: ReportKind, label: string, request: LastRequest): LastRequest {
    this.#requests.set(requestOf(kind, label), request);
    return request;
  }

  #saveNow(kind: ReportKind, label: string, request: LastRequest): void {
    this.#pending.drop(requestOf(kind, label));
    this.#saveRequest(kind, label, this.#noteRequest(kind, label, request));
  }

  #saveRequest(kind: ReportKind, label: string, request: LastRequest): void {
    const { requested_at, checked_at, lifetime, failures, backoff } = request;
    this.#setRequested.run(kind, label, requested_at, checked_at, lifetime, failures, backoff);
  }

  #withRequest(row: FactsRow): FactsRow {
    return { ...row, ...this.#requests.get(requestOf(row.kind, row.label)) };
  }

  /** Saves a header; returns true if it is new or changed. */
  #saveLine(line: ReportHeader): boolean {
    const { kind, label } = line;
    const text = lineText(line);
    if (this.#list.run(kind, label, line.generatedAt, text).changes === 1) return true;
    return this.#setLine.run(text, line.generatedAt, kind, label, text).changes === 1;
  }

  #note(before: Report, after: Report, now: number): number {
    const { kind, label } = after;
    const { corrections, withdrawn } = compareReports(before, after);
    const addresses = new Set(withdrawn.map(({ links }) => canonicalAddress(links.original)));
    for (const { id, citation, ...texts } of withdrawn.length === 0 ? [] : this.#texts.all(kind, label)) {
      const repeated = withdrawn.some((gone) => repeats(texts.before, gone) || repeats(texts.after, gone));
      if (repeated || (citation !== null && addresses.has(citation))) this.#forget.run(id);
    }
    for (const correction of corrections) this.#add(kind, label, correction, now);
    return withdrawn.length;
  }

  #add(kind: ReportKind, label: string, { kind: change, section, citation, text }: FoundCorrection, now: number): void {
    const { field = null, before = null, after = null } = text ?? {};
    this.#correct.run(kind, label, now, change, section, citation, field, before, after);
  }
}

/**
 * A saved header without what the report had and no longer has: texts that were removed from a report must not stay in
 * its header. If the index still has them, it brings them back.
 */
function withoutRemoved(line: ReportHeader, before: Report, after: Report): ReportHeader {
  const { withdrawn } = compareReports(before, after);
  const kept = (field: 'headline' | 'overview'): string | null => {
    const text = line[field];
    const isRemoved = text === before[field] || (text !== null && withdrawn.some((gone) => repeats(text, gone)));
    return isRemoved ? null : text;
  };
  return { ...line, headline: kept('headline'), overview: kept('overview') };
}

function requestOf(kind: ReportKind, label: string): string {
  return `report ${kind} ${label}`;
}
