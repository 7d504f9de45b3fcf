import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ParkedMirror } from '../../contract/user-data.ts';
import {
  databaseBytes,
  makePrivateFolder,
  moveDatabase,
  moveIfThere,
  PRIVATE_FILE,
  removeDatabase,
  repairMarker,
  storeFiles,
  type StoreFiles,
} from './files.ts';
import { mirrorProperties } from './properties.ts';

/**
 * The files of one news service, which move together when the reader switches to another. models.db is not among them:
 * it holds the model lists of all gateways side by side (docs/decisions/015).
 */
const OF_ONE_SOURCE = ['mirror.db', 'search.db', 'fetch-log.db'] as const;

/** The folder of parked mirrors, and the file in each of their places that says which service it is. */
const PARKED = 'sources';
const PARKING_NOTE = 'source.json';

const DAY_MS = 24 * 60 * 60_000;
const ID = /^[0-9a-f]{16}$/;

/** The names of the services whose data a folder holds: addresses, or `demo`. Null where nothing says so. */
export interface StoredServices {
  news: string | null;
  models: string | null;
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

/** The parked mirrors of a data folder, last used first (docs/decisions/046). */
export function listParkedMirrors(folder: string): ParkedMirror[] {
  return idsIn(folder)
    .map((id) => parkedMirror(folder, id))
    .toSorted((a, b) => b.usedAt.localeCompare(a.usedAt) || a.id.localeCompare(b.id));
}

/** Deletes a parked mirror. Errors: `not_found`, and those of the file system. */
export function removeParkedMirror(folder: string, id: string): void {
  if (!idsIn(folder).includes(id)) {
    throw new BroadsheetError('not_found', 'There is no downloaded news of this service any more.');
  }
  rmSync(placeOf(folder, id), { recursive: true, force: true });
}

/** Deletes the mirrors that were parked more than `days` ago, and returns how many. `now` is ms since 1970. */
export function expireParkedMirrors(folder: string, days: number, now: number): number {
  const expired = listParkedMirrors(folder).filter(({ usedAt }) => Date.parse(usedAt) < now - days * DAY_MS);
  for (const { id } of expired) removeParkedMirror(folder, id);
  return expired.length;
}

/** The files of a data folder with those of a parked mirror in the place of the one in use. */
export function filesWithParked(folder: string, id: string): StoreFiles {
  const { mirror, search, fetchLog } = storeFiles(placeOf(folder, id));
  return { ...storeFiles(folder), mirror, search, fetchLog };
}

/** Reads them without changing anything, also beside an open writer. Whatever fails counts as nothing stored. */
export function storedServices(folder: string): StoredServices {
  let database: Database.Database | undefined;
  try {
    database = new Database(join(folder, 'mirror.db'), { readonly: true, fileMustExist: true });
    return { news: mirrorProperties.get(database, 'source'), models: mirrorProperties.get(database, 'gateway') };
  } catch {
    return { news: null, models: null };
  } finally {
    database?.close();
  }
}

function parkedMirror(folder: string, id: string): ParkedMirror {
  const place = placeOf(folder, id);
  const mirror = join(place, 'mirror.db');
  const { service = storedServices(place).news ?? '', usedAt } = readNote(place);
  const changed = statSync(mirror, { throwIfNoEntry: false })?.mtime ?? statSync(place).mtime;
  const bytes = OF_ONE_SOURCE.reduce((sum, name) => sum + databaseBytes(join(place, name)), 0);
  return { id, service, usedAt: usedAt ?? changed.toISOString(), bytes };
}

/** Without the note, or half of it, the files themselves say enough. */
function readNote(place: string): { service?: string; usedAt?: string } {
  try {
    const { service, usedAt } = JSON.parse(readFileSync(join(place, PARKING_NOTE), 'utf8')) as Record<string, unknown>;
    return {
      ...(typeof service === 'string' && { service }),
      ...(typeof usedAt === 'string' && !Number.isNaN(Date.parse(usedAt)) && { usedAt }),
    };
  } catch {
    return {};
  }
}

function idsIn(folder: string): string[] {
  try {
    return readdirSync(join(folder, PARKED)).filter((name) => ID.test(name) && holdsFiles(folder, name));
  } catch {
    return [];
  }
}

/** An empty place is left behind when a mirror is moved back. */
function holdsFiles(folder: string, id: string): boolean {
  return OF_ONE_SOURCE.some((name) => databaseBytes(join(placeOf(folder, id), name)) > 0);
}

function placeOf(folder: string, id: string): string {
  return join(folder, PARKED, id);
}

function parkingPlace(folder: string, address: string): string {
  return placeOf(folder, createHash('sha256').update(address).digest('hex').slice(0, 16));
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
