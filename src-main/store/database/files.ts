import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from './private-files.ts';

/** A SQLite database and its companion files, which hold changes not yet in it and must move with it. */
export const COMPANIONS = ['', '-wal', '-shm'] as const;

/**
 * The files of one news service, which move together when the reader switches to another. models.db is not among them:
 * it holds the model lists of all gateways side by side (docs/decisions/015).
 */
export const OF_ONE_SOURCE = ['mirror.db', 'search.db', 'fetch-log.db'] as const;

/** The folder of parked mirrors, and the file in each of their places that says which service it is. */
export const PARKED = 'sources';
export const PARKING_NOTE = 'source.json';

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

/** Moves the files of one service into a folder under its name, for {@link unpark}. `now` is ms since 1970. */
export function park(folder: string, address: string, now: number): void {
  const place = parkingPlace(folder, address);
  makePrivateFolder(place);
  const note = { service: address, usedAt: new Date(now).toISOString() };
  writeFileSync(join(place, PARKING_NOTE), `${JSON.stringify(note)}\n`, { mode: PRIVATE_FILE });
  moveAll(folder, place);
}

/** Moves the files of this service back, if {@link park} moved any. */
export function unpark(folder: string, address: string): void {
  const place = parkingPlace(folder, address);
  moveAll(place, folder);
  rmSync(join(place, PARKING_NOTE), { force: true });
}

function parkingPlace(folder: string, address: string): string {
  return join(folder, PARKED, createHash('sha256').update(address).digest('hex').slice(0, 16));
}

/** A file that doesn't exist at the source leaves the one at the destination in place. */
function moveAll(from: string, to: string): void {
  // Mirror last: if the move is interrupted, the mirror may lack its search index, which can be rebuilt. The reverse
  // can't happen.
  for (const name of OF_ONE_SOURCE.toReversed()) {
    if (!existsSync(join(from, name))) continue;
    removeDatabase(join(to, name));
    moveDatabase(join(from, name), join(to, name));
    rmSync(repairMarker(join(to, name)), { force: true });
    moveIfThere(repairMarker(join(from, name)), repairMarker(join(to, name)));
  }
}

/** A link that leads nowhere is moved, too. */
function moveIfThere(from: string, to: string): void {
  if (lstatSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}

function freeName(wanted: string): string {
  const taken = new Set(readdirSync(dirname(wanted)));
  let name = wanted;
  for (let n = 2; taken.has(basename(name)); n += 1) name = `${wanted}-${String(n)}`;
  return name;
}
