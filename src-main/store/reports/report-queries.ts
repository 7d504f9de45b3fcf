import type { Database } from 'better-sqlite3';
import { canonicalAddress } from '../../common/canonical-address.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type {
  Citation,
  Correction,
  Report,
  ReportHeader,
  ReportKind,
  ReportLine,
  CitationWithStatus,
  StoredReport,
} from '../../contract/model/report.ts';
import { isReportLabel } from '../../contract/report-labels.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import type { AddressesTable } from '../items/addresses-table.ts';
import { lineOf, newestLabel, type IndexFetch, type ReportFacts, type ReportRow } from './report-rows.ts';
import type { ReportsTable } from './reports-table.ts';
import { asTime } from '../../common/timestamp.ts';

interface LineRow extends Pick<ReportRow, 'label' | 'line' | 'gone_at'> {
  stored: number;
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

interface StoredRow extends Pick<ReportRow, 'line' | 'body' | 'fetched_at' | 'gone_at'> {
  read_at: number | null;
}

const MIRROR = `(SELECT value FROM main.property WHERE name = 'source')`;
const READ_STATUS = `LEFT JOIN user.report_status AS read
  ON read.mirror = ${MIRROR} AND read.kind = report.kind AND read.label = report.label`;

/** Saved daily, weekly and monthly reports with the reader's status. Reads only. */
export class ReportQueries {
  readonly #database: Database;
  readonly #addresses: AddressesTable;
  readonly #reports: ReportsTable;
  readonly #newest;
  readonly #headers = new Map<string, { line: string; header: ReportHeader }>();
  readonly #lines;
  readonly #get;
  readonly #corrections;
  readonly #correctionCounts;
  readonly #previous;
  readonly #next;

  constructor(database: Database, addresses: AddressesTable, reports: ReportsTable) {
    this.#database = database;
    this.#addresses = addresses;
    this.#reports = reports;
    this.#lines = database.prepare<[string], LineRow>(
      `SELECT report.label, line, body IS NOT NULL AS stored, gone_at, read_at FROM report ${READ_STATUS}
       WHERE report.kind = ? ORDER BY report.label DESC`,
    );
    this.#correctionCounts = database.prepare<[string], { label: string; count: number }>(
      'SELECT label, count(*) AS count FROM correction WHERE kind = ? GROUP BY label',
    );
    this.#get = database.prepare<[string, string], StoredRow>(
      `SELECT line, body, fetched_at, gone_at, read_at FROM report ${READ_STATUS} WHERE report.kind = ? AND report.label = ?`,
    );
    this.#corrections = database.prepare<[string, string], CorrectionRow>(
      'SELECT at, change, section, field, before, after FROM correction WHERE kind = ? AND label = ? ORDER BY id DESC',
    );
    this.#newest = database
      .prepare<[string, string], string>(
        'SELECT label FROM main.report WHERE kind = ? AND label <= ? AND body IS NOT NULL ORDER BY label DESC',
      )
      .pluck();
    this.#previous = database.prepare<[string, string], string | null>(neighbour('max', '<')).pluck();
    this.#next = database.prepare<[string, string], string | null>(neighbour('min', '>')).pluck();
  }

  /** All listed reports, newest first. What an earlier version saved under a label that is no date is left out. */
  index(kind: ReportKind): ReportLine[] {
    const corrections = new Map(this.#correctionCounts.all(kind).map(({ label, count }) => [label, count]));
    const rows = this.#lines.all(kind).filter(({ label }) => isReportLabel(kind, label));
    return readable(this.#database, rows, (row) => ({
      ...this.#headerOf(kind, row),
      stored: row.stored === 1,
      goneAt: asTime(row.gone_at),
      readAt: asTime(row.read_at),
      corrections: corrections.get(row.label) ?? 0,
    }));
  }

  /** Parsed once, until the line changes: an archive has a thousand of them. */
  #headerOf(kind: ReportKind, { label, line }: LineRow): ReportHeader {
    const name = `${kind} ${label}`;
    const known = this.#headers.get(name);
    if (known?.line === line) return known.header;
    const header = lineOf({ line });
    this.#headers.set(name, { line, header });
    return header;
  }

  /** Errors: `not_found`, with a separate message for a listed report that is not downloaded yet. */
  get(kind: ReportKind, label: string): StoredReport {
    const row = this.#get.get(kind, label);
    if (!row) throw notListed();
    if (row.body === null || row.fetched_at === null) throw row.gone_at === null ? notFetched() : goneUnread();
    const { body, fetched_at: fetchedAt } = row;
    const stored = readOrNull(this.#database, () => this.#stored(kind, label, { ...row, body, fetched_at: fetchedAt }));
    if (!stored) throw notFetched();
    return stored;
  }

  #stored(kind: ReportKind, label: string, row: StoredRow & { body: string; fetched_at: number }): StoredReport {
    const { sections, flashes, ...report } = JSON.parse(row.body) as Report;
    // The report itself has the texts that count.
    const line = readOrNull(this.#database, () => lineOf(row));
    const checked = this.#reports.facts(kind, label);
    const checkedAt = checked?.checkedAt ?? row.fetched_at;
    const { headline, overview, attribution } = line ?? { headline: null, overview: null, attribution: null };
    return {
      ...report,
      sections: sections.map((section) => ({ ...section, items: section.items.map(this.#shown) })),
      flashes: flashes.map(this.#shown),
      listed: { headline, overview, attribution },
      fetchedAt: asTime(row.fetched_at) ?? '',
      checkedAt: asTime(checkedAt) ?? '',
      freshUntil: asTime(checkedAt + (checked?.lifetime ?? 0)) ?? '',
      goneAt: asTime(row.gone_at),
      readAt: asTime(row.read_at),
      corrections: this.#corrections.all(kind, label).map(toCorrection),
      previous: this.#previous.get(kind, label) ?? null,
      next: this.#next.get(kind, label) ?? null,
    };
  }

  /** The label of the newest saved report of a kind that is not later than `until`; null if there is none. */
  newest(kind: ReportKind, until: string): string | null {
    return newestLabel(kind, this.#newest.iterate(kind, until));
  }

  /** Whether the service has listed this report: no others are requested. */
  isListed(kind: ReportKind, label: string): boolean {
    return this.#reports.isListed(kind, label);
  }

  /** The facts that decide whether to fetch a report; null for one that is not listed. */
  facts(kind: ReportKind, label: string): ReportFacts | null {
    return this.#reports.facts(kind, label);
  }

  /** The newest listed label that is not later than `until`; null without one. */
  newestListed(kind: ReportKind, until: string): string | null {
    return this.#reports.newestListed(kind, until);
  }

  /** Newest first. */
  allFacts(kind: ReportKind): ReportFacts[] {
    return this.#reports.allFacts(kind);
  }

  /** When the index was last fetched; null if never. */
  lastIndexFetch(kind: ReportKind): IndexFetch | null {
    return this.#reports.lastIndexFetch(kind);
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
  return { at: asTime(at) ?? '', kind: change, section, text };
}

function notListed(): BroadsheetError {
  return new BroadsheetError('not_found', 'The news source has not listed this report. Check the list of reports.');
}

function notFetched(): BroadsheetError {
  return new BroadsheetError('not_found', 'This report is not downloaded yet. Sync first.', {
    retryable: true,
  });
}

function goneUnread(): BroadsheetError {
  return new BroadsheetError('not_found', 'The news source no longer has this report, and it was not saved before.');
}
