import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database, { type Database as Connection } from 'better-sqlite3';
import { isOutOfHandles, tooManyOpenFiles } from '../../common/system-errors.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import type { Backup } from '../../contract/user-data.ts';
import { holdsUserData } from '../user-data/export.ts';
import { continueHistory } from '../models/continued-history.ts';
import { FILES, migrate, newerThanThis, newestVersion, schemaVersion } from './databases.ts';
import { mayBeDamage } from './errors.ts';
import { stateOf } from './file-states.ts';
import {
  beside,
  flushFile,
  fromFileTime,
  kindOf,
  makePrivateFile,
  makePrivateFolder,
  moveDatabase,
  PRIVATE_FILE,
  removeDatabase,
  removeIfPossible,
  setAside,
  storeFiles,
  toFileTime,
} from './files.ts';
import { contentState, isSound, roleInHeader, setRole } from './identity.ts';
import { lockFolder, type FolderLock } from './lock.ts';
import { lossesIn, settleLosses } from './set-aside.ts';

/** Daily and manual ones. Of those before migrations, the newest of each version is kept. */
const MAX_BACKUPS = 7;
const DAY_MS = 24 * 60 * 60_000;
const MAX_WARNINGS = 20;

const NAME = /^user-(?:v(?<version>\d+)-)?(?<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)\.db$/;
const UNFINISHED = '.unfinished.db';

/** Newest first. */
export function listBackups(folder: string): Backup[] {
  const path = backupFolder(folder);
  if (path === null || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  const named = readdirSync(path).flatMap((name) => {
    const { time } = NAME.exec(name)?.groups ?? {};
    const at = time === undefined ? null : fromFileTime(time);
    return at === null ? [] : [{ name, at }];
  });
  return named
    .toSorted((a, b) => b.at.localeCompare(a.at) || b.name.localeCompare(a.name))
    .map(({ name, at }) => ({ name, at, bytes: statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0 }));
}

/** Errors: `disk_full`, `data_read_only`, `too_many_open_files`; `not_supported` for a store in memory. */
export function makeBackup(database: Connection, folder: string, now: number): void {
  write(database, folder, `user-${toFileTime(now)}.db`);
}

export function backUpBeforeMigration(database: Connection, folder: string, version: number, now: number): void {
  if (folder !== ':memory:') write(database, folder, `user-v${String(version)}-${toFileTime(now)}.db`);
}

export interface Restored {
  /** The files must not be open. */
  undo(): void;
}

/** `unchanged`: the copy was identical to the newest backup and was removed. */
export type DailyBackup = 'made' | 'unchanged' | 'notDue';

export function backUpDaily(database: Connection, folder: string, now: number): DailyBackup {
  if (folder === ':memory:' || !holdsUserData(database)) return 'notDue';
  const [newest] = listBackups(folder);
  // Absolute, so that backups continue after the clock was set back.
  if (newest && Math.abs(now - Date.parse(newest.at)) < DAY_MS) return 'notDue';
  return write(database, folder, `user-${toFileTime(now)}.db`, newest) ? 'made' : 'unchanged';
}

/** Errors: `not_found`, `data_newer`; `data_unreadable` for a backup that is damaged or no copy of user.db. */
export function soundBackup(folder: string, name: string): string {
  const path = backupFolder(folder);
  const isThere = listBackups(folder).some((backup) => backup.name === name);
  if (path === null || !isThere) throw new BroadsheetError('not_found', `There is no backup ${name}.`);
  const file = join(path, name);
  checkBackup(file, name);
  return file;
}

/** `before` is RFC 3339. */
export function newestSoundBackup(folder: string, before?: string): string | undefined {
  const backups = listBackups(folder).filter(({ at }) => before === undefined || at < before);
  return backups.find(({ name }) => isUsable(folder, name))?.name;
}

/** The files must not be open. `lock`: if the caller holds it. After an error nothing has changed. */
export function restoreBackup(folder: string, name: string, now: number, lock?: FolderLock): Restored {
  const { user, lock: file } = storeFiles(folder);
  const own = lock ? null : lockFolder(file);
  try {
    const unfinished = beside(user, 'unfinished');
    removeDatabase(unfinished);
    copyFileSync(soundBackup(folder, name), unfinished);
    chmodSync(unfinished, PRIVATE_FILE);
    openOnTrial(unfinished, name);
    takeOverFrom(user, unfinished);
    flushFile(unfinished);
    renameSync(unfinished, beside(user, 'next'));
    const replaced = takeRestored(user, now);
    const unsettle = settleLosses(folder, 'user.db');
    return {
      undo: () => {
        if (replaced === null) removeDatabase(user);
        else {
          // One rename, so that there is a user.db at every moment.
          for (const companion of ['-wal', '-shm']) rmSync(user + companion, { force: true });
          moveDatabase(join(folder, replaced), user);
        }
        unsettle();
      },
    };
  } finally {
    own?.release();
  }
}

/**
 * Puts a restored user.db in place, also after an interrupted {@link restoreBackup}, and returns the name of the one that was set
 * aside. Call it in a locked folder, before user.db is opened.
 */
export function takeRestored(user: string, now: number): string | null {
  removeDatabase(beside(user, 'unfinished'));
  const next = beside(user, 'next');
  if (!existsSync(next)) return null;
  // The log alone is what an interrupted move left.
  const replaced = existsSync(user) || existsSync(`${user}-wal`) ? setAside(user, 'replaced', now) : null;
  renameSync(next, user);
  return replaced;
}

/** Returns the newest open warnings, oldest first, always with the newest about user.db. */
export function standingWarnings(folder: string): StorageWarning[] {
  const open = lossesIn(folder).filter(({ dismissed }) => !dismissed);
  const shown = new Set(open.slice(-MAX_WARNINGS));
  const ofUser = open.findLast(({ warning }) => warning.file === 'user.db');
  if (ofUser) shown.add(ofUser);
  return open
    .filter((loss) => shown.has(loss))
    .map(({ warning, at }) => {
      const backup = warning.file === 'user.db' ? newestSoundBackup(folder, at) : undefined;
      return backup === undefined ? warning : { ...warning, backup };
    });
}

function isUsable(folder: string, name: string): boolean {
  try {
    soundBackup(folder, name);
    return true;
  } catch {
    return false;
  }
}

function checkBackup(file: string, name: string): void {
  const state = stateOf(file, 'user', { readonly: true });
  if (state === 'usable') return;
  if (state === 'newer') throw newerThanThis('user');
  if (state === 'foreign') {
    const owner = roleInHeader(file);
    const what = owner === null ? 'is not' : `is a copy of ${FILES[owner].name},`;
    throw unusableError(name, owner === null ? `${what} a copy of user.db` : `${what} not of user.db`);
  }
  throw unusableError(name, state === 'damaged' ? 'is damaged' : 'is not a file');
}

function openOnTrial(copy: string, name: string): void {
  const database = new Database(copy);
  try {
    if (schemaVersion(database, 'main') === 0) throw unusableError(name, 'is empty');
    migrate(database, 'main', FILES.user.migrations);
    setRole(database, 'user');
  } finally {
    database.close();
  }
  checkBackup(copy, name);
}

const KEEP_WAITS = `INSERT INTO main.service (name, wait_since, wait_span)
  SELECT name, wait_since, wait_span FROM later.service WHERE wait_since IS NOT NULL
  ON CONFLICT (name) DO UPDATE SET wait_since = excluded.wait_since, wait_span = excluded.wait_span`;

/** Keeps what a restore doesn't undo. Takes nothing from a file that isn't whole. */
function takeOverFrom(replaced: string, copy: string): void {
  if (kindOf(replaced) !== 'file') return;
  const database = new Database(copy);
  try {
    database.prepare('ATTACH DATABASE ? AS later').run(replaced);
    if (schemaVersion(database, 'later') !== newestVersion('user')) return;
    if (contentState(database, 'user', 'later') !== 'usable' || !isSound(database, 'later')) return;
    database.transaction(() => {
      database.exec(KEEP_WAITS);
      continueHistory(database);
    })();
  } catch (error) {
    if (!mayBeDamage(error)) throw error;
  } finally {
    database.close();
  }
}

function unusableError(name: string, what: string): BroadsheetError {
  return new BroadsheetError('data_unreadable', `The backup ${name} ${what}. Choose another backup.`);
}

/** Adds no backup and returns false if the copy is identical to `before`. */
function write(database: Connection, folder: string, name: string, before?: Backup): boolean {
  const path = backupFolder(folder);
  if (path === null) throw new BroadsheetError('not_supported', 'This store is in memory and cannot be backed up.');
  const unfinished = join(path, UNFINISHED);
  try {
    makePrivateFolder(path);
    rmSync(unfinished, { force: true });
    makePrivateFile(unfinished);
    database.prepare('VACUUM user INTO ?').run(unfinished);
    const isNew = !before || !readFileSync(join(path, before.name)).equals(readFileSync(unfinished));
    if (isNew) {
      // Before the rename, so that a backup under its final name is always complete.
      flushFile(unfinished);
      renameSync(unfinished, join(path, name));
    } else rmSync(unfinished);
    prune(folder, path);
    return isNew;
  } catch (error) {
    // Frees space on a full disk.
    removeIfPossible(unfinished);
    throw explainFileError(error);
  }
}

function prune(folder: string, path: string): void {
  const backups = listBackups(folder);
  const kept = keptForLosses(folder, backups);
  const versions = new Set<string>();
  let plain = 0;
  for (const { name } of backups) {
    if (kept.has(name)) continue;
    const version = NAME.exec(name)?.groups?.['version'];
    const keeps = version === undefined ? (plain += 1) <= MAX_BACKUPS : !versions.has(version);
    if (version !== undefined) versions.add(version);
    if (!keeps) rmSync(join(path, name), { force: true });
  }
}

/** Returns backups from before a loss of user.db: all until the reader dismisses the warning, then the newest one. */
function keptForLosses(folder: string, backups: readonly Backup[]): Set<string> {
  const losses = lossesIn(folder).filter(({ warning }) => warning.file === 'user.db');
  const names = losses.flatMap(({ at, dismissed }) => {
    const before = backups.filter((backup) => backup.at < at);
    return dismissed ? before.slice(0, 1) : before;
  });
  return new Set(names.map(({ name }) => name));
}

function backupFolder(folder: string): string | null {
  return folder === ':memory:' ? null : join(folder, 'backups');
}

function explainFileError(error: unknown): unknown {
  if (error instanceof BroadsheetError || error instanceof Database.SqliteError) return error;
  if (isOutOfHandles(error)) return tooManyOpenFiles(error);
  const { code } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const words = isFull
    ? 'The disk is full, so no backup could be made. Free some space and try again.'
    : "Can't write to the backup folder. Check its permissions.";
  return code === undefined
    ? error
    : new BroadsheetError(isFull ? 'disk_full' : 'data_read_only', words, { cause: error });
}
