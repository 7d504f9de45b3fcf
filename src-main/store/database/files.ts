import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A SQLite file never comes alone: these hold what is not yet in it, and move with it. */
const COMPANIONS = ['', '-wal', '-shm'] as const;

/**
 * The stored files that belong to one news service, and move together when another one is chosen. The models is no such
 * file: gateways are other services, and it holds those of all of them side by side (docs/decisions/030).
 */
const OF_ONE_SOURCE = ['mirror.db', 'search.db', 'fetch-log.db'] as const;

export interface StoreFiles {
  mirror: string;
  user: string;
  search: string;
  fetchLog: string;
  models: string;
  lock: string;
}

/** Where a data folder keeps its databases; for `:memory:` every one of them is in memory. */
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
 * Moves a file that cannot be used out of the way, with the reason in its name, and gives the new name. It is never
 * overwritten: somebody may still get something out of it.
 */
export function setAside(file: string, reason: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const aside = freeName(`${file}.${reason}-${stamp}`);
  for (const companion of COMPANIONS) moveIfThere(file + companion, aside + companion);
  return basename(aside);
}

/** Stands beside a file in which corruption was met while it was in use: the next start sets that file aside. */
export function corruptionMarker(file: string): string {
  return `${file}-damaged`;
}

/** Bytes that a database takes on disk, with its companions; 0 if it is not there. */
export function databaseBytes(file: string): number {
  const bytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return COMPANIONS.reduce((sum, companion) => sum + bytes(file + companion), 0);
}

/** The file itself last: a log that has lost its file would look like corruption. */
export function removeDatabase(file: string): void {
  for (const companion of COMPANIONS.toReversed()) rmSync(file + companion, { force: true });
}

/** What is in the file has reached the disk when this returns. */
export function flushFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Puts the files of one service away under its name, where {@link unpark} finds them. */
export function park(folder: string, address: string): void {
  const place = parkingPlace(folder, address);
  mkdirSync(place, { recursive: true });
  moveAll(folder, place);
}

/** Brings back what {@link park} put away for this service, if anything. */
export function unpark(folder: string, address: string): void {
  moveAll(parkingPlace(folder, address), folder);
}

function parkingPlace(folder: string, address: string): string {
  return join(folder, 'sources', createHash('sha256').update(address).digest('hex').slice(0, 16));
}

/** What is not there to be moved leaves what it would have replaced. */
function moveAll(from: string, to: string): void {
  // Mirror last: a move that was cut short leaves a mirror without an index, which is made again, never the reverse.
  for (const name of OF_ONE_SOURCE.toReversed()) {
    if (!existsSync(join(from, name))) continue;
    removeDatabase(join(to, name));
    for (const companion of COMPANIONS) moveIfThere(join(from, name + companion), join(to, name + companion));
  }
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}

function freeName(wanted: string): string {
  const taken = new Set(readdirSync(dirname(wanted)));
  let name = wanted;
  for (let n = 2; taken.has(basename(name)); n += 1) name = `${wanted}-${String(n)}`;
  return name;
}
