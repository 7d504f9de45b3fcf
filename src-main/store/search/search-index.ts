/**
 * The full-text index of items, in a file of derived data. It is contentless FTS5: it holds tokens and keys but no text, so
 * rows and snippets come from the mirror. Its rowid is the item's time-ordered key, so the newest hits come first without
 * sorting or joining.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { ItemsQuery } from '../../contract/model/item.ts';
import { transaction } from '../sql.ts';
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

export interface SearchBatch {
  upserts: SearchableItem[];
  /** Keys of removed items; unknown keys are ignored. Applied before upserts. */
  removals: number[];
}

export const SEARCH_SCHEMA = 'search';
/** Increment it when the tables or the rules of search-text.ts change: the index is then rebuilt. */
export const SEARCH_LAYOUT = 5;
/** Pages (4 kB each) that one `mergeStep` writes: about 40 ms on two shared cores. */
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

/** Only one instance may write to the file. */
export class SearchIndex {
  readonly #database: Database;
  readonly #schema: string;
  readonly #statements: { put: Statement; remove: Statement };

  /** Recreates the tables if they have another layout. */
  constructor(database: Database, schema = 'main') {
    this.#database = database;
    this.#schema = schema;
    if (database.pragma(`${schema}.user_version`, { simple: true }) !== SEARCH_LAYOUT) this.#create();
    this.#statements = {
      // Replacing deletes and inserts; for an unknown key it costs nothing extra.
      put: database.prepare(`INSERT OR REPLACE INTO ${schema}.item_text (rowid, title, body) VALUES (?, ?, ?)`),
      remove: database.prepare(`DELETE FROM ${schema}.item_text WHERE rowid = ?`),
    };
  }

  /** True if a load has not ended, in this run or an interrupted one. */
  get loading(): boolean {
    const read = this.#database.prepare(`SELECT v FROM ${this.#schema}.item_text_config WHERE k = 'automerge'`);
    return read.pluck().get() === 0;
  }

  apply({ upserts, removals }: SearchBatch): void {
    const { put, remove } = this.#statements;
    transaction(this.#database, () => {
      for (const key of removals) remove.run(key);
      // FTS5 flushes at every descending rowid.
      const items = [...new Map(upserts.map((item) => [item.key, item])).values()].sort((a, b) => a.key - b.key);
      for (const item of items) {
        const tags = tagsOf(item).map((tag) => FIELD_END + tag);
        const body = indexFields([item.summary, item.sourceName, item.reason]);
        put.run(item.key, indexFields([item.title, item.originalTitle]), body + tags.join(''));
      }
    });
  }

  clear(): void {
    this.#database.exec(`INSERT INTO ${this.#schema}.item_text (item_text) VALUES ('delete-all')`);
  }

  /** Postpones merging, which makes single commits very long. */
  beginLoad(): void {
    this.#command('automerge', 0);
    this.#command('crisismerge', 1000);
  }

  /** Does a part of the postponed merging; returns false at the end. */
  mergeStep(): boolean {
    const before = this.#changes();
    this.#command('merge', MERGE_PAGES);
    // The command counts itself as one change.
    return this.#changes() - before > 1;
  }

  /** Merges the rest, then turns merging on again; the reverse order would make one commit of a second. */
  endLoad(): void {
    while (this.mergeStep());
    this.#command('automerge', 4);
    this.#command('crisismerge', 16);
  }

  #create(): void {
    transaction(this.#database, () => {
      this.#database.exec(`
        DROP TABLE IF EXISTS ${this.#schema}.item_text;
        DROP TABLE IF EXISTS ${this.#schema}.derived;
        DROP TABLE IF EXISTS ${this.#schema}.report_text;
        DROP TABLE IF EXISTS ${this.#schema}.report_entry;
        ${searchTables(this.#schema)}
        PRAGMA ${this.#schema}.user_version = ${SEARCH_LAYOUT};
      `);
    });
  }

  /** Writes the number as a literal: FTS5 rejects REAL, as which numbers are bound. */
  #command(name: 'automerge' | 'crisismerge' | 'merge', value: number): void {
    this.#database.exec(`INSERT INTO ${this.#schema}.item_text (item_text, rank) VALUES ('${name}', ${value})`);
  }

  #changes(): number {
    return this.#database.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;
  }
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
