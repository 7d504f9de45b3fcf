import type { Database } from 'better-sqlite3';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { SyncHealth } from '../../contract/model/visit.ts';
import { findCorruption } from './corruption.ts';
import { databaseBytes } from './files.ts';
import type { Properties } from './properties.ts';
import { countRows } from './row-counts.ts';

const NAME = 'integrity';

/** The databases of a connection, by the names of their files. */
const DATABASES = {
  main: 'mirror.db',
  user: 'user.db',
  fetchLog: 'fetch-log.db',
  search: 'search.db',
  models: 'models.db',
} as const;
type Schema = keyof typeof DATABASES;
const SCHEMAS = Object.keys(DATABASES) as Schema[];

export type Integrity = NonNullable<SyncHealth['integrity']>;

/** What the latest check of the databases found. Kept in the mirror. */
export class IntegrityProperty {
  readonly #properties: Properties;

  /** @param mirror the properties of the mirror */
  constructor(mirror: Properties) {
    this.#properties = mirror;
  }

  /** Null before the first check. */
  get(): Integrity | null {
    const text = this.#properties.get(NAME);
    return text === null ? null : (JSON.parse(text) as Integrity);
  }

  /** Within a transaction. */
  set(integrity: Integrity): void {
    this.#properties.set(NAME, JSON.stringify(integrity));
  }
}

/** How large the stored databases are, what they hold, and whether they are whole. */
export class HealthQueries {
  readonly #database: Database;
  readonly #integrity: IntegrityProperty;

  constructor(database: Database, integrity: IntegrityProperty) {
    this.#database = database;
    this.#integrity = integrity;
  }

  /** With what is not yet moved into each file. A database in memory counts its pages. */
  sizes(): { name: string; bytes: number }[] {
    return SCHEMAS.map((schema) => ({ name: DATABASES[schema], bytes: this.#bytesOf(schema) }));
  }

  /** How many records of a resource are stored; null for those that have kept counters. */
  rows(resource: ResourceName): number | null {
    return countRows(this.#database, resource);
  }

  /** What the latest check found; null before the first one. */
  integrity(): Integrity | null {
    return this.#integrity.get();
  }

  /**
   * Checks every page and index: about a second for 100,000 items, one database at a time, so that whatever else waits for this
   * thread gets its turn. A damaged database that can be had anew is set aside by the next start. `at` is ms since 1970.
   */
  async check(at: number): Promise<Integrity> {
    const messages: string[] = [];
    for (const schema of SCHEMAS) {
      await new Promise((resolve) => setImmediate(resolve));
      messages.push(...findCorruption(this.#database, schema).map((message) => `${DATABASES[schema]}: ${message}`));
    }
    return { at: new Date(at).toISOString(), sound: messages.length === 0, messages };
  }

  #bytesOf(schema: Schema): number {
    const attached = this.#database.pragma('database_list') as { name: string; file: string }[];
    const file = attached.find(({ name }) => name === schema)?.file ?? '';
    if (file !== '') return databaseBytes(file);
    const pragma = (name: string): number => Number(this.#database.pragma(`${schema}.${name}`, { simple: true }));
    return pragma('page_count') * pragma('page_size');
  }
}
