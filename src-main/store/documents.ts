/** Everything the service has by name: stories, reports, the hot topics, text pages. */
import type { ReportKind } from '../contract/model/report.ts';
import { row, rows, run, sql, value, type Db, type WritableDb } from './sql.ts';

export type StoredKind = ReportKind | 'story' | 'hotTopics' | 'page';

/** Times are ms since 1970. */
export interface StoredDocument {
  /** JSON of what a line of a list shows. */
  head: string | null;
  /** JSON of all of it, or a text; null until it is downloaded. */
  body: string | null;
  fetchedAt: number | null;
  goneAt: number | null;
}

export interface DocumentLine extends Omit<StoredDocument, 'body'> {
  id: string;
  stored: 0 | 1;
}

/** Another value means that its texts may differ, also if the same name is in another mirror. */
export const VERSION = `coalesce(document.fetched_at, '') || ' ' || document.changed`;

const NEXT = '(SELECT coalesce(max(changed), 0) + 1 FROM document)';
const ONE = sql`SELECT head, body, fetched_at AS fetchedAt, gone_at AS goneAt FROM main.document WHERE kind = ? AND id = ?`;
// Bodies are large, and not read for this.
const LINE = 'id, head, body IS NOT NULL AS stored, fetched_at AS fetchedAt, gone_at AS goneAt';
const LINES = sql`SELECT ${LINE} FROM main.document WHERE kind = ? ORDER BY id DESC`;
const SAVED_LINES = sql`SELECT ${LINE} FROM main.document WHERE kind = ? AND body IS NOT NULL`;
const LINE_OF = sql`SELECT ${LINE} FROM main.document WHERE kind = ? AND id = ?`;
const NAME = sql`INSERT OR IGNORE INTO document (kind, id, changed) VALUES (?, ?, ${NEXT})`;
const PUT = sql`INSERT INTO document (kind, id, changed, fetched_at, head, body) VALUES (?, ?, ${NEXT}, ?, ?, ?)
  ON CONFLICT DO UPDATE SET changed = excluded.changed, fetched_at = excluded.fetched_at, gone_at = NULL,
    head = excluded.head, body = excluded.body`;
const PUT_HEAD = sql`INSERT INTO document (kind, id, changed, head) VALUES (?, ?, ${NEXT}, ?)
  ON CONFLICT DO UPDATE SET changed = excluded.changed, head = excluded.head WHERE head IS NOT excluded.head`;
const SET_GONE = sql`INSERT INTO document (kind, id, changed, gone_at) VALUES (?, ?, ${NEXT}, ?)
  ON CONFLICT DO UPDATE SET changed = excluded.changed, gone_at = excluded.gone_at
  WHERE (gone_at IS NULL) <> (excluded.gone_at IS NULL)`;
const EMPTY = sql`UPDATE document SET changed = ${NEXT}, fetched_at = NULL, gone_at = NULL, head = NULL, body = NULL
  WHERE kind = ? AND id = ?`;

/** In SQL: a field of a head, null if that can't be read. */
export function headField(name: string, table = 'document'): string {
  return `CASE WHEN json_valid(${table}.head) THEN ${table}.head ->> '$.${name}' END`;
}

export function find(db: Db, kind: StoredKind, id: string): StoredDocument | undefined {
  return row<StoredDocument>(db, ONE, kind, id);
}

export function line(db: Db, kind: StoredKind, id: string): DocumentLine | undefined {
  return row<DocumentLine>(db, LINE_OF, kind, id);
}

export function lines(db: Db, kind: StoredKind): DocumentLine[] {
  return rows<DocumentLine>(db, LINES, kind);
}

export function savedLines(db: Db, kind: StoredKind): DocumentLine[] {
  return rows<DocumentLine>(db, SAVED_LINES, kind);
}

/** Only what the service named is ever requested (document 1 section 4.3). */
export function isNamed(db: Db, kind: StoredKind, id: string): boolean {
  return value<number>(db, 'SELECT 1 FROM main.document WHERE kind = ? AND id = ?', kind, id) === 1;
}

export function name(db: WritableDb, kind: StoredKind, ids: Iterable<string>): void {
  for (const id of ids) run(db, NAME, kind, id);
}

/** It is no longer gone. */
export function put(
  db: WritableDb,
  kind: StoredKind,
  id: string,
  { head, body, fetchedAt }: Pick<StoredDocument, 'head' | 'body' | 'fetchedAt'>,
): void {
  run(db, PUT, kind, id, fetchedAt, head, body);
}

export function putHead(db: WritableDb, kind: StoredKind, id: string, head: string): boolean {
  return run(db, PUT_HEAD, kind, id, head).changes === 1;
}

/** The saved copy stays. `at` is null for one that is back. Returns false if that was known. */
export function setGone(db: WritableDb, kind: StoredKind, id: string, at: number | null): boolean {
  return run(db, SET_GONE, kind, id, at).changes === 1;
}

/** Keeps only its name. */
export function empty(db: WritableDb, kind: StoredKind, id: string): void {
  run(db, EMPTY, kind, id);
}
