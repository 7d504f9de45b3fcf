import type { Database } from 'better-sqlite3';

/**
 * The table `validator`: the ETag of each response whose body is saved, byte for byte, with the exact address that it
 * came from.
 */
export class ValidatorsTable {
  readonly #get;
  readonly #set;
  readonly #clear;

  constructor(database: Database) {
    this.#get = database
      .prepare<[string, string], string>('SELECT etag FROM validator WHERE resource = ? AND address = ?')
      .pluck();
    this.#set = database.prepare<[string, string, string]>(
      `INSERT INTO validator (resource, address, etag) VALUES (?, ?, ?)
       ON CONFLICT (resource) DO UPDATE SET address = excluded.address, etag = excluded.etag
       WHERE address <> excluded.address OR etag <> excluded.etag`,
    );
    this.#clear = database.prepare<[string]>('DELETE FROM validator WHERE resource = ?');
  }

  get(resource: string, address: string): string | undefined {
    return this.#get.get(resource, address);
  }

  /** Call it in the transaction that saves the body. Null clears: the new body came without an ETag. */
  set(resource: string, address: string, etag: string | null): void {
    if (etag === null) this.#clear.run(resource);
    else this.#set.run(resource, address, etag);
  }

  clear(resource: string): void {
    this.#clear.run(resource);
  }
}
