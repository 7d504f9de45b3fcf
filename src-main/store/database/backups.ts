import Database, { type Database as Connection } from 'better-sqlite3';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Backup } from '../../contract/user-data.ts';
import { isCorruption, isSound } from './corruption.ts';
import { flushFile } from './files.ts';
import { newerThanThis } from './migrate.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';
import { USER_MIGRATIONS } from './migrations/user.ts';
import { holdsUserData } from '../user-data/exported-tables.ts';

/**
 * The number of daily and manual backups to keep. Of the backups before migrations, the newest of each version is kept.
 */
const KEPT = 7;
const DAY_MS = 24 * 60 * 60_000;

const NAME = /^user-(?:v(\d+)-)?(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.db$/;
const UNFINISHED = '.unfinished.db';

/** The backups of user.db in a data folder, newest first. Other files in the backup folder are ignored. */
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
 * Copies the attached user.db, completely or not at all, and removes old backups. Errors: `disk_full`,
 * `data_read_only`; `not_supported` for a store in memory.
 */
export function makeBackup(database: Connection, folder: string, now: number): void {
  write(database, folder, `user-${stamp(now)}.db`);
}

/** Backs up user.db before a migration. Errors: those of {@link makeBackup}. */
export function backUpBeforeMigration(database: Connection, folder: string, version: number, now: number): void {
  if (folder !== ':memory:') write(database, folder, `user-v${String(version)}-${stamp(now)}.db`);
}

/** The result of a daily backup. `unchanged`: the copy was identical to the newest backup and was removed. */
export type DailyBackup = 'made' | 'unchanged' | 'notDue';

/** Backs up user.db once a day, if it holds anything and differs from the newest backup. */
export function backUpDaily(database: Connection, folder: string, now: number): DailyBackup {
  if (folder === ':memory:' || !holdsUserData(database)) return 'notDue';
  const [newest] = listBackups(folder);
  // Backups go on after the clock was set back.
  if (newest && Math.abs(now - Date.parse(newest.at)) < DAY_MS) return 'notDue';
  return write(database, folder, `user-${stamp(now)}.db`, newest) ? 'made' : 'unchanged';
}

/** The path of a backup that can replace user.db. Errors: `not_found`, `data_unreadable`, `data_newer`. */
export function soundBackup(folder: string, name: string): string {
  const place = backupsIn(folder);
  const isThere = listBackups(folder).some((backup) => backup.name === name);
  if (place === null || !isThere) throw new BroadsheetError('not_found', `There is no backup ${name}.`);
  const file = join(place, name);
  const version = versionOfSound(file);
  if (version === null)
    throw new BroadsheetError('data_unreadable', `The backup ${name} is damaged. Choose another backup.`);
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

/** Returns false if the copy is identical to `before`; no backup is added then. */
function write(database: Connection, folder: string, name: string, before?: Backup): boolean {
  const place = backupsIn(folder);
  if (place === null) throw new BroadsheetError('not_supported', 'This store is in memory and cannot be backed up.');
  const unfinished = join(place, UNFINISHED);
  try {
    makePrivateFolder(place);
    rmSync(unfinished, { force: true });
    makePrivateFile(unfinished);
    database.prepare('VACUUM user INTO ?').run(unfinished);
    const isNew = !before || !readFileSync(join(place, before.name)).equals(readFileSync(unfinished));
    if (isNew) keep(unfinished, join(place, name));
    else rmSync(unfinished);
    prune(folder, place);
    return isNew;
  } catch (error) {
    discard(unfinished);
    throw explainFileError(error);
  }
}

/** Flushes before the rename, so that a backup under its final name is always complete. */
function keep(unfinished: string, file: string): void {
  flushFile(unfinished);
  renameSync(unfinished, file);
}

/** Frees the space on a full disk. If this fails too, the next backup removes the file. */
function discard(unfinished: string): void {
  try {
    rmSync(unfinished, { force: true });
  } catch {
    // The first error is the one to report.
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

/** Turns file system errors of the backup folder into the app's errors; SQLite's errors stay as they are. */
function explainFileError(error: unknown): unknown {
  if (error instanceof BroadsheetError || error instanceof Database.SqliteError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const words = isFull
    ? 'The disk is full, so no backup could be made. Free some space and try again.'
    : "Can't write to the backup folder. Check its permissions.";
  return code === undefined
    ? error
    : new BroadsheetError(isFull ? 'disk_full' : 'data_read_only', words, { cause: error });
}
