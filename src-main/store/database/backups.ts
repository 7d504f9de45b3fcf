import Database, { type Database as Connection } from 'better-sqlite3';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Backup } from '../../contract/user-data.ts';
import { isCorruption, isSound } from './corruption.ts';
import { flushFile } from './files.ts';
import { newerThanThis } from './migrate.ts';
import { USER_MIGRATIONS } from './migrations/user.ts';
import { holdsUserData } from '../user-data/exported-tables.ts';

/** Of those made day by day or by hand; of the ones made before a migration the newest of each version is kept. */
const KEPT = 7;
const DAY_MS = 24 * 60 * 60_000;

const NAME = /^user-(?:v(\d+)-)?(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.db$/;
const UNFINISHED = '.unfinished.db';

/** The copies of user.db in a data folder, newest first. Whatever else lies beside them is none. */
export function listBackups(folder: string): Backup[] {
  const place = backupsIn(folder);
  if (place === null || !statSync(place, { throwIfNoEntry: false })?.isDirectory()) return [];
  const named = readdirSync(place).flatMap((name) => {
    const at = timeOf(name);
    return at === null ? [] : [{ name, at }];
  });
  return named
    .toSorted((a, b) => b.at.localeCompare(a.at) || b.name.localeCompare(a.name))
    .map(({ name, at }) => ({ name, at, bytes: statSync(join(place, name), { throwIfNoEntry: false })?.size ?? 0 }));
}

/**
 * Copies user.db, as it is attached to `database`, whole or not at all, and lets go of what is too old. Errors: `disk_full`,
 * `data_read_only`; `not_supported` for a store in memory.
 */
export function makeBackup(database: Connection, folder: string, now: number): void {
  write(database, folder, `user-${stamp(now)}.db`);
}

/** Before user.db is brought to a newer version. Errors: as those of {@link makeBackup}. */
export function backUpBeforeMigration(database: Connection, folder: string, version: number, now: number): void {
  if (folder !== ':memory:') write(database, folder, `user-v${String(version)}-${stamp(now)}.db`);
}

/** What became of a day's backup. `unchanged`: it would have been the same as the newest one, which took a copy to find. */
export type DailyBackup = 'made' | 'unchanged' | 'notDue';

/** Once a day, where there is something to lose and it is not what the newest backup holds. */
export function backUpDaily(database: Connection, folder: string, now: number): DailyBackup {
  if (folder === ':memory:' || !holdsUserData(database)) return 'notDue';
  const [newest] = listBackups(folder);
  // A clock that was set back must not end the backups.
  if (newest && Math.abs(now - Date.parse(newest.at)) < DAY_MS) return 'notDue';
  return write(database, folder, `user-${stamp(now)}.db`, newest) ? 'made' : 'unchanged';
}

/**
 * The file of a backup that can be put in the place of user.db. Errors: `not_found`, `data_unreadable`, `data_newer`.
 */
export function soundBackup(folder: string, name: string): string {
  const place = backupsIn(folder);
  const isThere = listBackups(folder).some((backup) => backup.name === name);
  if (place === null || !isThere) throw new BroadsheetError('not_found', `There is no backup ${name}.`);
  const file = join(place, name);
  const version = versionOfSound(file);
  if (version === null)
    throw new BroadsheetError('data_unreadable', `The backup ${name} is damaged. Choose another one.`);
  if (version > USER_MIGRATIONS.length) throw newerThanThis('user');
  return file;
}

function versionOfSound(file: string): number | null {
  let database: Connection | undefined;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
    const version = database.pragma('user_version', { simple: true }) as number;
    return version > 0 && isSound(database) ? version : null;
  } catch (error) {
    if (isCorruption(error)) return null;
    throw error;
  } finally {
    database?.close();
  }
}

/** False where it would be the same as `before`: then there is nothing new. */
function write(database: Connection, folder: string, name: string, before?: Backup): boolean {
  const place = backupsIn(folder);
  if (place === null)
    throw new BroadsheetError('not_supported', 'This store is in memory: there is nothing to back up to.');
  const unfinished = join(place, UNFINISHED);
  try {
    mkdirSync(place, { recursive: true });
    rmSync(unfinished, { force: true });
    database.prepare('VACUUM user INTO ?').run(unfinished);
    const isNew = !before || !readFileSync(join(place, before.name)).equals(readFileSync(unfinished));
    if (isNew) keep(unfinished, join(place, name));
    else rmSync(unfinished);
    prune(folder, place);
    return isNew;
  } catch (error) {
    discard(unfinished);
    throw inWords(error);
  }
}

/** What is under the name is whole, whenever this is ended. */
function keep(unfinished: string, file: string): void {
  flushFile(unfinished);
  renameSync(unfinished, file);
}

/** A disk that is full needs the room; where this fails too, the next backup does it. */
function discard(unfinished: string): void {
  try {
    rmSync(unfinished, { force: true });
  } catch {
    // The first error is the one to be told.
  }
}

function prune(folder: string, place: string): void {
  const seen = new Set<string>();
  let plain = 0;
  for (const { name } of listBackups(folder)) {
    const version = NAME.exec(name)?.[1];
    const keeps = version === undefined ? (plain += 1) <= KEPT : !seen.has(version);
    if (version !== undefined) seen.add(version);
    if (!keeps) rmSync(join(place, name), { force: true });
  }
}

/** Null for a store in memory. */
function backupsIn(folder: string): string | null {
  return folder === ':memory:' ? null : join(folder, 'backups');
}

function stamp(now: number): string {
  return new Date(now).toISOString().replace(/[:.]/g, '-');
}

function timeOf(name: string): string | null {
  const [, , day, hours, minutes, seconds, ms] = NAME.exec(name) ?? [];
  if (day === undefined) return null;
  const at = `${day}T${String(hours)}:${String(minutes)}:${String(seconds)}.${String(ms)}Z`;
  return Number.isNaN(Date.parse(at)) ? null : at;
}

/** What the system says of the folder of the backups; SQLite's errors as they are. */
function inWords(error: unknown): unknown {
  if (error instanceof BroadsheetError || error instanceof Database.SqliteError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const words = isFull
    ? 'The disk is full, so no backup could be made. Free some space, then try again.'
    : 'The folder of the backups cannot be written to. Check its permissions.';
  return code === undefined
    ? error
    : new BroadsheetError(isFull ? 'disk_full' : 'data_read_only', words, { cause: error });
}
