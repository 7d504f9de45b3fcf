import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { misplacedError } from '../../common/system-errors.ts';
import type { BroadsheetError } from '../../contract/errors.ts';
import { FILES, type Role } from './databases.ts';

/** They hold changes that are not in the database yet, and must move with it. */
const COMPANIONS = ['', '-wal', '-shm'] as const;

/** Other users of this computer must not read data, take the lock, or see names. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

const OF_OTHERS = 0o077;
const STICKY = 0o1000;

/** Not Chromium's folder, which is too large to walk. */
const OUR_FOLDERS = ['backups', 'logs', 'sources'];
const OUR_FILES = /^(?:(?:mirror|user|search|lock)\.db|(?:settings|key|window|serving|calls|data-folder)\b.*\.json$)/;

export type StoreFiles = Record<Role | 'lock', string>;

export function storeFiles(folder: string): StoreFiles {
  const pathOf = (name: string): string => (folder === ':memory:' ? folder : join(folder, name));
  const { mirror, user, search } = FILES;
  return {
    mirror: pathOf(mirror.name),
    user: pathOf(user.name),
    search: pathOf(search.name),
    lock: pathOf('lock.db'),
  };
}

/** A copy that replaces `file`. `next` is complete, and takes its place at the next start; `unfinished` is removed there. */
export function beside(file: string, stage: 'unfinished' | 'next'): string {
  return `${file}.${stage}`;
}

/** Returns the new name. Never overwrites an earlier file, whose data may still be recovered. */
export function setAside(file: string, reason: string, now: number): string {
  const aside = freeName(`${file}.${reason}-${toFileTime(now)}`);
  moveDatabase(file, aside);
  return basename(aside);
}

export function toFileTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[:.]/g, '-');
}

/** Returns RFC 3339; null for a name that only looks like a time. */
export function fromFileTime(text: string): string | null {
  const at = text.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/, 'T$1:$2:$3.$4Z');
  return Number.isNaN(Date.parse(at)) ? null : at;
}

/** The next start sets such a file aside. */
export function corruptionMarker(file: string): string {
  return `${file}-damaged`;
}

/** Such a mirror, with an unreadable row, is checked when the engine is idle. */
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

export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A marker left over costs a check; the next backup removes an unfinished one.
  }
}

export function isDamaged(folder: string): boolean {
  const { mirror, search } = storeFiles(folder);
  return [corruptionMarker(mirror), corruptionMarker(search)].some((marker) => existsSync(marker));
}

/** Returns true also while another process has it open. */
export function wasLeftOpen(file: string): boolean {
  // A link may have no end.
  return (lstatSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

export function databaseBytes(file: string): number {
  const bytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return COMPANIONS.reduce((sum, companion) => sum + bytes(file + companion), 0);
}

/** Replaces Node's recursive `mkdir`, which never ends where a folder can't be made although the one above is there. */
export function makePrivateFolder(folder: string): void {
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) makePrivateFolder(above);
  try {
    if (!isFolder(folder)) mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another process has just made it.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** SQLite keeps the mode, also for the logs; a file that SQLite creates may be read by everyone. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE_FILE));
}

/** Takes all rights of others from Broadsheet's files. Never fails: a disk may have no modes, or a file another owner. */
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

export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Moves also a link that leads nowhere. */
function moveIfThere(from: string, to: string): void {
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

/** Returns `other` for a folder or a link that leads nowhere. */
export function kindOf(path: string): 'absent' | 'file' | 'other' {
  if (!lstatSync(path, { throwIfNoEntry: false })) return 'absent';
  try {
    return statSync(path).isFile() ? 'file' : 'other';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return 'other';
    throw error;
  }
}

/** Errors: `data_unreadable`, naming the file, if something else is in its place. */
export function assertNoObstacle(file: string): void {
  const obstacle = obstacleAt(file);
  if (obstacle) throw obstacle;
}

export function findObstacle(folder: string, cause: unknown): BroadsheetError | null {
  for (const file of Object.values(storeFiles(folder))) {
    for (const companion of COMPANIONS) {
      const obstacle = obstacleAt(file + companion, cause);
      if (obstacle) return obstacle;
    }
  }
  return null;
}

function obstacleAt(file: string, cause?: unknown): BroadsheetError | null {
  if (kindOf(file) !== 'other') return null;
  const isLink = lstatSync(file).isSymbolicLink();
  const found = isLink ? `a link to ${readlinkSync(file)}, which can't be used,` : 'a folder';
  return misplacedError(`${basename(file)} in the data folder`, found, cause);
}

/** `path` may be missing. Compares folders, not names: links, mounts and often another case lead to the same one. */
export async function isWithin(path: string, folders: readonly string[]): Promise<boolean> {
  const owned = (await Promise.all(folders.map(identityOf))).filter((one) => one !== null);
  for (let folder = await realExisting(resolve(path)); ; folder = dirname(folder)) {
    const identity = await identityOf(folder);
    if (identity !== null && owned.includes(identity)) return true;
    if (dirname(folder) === folder) return false;
  }
}

async function realExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => null);
    if (real !== null || dirname(folder) === folder) return real ?? folder;
  }
}

async function identityOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found && `${String(found.dev)}/${String(found.ino)}`;
}
