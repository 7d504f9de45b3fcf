import type { Database } from 'better-sqlite3';
import { canonicalAddress } from '../../common/canonical-address.ts';
import type { Report, ReportHeader, ReportKind } from '../../contract/model/report.ts';
import { compareReports, repeats, type FoundCorrection } from './report-changes.ts';
import {
  headOf,
  lineOf,
  lineText,
  toFacts,
  type ReportFacts,
  type ReportRow,
  type Freshness,
  type IndexFetch,
} from './report-rows.ts';

/** The result of saving a report. */
export interface ReportOutcome {
  outcome: 'added' | 'revised' | 'unchanged';
  /** The number of citations removed from it. */
  withdrawn: number;
}

const ROW_SQL = `SELECT report.*, requested_at, coalesce(request.lifetime, 0) AS lifetime
  FROM report LEFT JOIN fetchLog.report_request AS request ON request.kind = report.kind AND request.label = report.label
  WHERE report.kind = ?`;

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
  readonly #get;
  readonly #all;
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

  constructor(database: Database) {
    this.#get = database.prepare<[string, string], ReportRow>(`${ROW_SQL} AND report.label = ?`);
    this.#all = database.prepare<[string], ReportRow>(`${ROW_SQL} ORDER BY report.label DESC`);
    this.#list = database.prepare<[string, string, string]>(
      'INSERT INTO report (kind, label, line) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#setLine = database.prepare<[string, string, string, string]>(
      'UPDATE report SET line = ? WHERE kind = ? AND label = ? AND line <> ?',
    );
    this.#setBody = database.prepare<[string, number, string, string]>(
      'UPDATE report SET body = ?, fetched_at = ? WHERE kind = ? AND label = ?',
    );
    this.#setRequested = database.prepare<[string, string, number, number]>(
      'INSERT OR REPLACE INTO fetchLog.report_request (kind, label, requested_at, lifetime) VALUES (?, ?, ?, ?)',
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
      'SELECT at, lifetime, whole_at AS wholeAt FROM fetchLog.index_fetch WHERE kind = ?',
    );
    this.#setIndexFetch = database.prepare<[string, number, number, number]>(
      'INSERT OR REPLACE INTO fetchLog.index_fetch (kind, at, lifetime, whole_at) VALUES (?, ?, ?, ?)',
    );
  }

  /** When the index was last fetched; null if never. */
  lastIndexFetch(kind: ReportKind): IndexFetch | null {
    return this.#indexFetch.get(kind) ?? null;
  }

  saveIndexFetch(kind: ReportKind, { at, lifetime, wholeAt }: IndexFetch): void {
    this.#setIndexFetch.run(kind, at, lifetime, wholeAt);
  }

  /** Whether the service has listed this report: no others are requested. */
  isListed(kind: ReportKind, label: string): boolean {
    return this.#get.get(kind, label) !== undefined;
  }

  facts(kind: ReportKind, label: string): ReportFacts | null {
    const row = this.#get.get(kind, label);
    return row ? toFacts(row) : null;
  }

  /** Newest first. */
  allFacts(kind: ReportKind): ReportFacts[] {
    return this.#all.all(kind).map(toFacts);
  }

  /** Saves the headers of an index and returns the labels of those that are new or changed. */
  list(lines: readonly ReportHeader[]): string[] {
    return lines.filter((line) => this.#saveLine(line, line.extra)).map(({ label }) => label);
  }

  /**
   * Saves a report with its validator, and corrections for its differences from the saved one. `now` is ms since 1970.
   */
  store(report: Report, { etag, lifetime }: Freshness, now: number): ReportOutcome {
    const { kind, label } = report;
    const known = this.#get.get(kind, label);
    this.#saveLine(headOf(report), known ? lineOf(known).extra : {});
    const stored = known?.body ?? null;
    const body = JSON.stringify(report);
    this.confirm(kind, label, { etag, lifetime }, now);
    if (stored === body) return { outcome: 'unchanged', withdrawn: 0 };
    this.#setBody.run(body, now, kind, label);
    if (stored === null) return { outcome: 'added', withdrawn: 0 };
    return { outcome: 'revised', withdrawn: this.#note(JSON.parse(stored) as Report, report, now) };
  }

  /** Records that the saved report is unchanged (304), without a write to the mirror. */
  confirm(kind: ReportKind, label: string, { etag, lifetime }: Freshness, now: number): void {
    this.#setRequested.run(kind, label, now, lifetime);
    this.#setEtag.run(etag, kind, label, etag);
  }

  /** Records a request whose response was unreadable. */
  recordFailedFetch(kind: ReportKind, label: string, now: number): void {
    this.#setRequested.run(kind, label, now, this.#get.get(kind, label)?.lifetime ?? 0);
  }

  /** Marks a report that the service no longer has (404); its text stays saved. */
  markGone(kind: ReportKind, label: string, now: number): void {
    this.recordFailedFetch(kind, label, now);
    this.#gone.run(now, kind, label);
  }

  /** Saves a header; returns true if it is new or changed. */
  #saveLine(line: ReportHeader, extra: ReportHeader['extra']): boolean {
    const { kind, label } = line;
    const text = lineText({ ...line, extra });
    if (this.#list.run(kind, label, text).changes === 1) return true;
    return this.#setLine.run(text, kind, label, text).changes === 1;
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
