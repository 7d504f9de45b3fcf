import type { Database } from 'better-sqlite3';

/** A saved text page of the service. Times are ms since 1970, `lifetime` is in ms. */
export interface TextPage {
  text: string;
  etag: string | null;
  /** How long the last response stays fresh, from `requestedAt`. */
  lifetime: number;
  requestedAt: number;
  fetchedAt: number;
}

/** The table `page`: texts of the service that are shown unchanged, such as the guide for agents. */
export class TextPages {
  readonly #get;
  readonly #put;

  constructor(database: Database) {
    this.#get = database.prepare<[string], TextPage>(
      'SELECT text, etag, lifetime, requested_at AS requestedAt, fetched_at AS fetchedAt FROM page WHERE name = ?',
    );
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO page (name, text, etag, lifetime, requested_at, fetched_at) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  get(name: string): TextPage | null {
    return this.#get.get(name) ?? null;
  }

  /** Within a transaction. */
  put(name: string, { text, etag, lifetime, requestedAt, fetchedAt }: TextPage): void {
    this.#put.run(name, text, etag, lifetime, requestedAt, fetchedAt);
  }
}
