import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { isItemList, type ItemListName, type ResourceName } from '../../contract/model/resource.ts';
import type { SyncHealth } from '../../contract/model/sync-status.ts';
import { type Db, sql, value, type WritableDb } from '../sql.ts';
import { findCorruption, findWrongData, standInsOf, tablesOf } from './corruption.ts';
import { DISAGREEMENTS } from './derived-data.ts';
import { checkMarker, databaseBytes, removeMarker } from './files.ts';
import { FILE_NAMES } from './identity.ts';
import { mirrorProperties } from './properties.ts';

const RESULT = 'integrity';
const DUE = 'check_due_at';
const PROGRESS = 'check_progress';
const WEEK = 7 * 24 * 3_600_000;

export type Integrity = NonNullable<SyncHealth['integrity']>;
const INTEGRITY = z.object({ at: z.iso.datetime(), sound: z.boolean(), messages: z.array(z.string()) });

/** A stopped check is not continued later than this: a disk may have been damaged since. */
const CONTINUED_MS = 24 * 3_600_000;

const DATABASES = {
  main: 'mirror.db',
  user: 'user.db',
  fetchLog: 'fetch-log.db',
  search: 'search.db',
  models: 'models.db',
} as const;
type Schema = keyof typeof DATABASES;
const SCHEMAS = Object.keys(DATABASES) as Schema[];

const AGREES = 'agrees: ';

/** A part of a check that nothing can interrupt. */
interface CheckStep {
  name: string;
  find(): string[];
}

export interface CheckOptions {
  skip?: readonly string[];
  /** Called after each step that found nothing. */
  onStep?: (name: string) => void;
  signal?: AbortSignal;
}

const LISTED = `FROM models.model_list WHERE owner = (SELECT value FROM main.property WHERE name = 'gateway')`;

/** Resources with few enough rows to count. Items have counters. */
const COUNTS: Readonly<Record<Exclude<ResourceName, ItemListName>, string>> = {
  hotTopics: sql`SELECT count(*) FROM main.hot_topic`,
  stories: sql`SELECT count(*) FROM main.story WHERE body IS NOT NULL`,
  dailies: sql`SELECT count(*) FROM main.report WHERE kind = 'daily' AND body IS NOT NULL`,
  weeklies: sql`SELECT count(*) FROM main.report WHERE kind = 'weekly' AND body IS NOT NULL`,
  monthlies: sql`SELECT count(*) FROM main.report WHERE kind = 'monthly' AND body IS NOT NULL`,
  models: sql`SELECT count ${LISTED} AND model_list = 'models'`,
  embeddings: sql`SELECT count ${LISTED} AND model_list = 'embeddings'`,
};

/** Returns the sizes with write-ahead logs; of a database in memory, the size of its pages. */
export function sizes(db: Database): { name: string; bytes: number }[] {
  return SCHEMAS.map((schema) => ({ name: DATABASES[schema], bytes: bytesOf(db, schema) }));
}

export { countRows as rows };

/** Returns the number of saved records; null for resources with counters. */
function countRows(db: Db, resource: ResourceName): number | null {
  return isItemList(resource) ? null : (value<number>(db, COUNTS[resource]) ?? 0);
}

/**
 * Checks every page and index, and that derived data agrees with its source: about two seconds for 100,000 items. Between its
 * steps, of 0.2 s at most, it yields to other work on this thread, and can be stopped: the result is null then. The next
 * start replaces what is damaged and replaceable. `at` is ms since 1970.
 */
export async function check(
  db: Database,
  at: number,
  { skip = [], onStep, signal }: CheckOptions = {},
): Promise<Integrity | null> {
  const messages: string[] = [];
  let isReadable = true;
  for (const { name, find } of stepsOf(db)) {
    if (skip.includes(name)) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted) return null;
    const compares = name.startsWith(AGREES);
    // Don't compare unreadable data.
    if (compares && !isReadable) break;
    const found = find();
    messages.push(...found);
    if (found.length === 0) onStep?.(name);
    else if (!compares) isReadable = false;
  }
  removeMarker(checkMarker(db.name));
  return { at: new Date(at).toISOString(), sound: messages.length === 0, messages };
}

/** Returns the names of files that can't be read while the others are. */
export function unreadable(db: Database): string[] {
  return standInsOf(db).map((role) => FILE_NAMES[role]);
}

/** Returns the steps of a check that was stopped a short time ago. `now` is ms since 1970. */
export function checkProgress(db: Db, now: number): string[] {
  // A row that can't be read may be in a part that a stopped check has done.
  return existsSync(checkMarker(db.name)) ? [] : progress(db, now);
}

/** Returns true if a check is due, also because a row could not be read. `now` is ms since 1970. */
export function isCheckDue(db: Db, now: number): boolean {
  return isDue(db, now) || existsSync(checkMarker(db.name));
}

export function integrity(db: Db): Integrity | null {
  return mirrorProperties.json<Integrity>(db, RESULT, INTEGRITY);
}

/** Notes that a check was stopped after these steps. */
export function setCheckProgress(db: WritableDb, now: number, steps: readonly string[]): void {
  mirrorProperties.set(db, PROGRESS, [now, ...steps].join('\n'));
}

/** Saves a result. The next check is due in a week. */
export function setIntegrity(db: WritableDb, found: Integrity): void {
  mirrorProperties.set(db, RESULT, JSON.stringify(found));
  mirrorProperties.set(db, DUE, Date.parse(found.at) + WEEK);
  mirrorProperties.set(db, PROGRESS, null);
}

/** Makes a check due if the files were not closed properly; of a new mirror, after its first week. */
export function noteOpening(db: WritableDb, wasLeftOpen: boolean, now: number): void {
  if (wasLeftOpen) {
    mirrorProperties.set(db, DUE, 0);
    mirrorProperties.set(db, PROGRESS, null);
  } else if (mirrorProperties.get(db, DUE) === null) mirrorProperties.set(db, DUE, now + WEEK);
}

function progress(db: Db, now: number): string[] {
  const [at, ...steps] = (mirrorProperties.get(db, PROGRESS) ?? '').split('\n');
  return Math.abs(now - Number(at)) <= CONTINUED_MS ? steps : [];
}

function isDue(db: Db, now: number): boolean {
  const due = mirrorProperties.number(db, DUE);
  // A due time far ahead was set by a clock that has been put back since.
  return now >= due || due - now > WEEK;
}

function stepsOf(db: Database): CheckStep[] {
  const lost = unreadable(db).map((file) => ({
    name: file,
    find: () => [`${file}: is missing or can't be read`],
  }));
  const pages = SCHEMAS.flatMap((schema) => {
    const file = DATABASES[schema];
    return tablesOf(db, schema).map((table) => ({
      name: `${file}: ${table}`,
      find: () => findCorruption(db, schema, table).map((message) => `${file}: ${message}`),
    }));
  });
  const agreement = DISAGREEMENTS.map((what) => ({ name: `${AGREES}${what}`, find: () => findWrongData(db, what) }));
  return [...lost, ...pages, ...agreement];
}

function bytesOf(db: Database, schema: Schema): number {
  const attached = db.pragma('database_list') as { name: string; file: string }[];
  const file = attached.find(({ name }) => name === schema)?.file ?? '';
  if (file !== '') return databaseBytes(file);
  const pragma = (name: string): number => Number(db.pragma(`${schema}.${name}`, { simple: true }));
  return pragma('page_count') * pragma('page_size');
}
