/**
 * The full-text index of the saved reports, in the file of that of the items (search-index.ts): reading and folding the
 * texts of a thousand reports takes a third of a second, and looking through them ten milliseconds for each key.
 *
 * Reports are few and change seldom, so there is no watermark: an entry has the version of its report, and one with
 * another version doesn't count. Whoever searches reads the texts of such a report itself.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { ReportKind } from '../../contract/model/report.ts';
import { readable } from '../database/stored-json.ts';
import { foldDocument, type FoldedDocument } from './folded-document.ts';
import { reportTexts } from './report-texts.ts';
import type { SearchIndex } from './search-index.ts';
import { SEARCH_SCHEMA } from './search-index.ts';
import { changeMark } from './change-mark.ts';

/** Some 20 ms of work. */
const STEP_REPORTS = 15;

/** What another value of means that the texts of a report may differ. */
export const REPORT_VERSION = `coalesce(report.fetched_at, '') || ' ' || coalesce(report.etag, '') || ' ' ||
  coalesce(report.gone_at, '') || ' ' || octet_length(report.line) || ' ' || octet_length(report.body)`;

interface Key {
  kind: ReportKind;
  label: string;
}

/** A report as the index has it. */
export interface IndexedReport extends Pick<FoldedDocument, 'title' | 'names' | 'sources'> {
  row: number;
  version: string;
}

/** The writing side. */
export class ReportIndexer {
  readonly #database: Database;
  readonly #index: Pick<SearchIndex, 'claiming'>;
  readonly #mark: () => string;
  readonly #changed;
  readonly #gone;
  readonly #texts;
  readonly #find;
  readonly #put;
  readonly #putText;
  readonly #remove;
  readonly #removeText;
  /** {@link changeMark} when everything was indexed. */
  #doneAt = '';
  /** Reports that can't be read, by version: they are fetched again. */
  readonly #unreadable = new Set<string>();

  /** @param database a connection to mirror.db with search.db attached, whose tables exist */
  constructor(database: Database, index: Pick<SearchIndex, 'claiming'>) {
    this.#database = database;
    this.#index = index;
    this.#mark = changeMark(database, ['main', SEARCH_SCHEMA]);
    this.#changed = database.prepare<[], Key & { version: string }>(
      `SELECT report.kind, report.label, ${REPORT_VERSION} AS version FROM main.report
       LEFT JOIN ${SEARCH_SCHEMA}.report_entry AS entry ON entry.kind = report.kind AND entry.label = report.label
       WHERE body IS NOT NULL AND entry.version IS NOT ${REPORT_VERSION}`,
    );
    this.#gone = database
      .prepare<[], number>(
        `SELECT entry.id FROM ${SEARCH_SCHEMA}.report_entry AS entry LEFT JOIN main.report
           ON report.kind = entry.kind AND report.label = entry.label AND report.body IS NOT NULL
         WHERE report.label IS NULL`,
      )
      .pluck();
    this.#texts = database.prepare<[string, string], { line: string; body: string }>(
      'SELECT line, body FROM main.report WHERE kind = ? AND label = ?',
    );
    this.#find = database
      .prepare<[string, string], number>(`SELECT id FROM ${SEARCH_SCHEMA}.report_entry WHERE kind = ? AND label = ?`)
      .pluck();
    this.#put = database
      .prepare<[string, string, string, string, string, string], number>(
        `INSERT INTO ${SEARCH_SCHEMA}.report_entry (kind, label, version, title, names, sources) VALUES (?, ?, ?, ?, ?, ?)
         RETURNING id`,
      )
      .pluck();
    this.#putText = database.prepare<[number, string]>(
      `INSERT INTO ${SEARCH_SCHEMA}.report_text (rowid, text) VALUES (CAST(? AS INTEGER), ?)`,
    );
    this.#remove = database.prepare<[number]>(`DELETE FROM ${SEARCH_SCHEMA}.report_entry WHERE id = ?`);
    this.#removeText = database.prepare<[number]>(`DELETE FROM ${SEARCH_SCHEMA}.report_text WHERE rowid = ?`);
  }

  /** Indexes some reports that have changed; returns false when there are none. */
  step(): boolean {
    const mark = this.#mark();
    if (mark === this.#doneAt) return false;
    const changed = this.#changed.all().filter((report) => !this.#unreadable.has(nameOf(report)));
    const gone = this.#gone.all();
    if (changed.length === 0 && gone.length === 0) {
      this.#doneAt = mark;
      return false;
    }
    this.#index.claiming(() => {
      for (const id of gone) this.#drop(id);
      for (const report of changed.slice(0, STEP_REPORTS)) this.#write(report);
    });
    return true;
  }

  #write(report: Key & { version: string }): void {
    const { kind, label, version } = report;
    const known = this.#find.get(kind, label);
    if (known !== undefined) this.#drop(known);
    const row = this.#texts.get(kind, label);
    const read = row && reportTexts(this.#database, label, row);
    if (!read) {
      this.#unreadable.add(nameOf(report));
      return;
    }
    const { text, title, names, sources } = foldDocument(read);
    const id = this.#put.get(kind, label, version, title, JSON.stringify([...names]), JSON.stringify(sources));
    this.#putText.run(Number(id), text);
  }

  #drop(id: number): void {
    this.#remove.run(id);
    this.#removeText.run(id);
  }
}

function nameOf({ kind, label, version }: Key & { version: string }): string {
  return `${kind} ${label} ${version}`;
}

/** The reading side. */
export class ReportIndex {
  readonly #database: Database;
  #all: Statement<[], Key & { id: number; version: string; title: string; names: string; sources: string }> | null =
    null;
  #matching: Statement<[string], number> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By `daily/2026-11-20`; none before the index is made. */
  entries(): Map<string, IndexedReport> {
    if (!this.#isThere()) return new Map();
    this.#all ??= this.#database.prepare(
      `SELECT id, kind, label, version, title, names, sources FROM ${SEARCH_SCHEMA}.report_entry`,
    );
    return new Map(
      readable(this.#database, this.#all.all(), ({ id, kind, label, version, title, names, sources }) => [
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

  /** The rows that a MATCH expression finds. */
  rows(match: string): Set<number> {
    if (!this.#isThere()) return new Set();
    this.#matching ??= this.#database
      .prepare<[string], number>(`SELECT rowid FROM ${SEARCH_SCHEMA}.report_text WHERE report_text MATCH ?`)
      .pluck();
    return new Set(this.#matching.all(match));
  }

  /** The file is filled after it was opened. */
  #isThere(): boolean {
    if (this.#all) return true;
    return (
      this.#database
        .prepare<[], number>(`SELECT count(*) FROM ${SEARCH_SCHEMA}.sqlite_schema WHERE name = 'report_entry'`)
        .pluck()
        .get() === 1
    );
  }
}
