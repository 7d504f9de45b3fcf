import type { Database } from 'better-sqlite3';
import { canonicalAddress } from '../../common/canonical-address.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type {
  Citation,
  Correction,
  Report,
  ReportKind,
  ReportLine,
  CitationWithStatus,
  StoredReport,
} from '../../contract/model/report.ts';
import type { AddressesTable } from '../items/addresses-table.ts';
import { lineOf, type IndexCheck, type ReportFacts, type ReportRow } from './report-rows.ts';
import type { ReportsTable } from './reports-table.ts';
import { asTime } from '../../common/timestamp.ts';

interface LineRow extends Pick<ReportRow, 'line' | 'gone_at'> {
  stored: number;
  read_at: number | null;
  corrections: number;
}

interface CorrectionRow {
  at: number;
  change: Correction['kind'];
  section: string | null;
  field: string | null;
  before: string | null;
  after: string | null;
}

interface StoredRow extends ReportRow {
  read_at: number | null;
}

const MIRROR = `(SELECT value FROM main.property WHERE name = 'source')`;
const READ_STATUS = `LEFT JOIN user.report_status AS read
  ON read.mirror = ${MIRROR} AND read.kind = report.kind AND read.label = report.label`;

/** What is stored of daily, weekly and monthly reports, with what the reader did with them. Reads only. */
export class ReportQueries {
  readonly #addresses: AddressesTable;
  readonly #reports: ReportsTable;
  readonly #newest;
  readonly #lines;
  readonly #get;
  readonly #corrections;
  readonly #previous;
  readonly #next;

  constructor(database: Database, addresses: AddressesTable, reports: ReportsTable) {
    this.#addresses = addresses;
    this.#reports = reports;
    this.#lines = database.prepare<[string], LineRow>(
      `SELECT line, body IS NOT NULL AS stored, gone_at, read_at,
              (SELECT count(*) FROM correction WHERE kind = report.kind AND label = report.label) AS corrections
       FROM report ${READ_STATUS} WHERE report.kind = ? ORDER BY report.label DESC`,
    );
    this.#get = database.prepare<[string, string], StoredRow>(
      `SELECT report.*, read_at FROM report ${READ_STATUS} WHERE report.kind = ? AND report.label = ?`,
    );
    this.#corrections = database.prepare<[string, string], CorrectionRow>(
      'SELECT at, change, section, field, before, after FROM correction WHERE kind = ? AND label = ? ORDER BY id DESC',
    );
    this.#newest = database
      .prepare<[string], string | null>('SELECT max(label) FROM main.report WHERE kind = ? AND body IS NOT NULL')
      .pluck();
    this.#previous = database.prepare<[string, string], string | null>(neighbour('max', '<')).pluck();
    this.#next = database.prepare<[string, string], string | null>(neighbour('min', '>')).pluck();
  }

  /** Everything that the indexes have listed, newest first. */
  index(kind: ReportKind): ReportLine[] {
    return this.#lines.all(kind).map((row) => ({
      ...lineOf(row),
      stored: row.stored === 1,
      goneAt: asTime(row.gone_at),
      readAt: asTime(row.read_at),
      corrections: row.corrections,
    }));
  }

  /** Errors: `not_found`, with words for a report that is listed and not fetched yet. */
  get(kind: ReportKind, label: string): StoredReport {
    const row = this.#get.get(kind, label);
    if (!row) throw notListed();
    if (row.body === null || row.fetched_at === null) throw row.gone_at === null ? notFetched() : goneUnread();
    const { sections, flashes, ...report } = JSON.parse(row.body) as Report;
    return {
      ...report,
      sections: sections.map((section) => ({ ...section, items: section.items.map(this.#shown) })),
      flashes: flashes.map(this.#shown),
      fetchedAt: new Date(row.fetched_at).toISOString(),
      goneAt: asTime(row.gone_at),
      readAt: asTime(row.read_at),
      corrections: this.#corrections.all(kind, label).map(toCorrection),
      previous: this.#previous.get(kind, label) ?? null,
      next: this.#next.get(kind, label) ?? null,
    };
  }

  /** The label of the newest report of a kind whose text is stored; null before the first one. */
  newest(kind: ReportKind): string | null {
    return this.#newest.get(kind) ?? null;
  }

  /** Whether the service has named this report: no other one is asked for. */
  isListed(kind: ReportKind, label: string): boolean {
    return this.#reports.isListed(kind, label);
  }

  /** What decides whether a report is asked for; null for one that the service has not named. */
  facts(kind: ReportKind, label: string): ReportFacts | null {
    return this.#reports.facts(kind, label);
  }

  /** Newest first. */
  allFacts(kind: ReportKind): ReportFacts[] {
    return this.#reports.allFacts(kind);
  }

  /** When the index was last read; null where it never was. */
  lastLook(kind: ReportKind): IndexCheck | null {
    return this.#reports.lastLook(kind);
  }

  readonly #shown = (citation: Citation): CitationWithStatus => {
    const key = canonicalAddress(citation.links.original);
    if (key === null) return { ...citation, itemId: null, readAt: null, key };
    const items = this.#addresses.itemsAt(key);
    const readAt = this.#addresses.readAt(key) ?? items.find(({ read_at }) => read_at !== null)?.read_at ?? null;
    return { ...citation, itemId: items.at(-1)?.id ?? null, readAt: asTime(readAt), key };
  };
}

function neighbour(which: 'max' | 'min', side: '<' | '>'): string {
  return `SELECT ${which}(label) FROM report WHERE kind = ? AND label ${side} ? AND (body IS NOT NULL OR gone_at IS NULL)`;
}

function toCorrection({ at, change, section, field, before, after }: CorrectionRow): Correction {
  const text = field !== null && before !== null && after !== null ? { field, before, after } : null;
  return { at: new Date(at).toISOString(), kind: change, section, text };
}

function notListed(): BroadsheetError {
  return new BroadsheetError('not_found', 'The service has not listed this report. See which ones there are first.');
}

function notFetched(): BroadsheetError {
  return new BroadsheetError(
    'not_found',
    'This report is listed, but it has not been fetched yet. Synchronise first.',
    {
      retryable: true,
    },
  );
}

function goneUnread(): BroadsheetError {
  return new BroadsheetError('not_found', 'The service no longer has this report, and it was not stored before.');
}
