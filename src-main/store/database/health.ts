import type { StoredKind } from '../documents.ts';
import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { isItemList, type ItemListName, type ResourceName } from '../../contract/model/resource.ts';
import type { SyncHealth } from '../../contract/model/sync-status.ts';
import { type Db, sql, value, type WritableDb } from '../sql.ts';
import { markReplaceable, noteDamage, standInsOf } from './corruption.ts';
import { FILES, fileOf, ROLES, schemaOf, type Role } from './databases.ts';
import { DISAGREEMENTS, findDisagreements, repairDerivedData } from './checks.ts';
import { mayBeDamage } from './errors.ts';
import { addMarker, checkMarker, databaseBytes, removeIfPossible } from './files.ts';
import { mirrorProperties } from './properties.ts';

const RESULT = 'integrity';
const DUE = 'check_due_at';
const PROGRESS = 'check_progress';
const WEEK = 7 * 24 * 3_600_000;

export type Integrity = NonNullable<SyncHealth['integrity']>;

export interface CheckResult extends Integrity {
  /** Derived data that is wrong, or rows that can't be read: {@link setIntegrity} repairs them. */
  needsRepair?: boolean;
}

const INTEGRITY = z.object({ at: z.iso.datetime(), sound: z.boolean(), messages: z.array(z.string()) });

/** A stopped check is continued until then: a disk may have been damaged since. */
const CONTINUED_MS = 24 * 3_600_000;

const MAX_MESSAGES = 20;
const AGREES = 'agrees: ';

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

const countOf = (kind: StoredKind): string =>
  `SELECT count(*) FROM main.document WHERE kind = '${kind}' AND body IS NOT NULL`;
const LISTED = `FROM user.model_list WHERE owner = (SELECT value FROM main.property WHERE name = 'gateway')`;

/** Resources with few enough rows to count. Items have counters. */
const COUNTS: Readonly<Record<Exclude<ResourceName, ItemListName>, string>> = {
  hotTopics: sql`SELECT CASE WHEN json_valid(body) THEN json_array_length(body) ELSE 0 END FROM main.document
    WHERE kind = 'hotTopics'`,
  stories: countOf('story'),
  dailies: countOf('daily'),
  weeklies: countOf('weekly'),
  monthlies: countOf('monthly'),
  models: sql`SELECT count ${LISTED} AND model_list = 'models'`,
  embeddings: sql`SELECT count ${LISTED} AND model_list = 'embeddings'`,
};

export function sizes(db: Database): { name: string; bytes: number }[] {
  return ROLES.map((role) => ({ name: FILES[role].name, bytes: bytesOf(db, role) }));
}

export function countRows(db: Db, resource: ResourceName): number | null {
  return isItemList(resource) ? null : (value<number>(db, COUNTS[resource]) ?? 0);
}

/** Takes two seconds for 100,000 items, in steps of 0.2 s; returns null if stopped between them. `at` is ms since 1970. */
export async function check(
  db: Database,
  at: number,
  { skip = [], onStep, signal }: CheckOptions = {},
): Promise<CheckResult | null> {
  const messages: string[] = [];
  let isReadable = true;
  const repairs: string[] = [];
  for (const { name, find } of stepsOf(db, repairs)) {
    if (skip.includes(name)) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted) return null;
    const compares = name.startsWith(AGREES);
    if (compares && !isReadable) break;
    const found = find();
    messages.push(...found);
    if (found.length === 0) onStep?.(name);
    else if (!compares) isReadable = false;
  }
  const needsRepair = repairs.length > 0;
  // Someone who only reads can't repair it.
  if (needsRepair && !db.memory) addMarker(checkMarker(db.name));
  else removeIfPossible(checkMarker(db.name));
  return { at: new Date(at).toISOString(), sound: messages.length === 0, messages, needsRepair };
}

export function unreadable(db: Database): string[] {
  return standInsOf(db).map((role) => FILES[role].name);
}

/** Returns the steps done of a stopped check. `now` is ms since 1970. */
export function checkProgress(db: Db, now: number): string[] {
  // A row that can't be read may be in a part that was checked.
  if (existsSync(checkMarker(db.name))) return [];
  const [at, ...steps] = (mirrorProperties.get(db, PROGRESS) ?? '').split('\n');
  return Math.abs(now - Number(at)) <= CONTINUED_MS ? steps : [];
}

export function isCheckDue(db: Db, now: number): boolean {
  const due = mirrorProperties.number(db, DUE);
  // A due time far ahead was set by a clock that has been put back since.
  return now >= due || due - now > WEEK || existsSync(checkMarker(db.name));
}

export function integrity(db: Db): Integrity | null {
  return mirrorProperties.json<Integrity>(db, RESULT, INTEGRITY);
}

export function setCheckProgress(db: WritableDb, now: number, steps: readonly string[]): void {
  mirrorProperties.set(db, PROGRESS, [now, ...steps].join('\n'));
}

export function setIntegrity(db: WritableDb, { needsRepair, ...found }: CheckResult): void {
  if (needsRepair) repairDerivedData(db);
  mirrorProperties.set(db, RESULT, JSON.stringify(found));
  mirrorProperties.set(db, DUE, Date.parse(found.at) + WEEK);
  mirrorProperties.set(db, PROGRESS, null);
  removeIfPossible(checkMarker(db.name));
}

export function noteOpening(db: WritableDb, wasLeftOpen: boolean, now: number): void {
  if (wasLeftOpen) {
    mirrorProperties.set(db, DUE, 0);
    mirrorProperties.set(db, PROGRESS, null);
  } else if (mirrorProperties.get(db, DUE) === null) mirrorProperties.set(db, DUE, now + WEEK);
}

function stepsOf(db: Database, repairs: string[]): CheckStep[] {
  const lost = unreadable(db).map((file) => ({ name: file, find: () => [`${file}: is missing or can't be read`] }));
  const pages = ROLES.flatMap((role) =>
    tablesOf(db, role).map((table) => ({
      name: `${FILES[role].name}: ${table}`,
      find: () => findCorruption(db, role, table).map((message) => `${FILES[role].name}: ${message}`),
    })),
  );
  const agreement = DISAGREEMENTS.map((what) => ({
    name: `${AGREES}${what}`,
    find: () => findWrongData(db, what, repairs),
  }));
  return [...lost, ...pages, ...agreement];
}

/** SQLite checks unused pages with the first one. */
function tablesOf(db: Database, role: Role): string[] {
  const sql = `SELECT name FROM ${schemaOf(role)}.sqlite_schema WHERE type = 'table' ORDER BY rowid`;
  return ['sqlite_schema', ...db.prepare<[], string>(sql).pluck().all()];
}

/** Messages name no contents. Checks one table, because SQLite can't be interrupted: 0.2 s for 100,000 items. */
function findCorruption(db: Database, role: Role, table: string): string[] {
  const messages = checkTable(db, role, table);
  if (messages.length > 0) markReplaceable(role, fileOf(db, role));
  return messages;
}

function checkTable(db: Database, role: Role, table: string): string[] {
  try {
    const found = db.pragma(`${schemaOf(role)}.integrity_check('${table.replaceAll("'", "''")}')`) as {
      integrity_check: string;
    }[];
    const messages = found.map((row) => row.integrity_check).filter((message) => message !== 'ok');
    return messages.slice(0, MAX_MESSAGES);
  } catch (error) {
    if (mayBeDamage(error)) return [error.message];
    throw error;
  }
}

/** Only what is found twice counts: two files never commit as one. */
function findWrongData(db: Database, what: string, repairs: string[]): string[] {
  try {
    const first = findDisagreements(db, what);
    if (Object.values(first).flat().length === 0) return [];
    const { lost, repairable, search, reader } = findDisagreements(db, what);
    if (lost.length > 0) markReplaceable('mirror', fileOf(db, 'mirror'));
    if (search.length > 0) markReplaceable('search', fileOf(db, 'search'));
    if (repairable.length > 0) repairs.push(what);
    return [...lost, ...repairable, ...search, ...reader];
  } catch (error) {
    if (!mayBeDamage(error)) throw error;
    noteDamage(error, db);
    return [error.message];
  }
}

function bytesOf(db: Database, role: Role): number {
  const file = fileOf(db, role);
  if (file !== '') return databaseBytes(file);
  const pragma = (name: string): number => Number(db.pragma(`${schemaOf(role)}.${name}`, { simple: true }));
  return pragma('page_count') * pragma('page_size');
}
