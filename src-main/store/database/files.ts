import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** A SQLite database and its companion files, which hold changes not yet in it and must move with it. */
export const COMPANIONS = ['', '-wal', '-shm'] as const;

/** Only the user may read what is saved, and take the lock: others on this computer must not even see names. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** What group and others may do. */
const OF_OTHERS = 0o077;
const STICKY = 0o1000;

/** Folders in which everything is Broadsheet's. Chromium's is behind the data folder, and too large to go through. */
const OUR_FOLDERS = ['backups', 'logs', 'sources'];
const OUR_FILES =
  /^(?:(?:mirror|user|search|fetch-log|models|lock)\.db|(?:settings|key|window|serving|data-folder)\b.*\.json$)/;

export interface StoreFiles {
  mirror: string;
  user: string;
  search: string;
  fetchLog: string;
  models: string;
  lock: string;
}

/** The paths of a data folder's databases; for `:memory:` all of them are in memory. */
export function storeFiles(folder: string): StoreFiles {
  const file = (name: string): string => (folder === ':memory:' ? folder : join(folder, name));
  return {
    mirror: file('mirror.db'),
    user: file('user.db'),
    search: file('search.db'),
    fetchLog: file('fetch-log.db'),
    models: file('models.db'),
    lock: file('lock.db'),
  };
}

/**
 * The files of a mirror that is made beside the one in use: `unfinished` while it is downloaded, `next` when it is complete
 * and waits to take its place.
 */
export function filesBeside(files: StoreFiles, stage: 'unfinished' | 'next'): Pick<StoreFiles, 'mirror' | 'search'> {
  return { mirror: `${files.mirror}.${stage}`, search: `${files.search}.${stage}` };
}

/**
 * Renames an unusable file, with the reason in the new name, and returns that name. It never overwrites an earlier one:
 * its data may still be recovered.
 */
export function setAside(file: string, reason: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const aside = freeName(`${file}.${reason}-${stamp}`);
  moveDatabase(file, aside);
  return basename(aside);
}

/** A marker for a file in which corruption was found while in use. The next start sets that file aside. */
export function corruptionMarker(file: string): string {
  return `${file}-damaged`;
}

/** A marker for a mirror whose derived data is wrong. The next start derives it again. */
export function repairMarker(file: string): string {
  return `${file}-repair`;
}

/** A marker for a mirror with a row that can't be read. It is checked when the engine is idle. */
export function checkMarker(file: string): string {
  return `${file}-check`;
}

/** A read-only process may fail to write the marker. The writer will find the corruption itself. */
export function addMarker(marker: string): void {
  try {
    writeFileSync(marker, '', { mode: PRIVATE_FILE });
  } catch {
    // See above: nothing is lost.
  }
}

/** Called once the marked files have been checked. */
export function removeMarker(marker: string): void {
  try {
    rmSync(marker, { force: true });
  } catch {
    // Then it is checked once more.
  }
}

/** Whether damage was found in a folder's files that the next start repairs. */
export function isDamaged(folder: string): boolean {
  const { mirror, search, fetchLog } = storeFiles(folder);
  return [corruptionMarker(mirror), corruptionMarker(search), corruptionMarker(fetchLog), repairMarker(mirror)].some(
    (marker) => existsSync(marker),
  );
}

/** Whether a database was not closed properly: its log still holds changes. A reader beside it has the same effect. */
export function wasLeftOpen(file: string): boolean {
  // Not following a link, which may have no end.
  return (lstatSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** The size of a database on disk with its companions; 0 if it doesn't exist. */
export function databaseBytes(file: string): number {
  const bytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return COMPANIONS.reduce((sum, companion) => sum + bytes(file + companion), 0);
}

/** Creates a folder that is missing. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Creates an empty file that is missing. SQLite then keeps its mode, also for the logs beside it; a file that SQLite
 * creates may be read by everyone.
 */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE_FILE));
}

/**
 * Takes all rights of others from a data folder and the files in it, which earlier versions left open. Links are not
 * followed, and other files in it stay as they are. Never fails: the files may belong to another user, or be on a disk
 * without modes.
 */
export function tightenFolder(folder: string): void {
  if (process.platform === 'win32') return;
  if (!servesOthers(folder)) tighten(folder, statSync);
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (OUR_FOLDERS.includes(name)) tightenAll(path);
    else if (OUR_FILES.test(name)) tighten(path, lstatSync);
  }
}

/** Renames a database with its companions. */
export function moveDatabase(from: string, to: string): void {
  for (const companion of COMPANIONS) moveIfThere(from + companion, to + companion);
}

/** The main file goes last: a log without its database would look like corruption. */
export function removeDatabase(file: string): void {
  for (const companion of COMPANIONS.toReversed()) rmSync(file + companion, { force: true });
}

/** Puts a closed database in the place of another one, whose log must not be applied to it. */
export function replaceDatabase(from: string, to: string): void {
  for (const companion of ['-shm', '-wal']) rmSync(to + companion, { force: true });
  renameSync(from, to);
}

/** Returns after the file's content has reached the disk. */
export function flushFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Returns after the names in a folder have reached the disk. Not every system and disk can do that, which is no failure. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** A link that leads nowhere is moved, too. */
export function moveIfThere(from: string, to: string): void {
  if (lstatSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}

function freeName(wanted: string): string {
  const taken = new Set(readdirSync(dirname(wanted)));
  let name = wanted;
  for (let n = 2; taken.has(basename(name)); n += 1) name = `${wanted}-${String(n)}`;
  return name;
}

/** A home folder or one like /tmp is used by other programs, too. */
function servesOthers(folder: string): boolean {
  const isShared = ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & STICKY) !== 0;
  return isShared || resolve(folder) === resolve(homedir());
}

function tightenAll(path: string): void {
  if (!tighten(path, lstatSync)) return;
  for (const name of namesIn(path)) tightenAll(join(path, name));
}

/** Returns whether it is a folder. */
function tighten(path: string, read: typeof lstatSync): boolean {
  try {
    const stats = read(path);
    if (!stats.isFile() && !stats.isDirectory()) return false;
    if ((stats.mode & OF_OTHERS) !== 0) chmodSync(path, stats.mode & 0o7777 & ~OF_OTHERS);
    return stats.isDirectory();
  } catch {
    return false;
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
