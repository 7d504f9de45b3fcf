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
  type IndexCheck,
} from './report-rows.ts';

/** What storing a body did. */
export interface ReportOutcome {
  outcome: 'added' | 'revised' | 'unchanged';
  /** Citations that left it. */
  withdrawn: number;
}

const ROW_SQL = `SELECT report.*, asked_at, coalesce(ask.lifetime, 0) AS lifetime
  FROM report LEFT JOIN fetchLog.report_ask AS ask ON ask.kind = report.kind AND ask.label = report.label
  WHERE report.kind = ?`;

interface CorrectionTexts {
  id: number;
  citation: string | null;
  before: string;
  after: string;
}

/**
 * The tables `report` and `correction`: which reports the service has named, what is stored of them and what it changed
 * in them since. Writing goes within a transaction. Everything is kept; of a withdrawn citation only the fact is.
 */
export class ReportsTable {
  readonly #get;
  readonly #all;
  readonly #list;
  readonly #setLine;
  readonly #setBody;
  readonly #asked;
  readonly #setEtag;
  readonly #gone;
  readonly #correct;
  readonly #texts;
  readonly #forget;
  readonly #look;
  readonly #setLook;

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
    this.#asked = database.prepare<[string, string, number, number]>(
      'INSERT OR REPLACE INTO fetchLog.report_ask (kind, label, asked_at, lifetime) VALUES (?, ?, ?, ?)',
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
    this.#look = database.prepare<[string], IndexCheck>(
      'SELECT at, lifetime, whole_at AS wholeAt FROM fetchLog.index_look WHERE kind = ?',
    );
    this.#setLook = database.prepare<[string, number, number, number]>(
      'INSERT OR REPLACE INTO fetchLog.index_look (kind, at, lifetime, whole_at) VALUES (?, ?, ?, ?)',
    );
  }

  /** When the index was last read; null where it never was. */
  lastLook(kind: ReportKind): IndexCheck | null {
    return this.#look.get(kind) ?? null;
  }

  recordIndexCheck(kind: ReportKind, { at, lifetime, wholeAt }: IndexCheck): void {
    this.#setLook.run(kind, at, lifetime, wholeAt);
  }

  /** Whether the service has named this report: no other one is asked for. */
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

  /** Takes in the lines of an index, and tells those that are new or say something else now. */
  list(lines: readonly ReportHeader[]): string[] {
    return lines.filter((line) => this.#takeLine(line, line.extra)).map(({ label }) => label);
  }

  /** Stores a body with the validator that belongs to it, and what it corrects in the one before. `now` is ms since 1970. */
  store(report: Report, { etag, lifetime }: Freshness, now: number): ReportOutcome {
    const { kind, label } = report;
    const known = this.#get.get(kind, label);
    this.#takeLine(headOf(report), known ? lineOf(known).extra : {});
    const stored = known?.body ?? null;
    const body = JSON.stringify(report);
    this.confirm(kind, label, { etag, lifetime }, now);
    if (stored === body) return { outcome: 'unchanged', withdrawn: 0 };
    this.#setBody.run(body, now, kind, label);
    if (stored === null) return { outcome: 'added', withdrawn: 0 };
    return { outcome: 'revised', withdrawn: this.#note(JSON.parse(stored) as Report, report, now) };
  }

  /** The service says that what is stored still stands (304): no write to the mirror. */
  confirm(kind: ReportKind, label: string, { etag, lifetime }: Freshness, now: number): void {
    this.#asked.run(kind, label, now, lifetime);
    this.#setEtag.run(etag, kind, label, etag);
  }

  /** It was asked for, and what came could not be read. */
  noteTry(kind: ReportKind, label: string, now: number): void {
    this.#asked.run(kind, label, now, this.#get.get(kind, label)?.lifetime ?? 0);
  }

  /** The service has it no longer (404): what is stored stays, marked. */
  markGone(kind: ReportKind, label: string, now: number): void {
    this.noteTry(kind, label, now);
    this.#gone.run(now, kind, label);
  }

  /** True if the report is new, or its line another one. */
  #takeLine(line: ReportHeader, extra: ReportHeader['extra']): boolean {
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
      const told = withdrawn.some((gone) => repeats(texts.before, gone) || repeats(texts.after, gone));
      if (told || (citation !== null && addresses.has(citation))) this.#forget.run(id);
    }
    for (const correction of corrections) this.#add(kind, label, correction, now);
    return withdrawn.length;
  }

  #add(kind: ReportKind, label: string, { kind: change, section, citation, text }: FoundCorrection, now: number): void {
    const { field = null, before = null, after = null } = text ?? {};
    this.#correct.run(kind, label, now, change, section, citation, field, before, after);
  }
}
