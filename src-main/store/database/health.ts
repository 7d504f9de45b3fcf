import type { Database } from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { SyncHealth } from '../../contract/model/visit.ts';
import { findCorruption, findWrongData, standInsOf, tablesOf } from './corruption.ts';
import { DISAGREEMENTS } from './derived-data.ts';
import { FILE_NAMES } from './identity.ts';
import { checkMarker, databaseBytes, removeMarker } from './files.ts';
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

const PROGRESS = 'check_progress';
/** A stopped check is continued within this time; damage on a disk can come later. */
const CONTINUED_MS = 24 * 3_600_000;
/** How the names of steps begin that compare data. */
const AGREES = 'agrees: ';

/** A part of a check that nothing can interrupt. */
interface CheckStep {
  name: string;
  /** Messages about damage. */
  find(): string[];
}

/** How to check. */
export interface CheckOptions {
  /** Names of steps that a stopped check has done. */
  skip?: readonly string[];
  /** Called after each step that found nothing. */
  onStep?: (name: string) => void;
  /** Stops the check after the present step. */
  signal?: AbortSignal;
}

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

  /** The steps that a stopped check has done, if it can be continued at this time (ms since 1970). */
  progress(now: number): string[] {
    const [at, ...steps] = (this.#properties.get(PROGRESS) ?? '').split('\n');
    return Math.abs(now - Number(at)) <= CONTINUED_MS ? steps : [];
  }

  /** Within a transaction: a check was stopped after these steps. */
  setProgress(now: number, steps: readonly string[]): void {
    this.#properties.set(PROGRESS, [now, ...steps].join('\n'));
  }

  /** Within a transaction. The next check is due in a week. */
  set(integrity: Integrity): void {
    this.#properties.set(NAME, JSON.stringify(integrity));
    this.#properties.set(DUE, Date.parse(integrity.at) + WEEK);
    this.#properties.set(PROGRESS, null);
  }

  /** Whether a check is due: a week after the last one, or because the files were not closed properly. */
  isDue(now: number): boolean {
    const due = this.#properties.number(DUE);
    // A due time far ahead was set by a clock that has been put back since.
    return now >= due || due - now > WEEK;
  }

  /** Within a transaction, after opening. A new mirror is checked after its first week. */
  opened(wasLeftOpen: boolean, now: number): void {
    if (wasLeftOpen) {
      this.#properties.set(DUE, 0);
      this.#properties.set(PROGRESS, null);
    } else if (this.#properties.get(DUE) === null) this.#properties.set(DUE, now + WEEK);
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
   * Between its steps, of 0.2 s at most, it yields to other work on this thread, and can be stopped: the result is null
   * then. What is damaged and can be replaced is replaced at the next start. `at` is ms since 1970.
   */
  async check(at: number, { skip = [], onStep, signal }: CheckOptions = {}): Promise<Integrity | null> {
    const messages: string[] = [];
    let isReadable = true;
    for (const { name, find } of this.#steps()) {
      if (skip.includes(name)) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) return null;
      const compares = name.startsWith(AGREES);
      // What SQLite can't read agrees with nothing.
      if (compares && !isReadable) break;
      const found = find();
      messages.push(...found);
      if (found.length === 0) onStep?.(name);
      else if (!compares) isReadable = false;
    }
    removeMarker(this.#marker);
    return { at: new Date(at).toISOString(), sound: messages.length === 0, messages };
  }

  /** The names of files that can't be read while the others are. */
  unreadable(): string[] {
    return standInsOf(this.#database).map((role) => FILE_NAMES[role]);
  }

  #steps(): CheckStep[] {
    const database = this.#database;
    const unreadable = this.unreadable().map((file) => ({
      name: file,
      find: () => [`${file}: is missing or can't be read`],
    }));
    const pages = SCHEMAS.flatMap((schema) => {
      const file = DATABASES[schema];
      return tablesOf(database, schema).map((table) => ({
        name: `${file}: ${table}`,
        find: () => findCorruption(database, schema, table).map((message) => `${file}: ${message}`),
      }));
    });
    const agreement = DISAGREEMENTS.map((what) => ({
      name: `${AGREES}${what}`,
      find: () => findWrongData(database, what),
    }));
    return [...unreadable, ...pages, ...agreement];
  }

  /** The steps of a check that was stopped a short time ago. `now` is ms since 1970. */
  checkProgress(now: number): string[] {
    // A row that can't be read may be in a part that a stopped check has done.
    return existsSync(this.#marker) ? [] : this.#integrity.progress(now);
  }

  /** Whether a check is due, also because a row could not be read. `now` is ms since 1970. */
  isCheckDue(now: number): boolean {
    return this.#integrity.isDue(now) || existsSync(this.#marker);
  }

  /** Marks the mirror for a check. */
  get #marker(): string {
    return checkMarker(this.#database.name);
  }

  #bytesOf(schema: Schema): number {
    const attached = this.#database.pragma('database_list') as { name: string; file: string }[];
    const file = attached.find(({ name }) => name === schema)?.file ?? '';
    if (file !== '') return databaseBytes(file);
    const pragma = (name: string): number => Number(this.#database.pragma(`${schema}.${name}`, { simple: true }));
    return pragma('page_count') * pragma('page_size');
  }
}
