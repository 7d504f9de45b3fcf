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

/** SQLite's companion files hold changes that are not in the database yet, and must move with it. */
export const COMPANIONS = ['', '-wal', '-shm'] as const;

/** Other users of this computer must not read data, take the lock, or see names. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

const OF_OTHERS = 0o077;
const STICKY = 0o1000;

/** Folders in which everything is Broadsheet's. Chromium's is too large to walk. */
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

/** `unfinished` while it is downloaded, `next` when it is complete and waits to take the place of the one in use. */
export function filesBeside(files: StoreFiles, stage: 'unfinished' | 'next'): Pick<StoreFiles, 'mirror' | 'search'> {
  return { mirror: `${files.mirror}.${stage}`, search: `${files.search}.${stage}` };
}

/** Returns the new name. Never overwrites an earlier file, whose data may still be recovered. */
export function setAside(file: string, reason: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const aside = freeName(`${file}.${reason}-${stamp}`);
  moveDatabase(file, aside);
  return basename(aside);
}

/** Marks a file in which corruption was found while in use: the next start sets it aside. */
export function corruptionMarker(file: string): string {
  return `${file}-damaged`;
}

/** Marks a mirror whose derived data is wrong: the next start derives it again. */
export function repairMarker(file: string): string {
  return `${file}-repair`;
}

/** Marks a mirror with an unreadable row: it is checked when the engine is idle. */
export function checkMarker(file: string): string {
  return `${file}-check`;
}

export function addMarker(marker: string): void {
  try {
    writeFileSync(marker, '', { mode: PRIVATE_FILE });
  } catch {
    // A read-only process may fail. The writer finds the damage itself.
  }
}

export function removeMarker(marker: string): void {
  try {
    rmSync(marker, { force: true });
  } catch {
    // Then the file is checked once more.
  }
}

/** Returns true if the next start repairs or replaces a file of the folder. */
export function isDamaged(folder: string): boolean {
  const { mirror, search, fetchLog } = storeFiles(folder);
  return [corruptionMarker(mirror), corruptionMarker(search), corruptionMarker(fetchLog), repairMarker(mirror)].some(
    (marker) => existsSync(marker),
  );
}

/** Returns true if the log still holds changes: it was not closed properly, or another process has it open. */
export function wasLeftOpen(file: string): boolean {
  // Not following a link, which may have no end.
  return (lstatSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Returns the size with companions; 0 if the database doesn't exist. */
export function databaseBytes(file: string): number {
  const bytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return COMPANIONS.reduce((sum, companion) => sum + bytes(file + companion), 0);
}

export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

/** SQLite keeps the mode, also for the logs; a file that SQLite creates may be read by everyone. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE_FILE));
}

/**
 * Takes all rights of others from a data folder and Broadsheet's files in it. Doesn't follow links. Never fails: the files may
 * belong to another user, or be on a disk without modes.
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

export function moveDatabase(from: string, to: string): void {
  for (const companion of COMPANIONS) moveIfThere(from + companion, to + companion);
}

/** Removes the main file last: a log without its database would look like corruption. */
export function removeDatabase(file: string): void {
  for (const companion of COMPANIONS.toReversed()) rmSync(file + companion, { force: true });
}

/** Puts a closed database in place of another, whose log must not be applied to it. */
export function replaceDatabase(from: string, to: string): void {
  for (const companion of ['-shm', '-wal']) rmSync(to + companion, { force: true });
  renameSync(from, to);
}

export function flushFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Flushes the names in a folder to disk, where the system and the disk can do that. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Moves also a link that leads nowhere. */
export function moveIfThere(from: string, to: string): void {
  if (lstatSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}

function freeName(wanted: string): string {
  const taken = new Set(readdirSync(dirname(wanted)));
  let name = wanted;
  for (let n = 2; taken.has(basename(name)); n += 1) name = `${wanted}-${String(n)}`;
  return name;
}

/** Returns true for a home folder or one like /tmp, which other programs use, too. */
function servesOthers(folder: string): boolean {
  const isShared = ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & STICKY) !== 0;
  return isShared || resolve(folder) === resolve(homedir());
}

function tightenAll(path: string): void {
  if (!tighten(path, lstatSync)) return;
  for (const name of namesIn(path)) tightenAll(join(path, name));
}

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
