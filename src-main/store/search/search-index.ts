/**
 * The full-text index over the mirrored items, in a file of its own: derived data, which follows the mirror and can be
 * thrown away at any time. `watermark` says how far it has followed.
 *
 * The index is contentless FTS5: it holds tokens and keys but no text, so what is shown comes from the mirror, and
 * snippets are made there (snippets.ts). Its rowid is the item's time-ordered key: the newest hits come first without
 * sorting or joining. A reader attaches the file read-only to its connection to the mirror and joins:
 *
 *     SELECT ... FROM search.item_text CROSS JOIN item index ON item_index.key = item_text.rowid
 *     WHERE item_text MATCH :match ORDER BY item_text.rowid DESC LIMIT 50
 */
import type { Database, Statement } from 'better-sqlite3';
import { indexText } from './search-text.ts';

/** What of an item can be searched. */
export interface SearchableItem {
  /** The item's time-ordered key in the mirror, a safe integer. */
  key: number;
  title: string;
  originalTitle: string | null;
  summary: string | null;
  sourceName: string | null;
  reason: string | null;
}

export interface SearchBatch {
  upserts: SearchableItem[];
  /** Keys of items that are gone; unknown ones do no harm. Taken out before the upserts go in. */
  removals: number[];
  /** The mirror's sequence number that the index has followed to once this batch is in. */
  watermark: number;
}

/** The name that readers attach the file under. */
export const SEARCH_SCHEMA = 'search';
/** Raise it with every change of the tables below or of the rules in search_text.ts: the index is then built anew. */
const LAYOUT = 1;
/** Pages (of 4 kB) that one step of `mergeStep` writes: about 40 ms on two shared cores. */
const MERGE_PAGES = 500;
/** Stands between two fields in one column, so that no phrase reaches across. No query holds it: it is no letter. */
const FIELD_END = ' \ue000 ';

/** The writer's side. One instance owns the file. */
export class SearchIndex {
  readonly #database: Database;
  readonly #schema: string;
  readonly #statements: { put: Statement; remove: Statement; advance: Statement };

  /**
   * Makes the tables if they are missing, and makes them anew (empty, watermark 0) if they are of another layout.
   * @param database an open database whose `schema` ("main" or the name it is attached under) holds the index alone
   */
  constructor(database: Database, schema = 'main') {
    this.#database = database;
    this.#schema = schema;
    if (database.pragma(`${schema}.user_version`, { simple: true }) !== LAYOUT) this.clear();
    this.#statements = {
      // A replaced row is deleted and inserted; an unknown key costs nothing extra.
      put: database.prepare(`INSERT OR REPLACE INTO ${schema}.item_text (rowid, title, body) VALUES (?, ?, ?)`),
      remove: database.prepare(`DELETE FROM ${schema}.item_text WHERE rowid = ?`),
      advance: database.prepare(`UPDATE ${schema}.search_state SET watermark = ?`),
    };
    if (this.loading) this.endLoad();
  }

  /** The mirror's sequence number up to which everything is in the index; 0 for a new one. */
  get watermark(): number {
    const read = this.#database.prepare<[], number>(`SELECT watermark FROM ${this.#schema}.search_state`).pluck();
    return read.get() ?? 0;
  }

  /** Whether a load has begun and not ended, in this run or in one that was cut short. */
  get loading(): boolean {
    const read = this.#database.prepare(`SELECT v FROM ${this.#schema}.item_text_config WHERE k = 'automerge'`);
    return read.pluck().get() === 0;
  }

  /** Takes a batch in, with its watermark, whole or not at all. */
  apply(batch: SearchBatch): void {
    this.#database.transaction(() => this.#write(batch)).immediate();
  }

  /** Forgets everything: an empty index with watermark 0. */
  clear(): void {
    this.#database.transaction(() => {
      this.#database.exec(`
        DROP TABLE IF EXISTS ${this.#schema}.item_text;
        DROP TABLE IF EXISTS ${this.#schema}.search_state;
        CREATE VIRTUAL TABLE ${this.#schema}.item_text USING fts5
          (title, body, content='', contentless_delete=1, tokenize='ascii', detail=full);
        CREATE TABLE ${this.#schema}.search_state (watermark INTEGER NOT NULL) STRICT;
        INSERT INTO ${this.#schema}.search_state VALUES (0);
        PRAGMA ${this.#schema}.user_version = ${LAYOUT};
      `);
    })();
  }

  /** Before many batches: puts merging off, which otherwise lands in single long commits. */
  beginLoad(): void {
    this.#command('automerge', 0);
    this.#command('crisismerge', 1000);
  }

  /** Merges a little of what a load left behind; false once there is nothing more to merge. */
  mergeStep(): boolean {
    const before = this.#changes();
    this.#command('merge', MERGE_PAGES);
    // The command counts itself as one change.
    return this.#changes() - before > 1;
  }

  /**
   * Merges the rest, and only then goes back to merging with each batch: the other way round makes one commit of a
   * second. Takes a second or two after a load of 100,000 items; whoever has other work calls `mergeStep` first.
   */
  endLoad(): void {
    while (this.mergeStep());
    this.#command('automerge', 4);
    this.#command('crisismerge', 16);
  }

  #write({ upserts, removals, watermark }: SearchBatch): void {
    const { put, remove, advance } = this.#statements;
    for (const key of removals) remove.run(key);
    // FTS5 flushes at every descending rowid.
    const items = [...new Map(upserts.map((item) => [item.key, item])).values()].sort((a, b) => a.key - b.key);
    for (const item of items) {
      const columns = columnsOf(item);
      put.run(item.key, indexColumn(columns.title), indexColumn(columns.body));
    }
    advance.run(watermark);
  }

  /** A setting or order for FTS5, as a literal: a number bound from JavaScript is REAL and would be refused. */
  #command(name: 'automerge' | 'crisismerge' | 'merge', value: number): void {
    this.#database.exec(`INSERT INTO ${this.#schema}.item_text (item_text, rank) VALUES ('${name}', ${value})`);
  }

  #changes(): number {
    return this.#database.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;
  }
}

function columnsOf(item: SearchableItem): { title: (string | null)[]; body: (string | null)[] } {
  return { title: [item.title, item.originalTitle], body: [item.summary, item.sourceName, item.reason] };
}

function indexColumn(texts: (string | null)[]): string {
  const tokens = texts.map((text) => (text === null ? '' : indexText(text)));
  return tokens.filter((text) => text !== '').join(FIELD_END);
}

/**
 * Takes single items out of the index, within the transaction that drops them from the mirror. For those that are withdrawn
 * the indexer does it.
 */
export class SearchRemoval {
  readonly #database: Database;
  #statement: Statement<[number]> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  remove(key: number): void {
    // Only now: the index may be made after the tables that it follows.
    this.#statement ??= this.#database.prepare<[number]>(`DELETE FROM ${SEARCH_SCHEMA}.item_text WHERE rowid = ?`);
    this.#statement.run(key);
  }
}
