import type { Database } from 'better-sqlite3';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { SyncHealth } from '../../contract/model/visit.ts';
import { findCorruption } from './corruption.ts';
import { databaseBytes } from './files.ts';
import type { Properties } from './properties.ts';
import { RowCounts } from './row-counts.ts';

const NAME = 'integrity';

/** File names of the databases, by schema. */
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

/** The result of the latest integrity check, saved in the mirror. */
export class IntegrityProperty {
  readonly #properties: Properties;

  /** @param mirror the properties of mirror.db */
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

/** Sizes, row counts and integrity of the databases. */
export class HealthQueries {
  readonly #database: Database;
  readonly #integrity: IntegrityProperty;
  readonly #counts: RowCounts;

  constructor(database: Database, integrity: IntegrityProperty) {
    this.#database = database;
    this.#integrity = integrity;
    this.#counts = new RowCounts(database);
  }

  /** Includes write-ahead logs. For a database in memory it is the size of its pages. */
  sizes(): { name: string; bytes: number }[] {
    return SCHEMAS.map((schema) => ({ name: DATABASES[schema], bytes: this.#bytesOf(schema) }));
  }

  /** The number of saved records; null for resources with counters. */
  rows(resource: ResourceName): number | null {
    return this.#counts.of(resource);
  }

  /** The result of the latest check; null before the first one. */
  integrity(): Integrity | null {
    return this.#integrity.get();
  }

  /**
   * Checks every page and index: about a second for 100,000 items. Between databases it yields to other work on this
   * thread. A damaged database that can be replaced is set aside at the next start. `at` is ms since 1970.
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
