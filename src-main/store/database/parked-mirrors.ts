import Database from 'better-sqlite3';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ParkedMirror } from '../../contract/user-data.ts';
import { databaseBytes, OF_ONE_SOURCE, PARKED, PARKING_NOTE, storeFiles, type StoreFiles } from './files.ts';

const DAY_MS = 24 * 60 * 60_000;
const ID = /^[0-9a-f]{16}$/;

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

function parkedMirror(folder: string, id: string): ParkedMirror {
  const place = placeOf(folder, id);
  const mirror = join(place, 'mirror.db');
  const { service = nameIn(mirror), usedAt } = readNote(place);
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

/** The service that a mirror file belongs to; empty if it can't be read. */
function nameIn(mirror: string): string {
  try {
    const database = new Database(mirror, { readonly: true, fileMustExist: true });
    try {
      const name = database.prepare<[], string>("SELECT value FROM property WHERE name = 'source'").pluck().get();
      return name ?? '';
    } finally {
      database.close();
    }
  } catch {
    return '';
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
