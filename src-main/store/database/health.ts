import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { SyncHealth } from '../../contract/model/visit.ts';
import { findCorruption, findWrongData } from './corruption.ts';
import { databaseBytes } from './files.ts';
import type { Properties } from './properties.ts';
import { RowCounts } from './row-counts.ts';

const NAME = 'integrity';
const DUE = 'check_due_at';
const WEEK = 7 * 24 * 3_600_000;

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
const INTEGRITY = z.object({ at: z.iso.datetime(), sound: z.boolean(), messages: z.array(z.string()) });

/** The result of the latest integrity check, saved in the mirror. */
export class IntegrityProperty {
  readonly #properties: Properties;

  /** @param mirror the properties of mirror.db */
  constructor(mirror: Properties) {
    this.#properties = mirror;
  }

  /** Null before the first check. */
  get(): Integrity | null {
    return this.#properties.json<Integrity>(NAME, INTEGRITY);
  }

  /** Within a transaction. The next check is due in a week. */
  set(integrity: Integrity): void {
    this.#properties.set(NAME, JSON.stringify(integrity));
    this.#properties.set(DUE, Date.parse(integrity.at) + WEEK);
  }

  /** Whether a check is due: a week after the last one, or because the files were not closed properly. */
  isDue(now: number): boolean {
    const due = this.#properties.number(DUE);
    // A due time far ahead was set by a clock that has been put back since.
    return now >= due || due - now > WEEK;
  }

  /** Within a transaction, after opening. A new mirror is checked after its first week. */
  opened(wasLeftOpen: boolean, now: number): void {
    if (wasLeftOpen) this.#properties.set(DUE, 0);
    else if (this.#properties.get(DUE) === null) this.#properties.set(DUE, now + WEEK);
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
   * Checks every page and index, and whether derived data agrees with its source: about two seconds for 100,000 items.
   * Between databases it yields to other work on this thread. What is damaged and can be replaced is replaced at the
   * next start. `at` is ms since 1970.
   */
  async check(at: number): Promise<Integrity> {
    const messages: string[] = [];
    for (const schema of SCHEMAS) {
      await new Promise((resolve) => setImmediate(resolve));
      messages.push(...findCorruption(this.#database, schema).map((message) => `${DATABASES[schema]}: ${message}`));
    }
    if (messages.length === 0)
      messages.push(...findWrongData(this.#database).map((message) => `mirror.db: ${message}`));
    return { at: new Date(at).toISOString(), sound: messages.length === 0, messages };
  }

  /** Whether a check is due. `now` is ms since 1970. */
  isCheckDue(now: number): boolean {
    return this.#integrity.isDue(now);
  }

  #bytesOf(schema: Schema): number {
    const attached = this.#database.pragma('database_list') as { name: string; file: string }[];
    const file = attached.find(({ name }) => name === schema)?.file ?? '';
    if (file !== '') return databaseBytes(file);
    const pragma = (name: string): number => Number(this.#database.pragma(`${schema}.${name}`, { simple: true }));
    return pragma('page_count') * pragma('page_size');
  }
}
