/**
 * The full-text index of items, in a file of derived data. It is contentless FTS5: it holds tokens and keys but no text, so
 * rows and snippets come from the mirror. Its rowid is the item's time-ordered key, so the newest hits come first without
 * sorting or joining.
 */
import type { Database } from 'better-sqlite3';
import type { ItemsQuery } from '../../contract/model/item.ts';
import { run, script, value, type Db, type WritableDb } from '../sql.ts';
import { FIELD_END, indexFields } from './search-text.ts';

export interface SearchableItem {
  key: number;
  title: string;
  originalTitle: string | null;
  summary: string | null;
  sourceName: string | null;
  reason: string | null;
  category?: string | null | undefined;
  isMember?: number;
}

export const SEARCH_SCHEMA = 'search';
/** Increment it when the tables or the rules of search-text.ts change: the index is then rebuilt. */
export const SEARCH_LAYOUT = 5;
/** Pages (4 kB each) that one {@link mergeStep} writes: about 40 ms on two shared cores. */
const MERGE_PAGES = 500;
/** Begins the token of a list. No query contains it. */
const TAG = '\ue001';

export function searchTables(schema: string): string {
  return `
    CREATE VIRTUAL TABLE ${schema}.item_text USING fts5
      (title, body, content='', contentless_delete=1, tokenize='ascii', detail=full);
    -- As in the mirror: how far it is indexed.
    CREATE TABLE ${schema}.derived (name TEXT PRIMARY KEY, version TEXT NOT NULL, at INTEGER NOT NULL,
      within INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE VIRTUAL TABLE ${schema}.report_text USING fts5
      (text, content='', contentless_delete=1, tokenize='ascii', detail=full);
    -- The rows of report_text. changed is that of the document; names and sources are JSON lists; title and names are folded.
    CREATE TABLE ${schema}.report_entry (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, label TEXT NOT NULL,
      changed INTEGER NOT NULL, title TEXT NOT NULL, names TEXT NOT NULL, sources TEXT NOT NULL, UNIQUE (kind, label)) STRICT;
  `;
}

/** Throws for a damaged one. */
export function trySearch(database: Database, schema: string): void {
  for (const table of ['item_text', 'report_text'])
    database.prepare(`SELECT rowid FROM ${schema}.${table} WHERE ${table} MATCH 'a' LIMIT 1`).get();
  database.prepare(`SELECT * FROM ${schema}.derived`).all();
}

const COMMAND = 'INSERT INTO search.item_text (item_text, rank) VALUES';

/** Recreates the tables if they have another layout. */
export function prepareSearch(db: WritableDb): void {
  if (value<number>(db, 'PRAGMA search.user_version') === SEARCH_LAYOUT) return;
  const tables = ['item_text', 'derived', 'report_text', 'report_entry'];
  script(db, tables.map((table) => `DROP TABLE IF EXISTS search.${table};`).join('\n'));
  script(db, `${searchTables('search')} PRAGMA search.user_version = ${String(SEARCH_LAYOUT)}`);
}

/** True if a load has not ended, in this run or an interrupted one. */
export function isLoading(db: Db): boolean {
  return value<number>(db, "SELECT v FROM search.item_text_config WHERE k = 'automerge'") === 0;
}

/** `removals` are keys, also unknown ones; they are applied before `upserts`. */
export function apply(db: WritableDb, upserts: readonly SearchableItem[], removals: readonly number[]): void {
  for (const key of removals) run(db, 'DELETE FROM search.item_text WHERE rowid = ?', key);
  // FTS5 flushes at every descending rowid.
  const items = [...new Map(upserts.map((item) => [item.key, item])).values()].sort((a, b) => a.key - b.key);
  for (const item of items) {
    const tags = tagsOf(item).map((tag) => FIELD_END + tag);
    const body = indexFields([item.summary, item.sourceName, item.reason]);
    // Replacing deletes and inserts; for an unknown key it costs nothing extra.
    run(
      db,
      'INSERT OR REPLACE INTO search.item_text (rowid, title, body) VALUES (?, ?, ?)',
      ...[item.key, indexFields([item.title, item.originalTitle]), body + tags.join('')],
    );
  }
}

export function clear(db: WritableDb): void {
  run(db, "INSERT INTO search.item_text (item_text) VALUES ('delete-all')");
}

/** Postpones merging, which makes single commits very long. Numbers are literals: bound ones are REAL, which FTS5 rejects. */
export function beginLoad(db: WritableDb): void {
  script(db, `${COMMAND} ('automerge', 0); ${COMMAND} ('crisismerge', 1000)`);
}

/** Does a part of the postponed merging; returns false at the end. */
export function mergeStep(db: WritableDb): boolean {
  const before = changesOf(db);
  script(db, `${COMMAND} ('merge', ${String(MERGE_PAGES)})`);
  // The command counts itself as one change.
  return changesOf(db) - before > 1;
}

/** Turns merging on again. Call it when all is merged: the reverse order would make one commit of a second. */
export function endLoad(db: WritableDb): void {
  script(db, `${COMMAND} ('automerge', 4); ${COMMAND} ('crisismerge', 16)`);
}

function changesOf(db: Db): number {
  return value<number>(db, 'SELECT total_changes()') ?? 0;
}

/** Reads two short lists instead of all hits of a common word. Rows must still be checked: the index may be behind. */
export function restrictTo(match: string, { scope, category }: Pick<ItemsQuery, 'scope' | 'category'>): string {
  const tags = tagsOf({ category, isMember: Number(scope === 'selected') });
  return tags.length === 0 ? match : [`(${match})`, ...tags.map((tag) => `"${tag}"`)].join(' AND ');
}

/** Writes categories in hexadecimal, because they may contain anything. */
function tagsOf({ category, isMember }: Pick<SearchableItem, 'category' | 'isMember'>): string[] {
  const tags = isMember === 1 ? [`${TAG}s`] : [];
  if (category !== null && category !== undefined) tags.push(`${TAG}c${Buffer.from(category).toString('hex')}`);
  return tags;
}
