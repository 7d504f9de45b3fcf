import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Only the user may read what is saved, and take the lock: others on this computer must not even see names. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** What group and others may do. */
const OF_OTHERS = 0o077;
const STICKY = 0o1000;

/** Folders in which everything is Broadsheet's. Chromium's is behind the data folder, and too large to go through. */
const OUR_FOLDERS = ['backups', 'logs', 'sources'];
const OUR_FILES =
  /^(?:(?:mirror|user|search|fetch-log|models|lock)\.db|(?:settings|key|window|serving|data-folder)\b.*\.json$)/;

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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
