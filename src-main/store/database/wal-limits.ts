import type { Database } from 'better-sqlite3';
import { statSync } from 'node:fs';

const PAGE_BYTES = 4_096;
/** Three files make 9 MB in all, and 32 MB during a load, which writes only the mirror and the search index. */
const USUAL_PAGES = 768;
const LOAD_PAGES = 4_096;

/** Bounds the write-ahead logs of a writing connection in every state (docs/decisions/155). */
export class WalLimits {
  readonly #database: Database;
  readonly #schemas: readonly string[];
  #pages = 0;

  constructor(database: Database, schemas: readonly string[]) {
    this.#database = database;
    this.#schemas = schemas;
    this.#limit(USUAL_PAGES);
  }

  /** Allows larger logs until they are emptied, because moving them takes time. Call it before a large commit. */
  load(): void {
    this.#limit(LOAD_PAGES);
  }

  /** Empties a main log that readers let grow; waits for them up to the busy timeout. Call it after a large commit. */
  trim(): void {
    const size = statSync(`${this.#database.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size > LOAD_PAGES * PAGE_BYTES) this.#database.pragma('main.wal_checkpoint(RESTART)');
  }

  /** Returns false if a reader prevents that, without waiting. After an error the logs still have everything. */
  empty(): boolean {
    this.#limit(USUAL_PAGES);
    const patience = this.#database.pragma('busy_timeout', { simple: true }) as number;
    this.#database.pragma('busy_timeout = 0');
    try {
      return this.#schemas.map((schema) => this.#emptyOne(schema)).every((isEmpty) => isEmpty);
    } finally {
      this.#database.pragma(`busy_timeout = ${String(patience)}`);
    }
  }

  #emptyOne(schema: string): boolean {
    const [result] = this.#database.pragma(`${schema}.wal_checkpoint(TRUNCATE)`) as { busy: number }[];
    return result?.busy === 0;
  }

  #limit(pages: number): void {
    if (pages === this.#pages) return;
    this.#pages = pages;
    this.#database.pragma(`wal_autocheckpoint = ${String(pages)}`);
    for (const schema of this.#schemas) {
      this.#database.pragma(`${schema}.journal_size_limit = ${String(pages * PAGE_BYTES)}`);
    }
  }
}
