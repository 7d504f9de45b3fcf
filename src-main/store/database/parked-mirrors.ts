import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ParkedMirror } from '../../contract/user-data.ts';
import { FILES } from './databases.ts';
import {
  databaseBytes,
  makePrivateFolder,
  moveDatabase,
  PRIVATE_FILE,
  removeDatabase,
  storeFiles,
  type StoreFiles,
} from './files.ts';
import { mirrorProperties } from './properties.ts';

/** They belong to one service, and move together. */
export const MIRROR_ROLES = ['mirror', 'search'] as const;
const OF_ONE_SERVICE = MIRROR_ROLES.map((role) => FILES[role].name);
const NOTE = 'source.json';

const DAY_MS = 24 * 60 * 60_000;
const ID = /^[0-9a-f]{16}$/;

interface StoredServices {
  news: string | null;
  models: string | null;
}

/** Moves the files of a service into their own folder (docs/decisions/046). `now` is ms since 1970. */
export function park(folder: string, address: string, now: number): void {
  const parked = parkedFolder(folder, idOf(address));
  makePrivateFolder(parked);
  const note = { service: address, usedAt: new Date(now).toISOString() };
  writeFileSync(join(parked, NOTE), `${JSON.stringify(note)}\n`, { mode: PRIVATE_FILE });
  moveAll(folder, parked);
}

export function unpark(folder: string, address: string): void {
  const parked = parkedFolder(folder, idOf(address));
  moveAll(parked, folder);
  rmSync(join(parked, NOTE), { force: true });
}

export function listParkedMirrors(folder: string): ParkedMirror[] {
  return idsIn(folder)
    .map((id) => parkedMirror(folder, id))
    .toSorted((a, b) => b.usedAt.localeCompare(a.usedAt) || a.id.localeCompare(b.id));
}

export function removeParkedMirror(folder: string, id: string): void {
  if (!idsIn(folder).includes(id)) {
    throw new BroadsheetError('not_found', 'There is no downloaded news of this service any more.');
  }
  rmSync(parkedFolder(folder, id), { recursive: true, force: true });
}

export function expireParkedMirrors(folder: string, days: number, now: number): number {
  const expired = listParkedMirrors(folder).filter(({ usedAt }) => Date.parse(usedAt) < now - days * DAY_MS);
  for (const { id } of expired) removeParkedMirror(folder, id);
  return expired.length;
}

export function filesWithParked(folder: string, id: string): StoreFiles {
  const { mirror, search } = storeFiles(parkedFolder(folder, id));
  return { ...storeFiles(folder), mirror, search };
}

/** Works also with an open writer. */
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
  const parked = parkedFolder(folder, id);
  const { service = storedServices(parked).news ?? '', usedAt } = readNote(parked);
  const changed = statSync(join(parked, 'mirror.db'), { throwIfNoEntry: false })?.mtime ?? statSync(parked).mtime;
  const bytes = OF_ONE_SERVICE.reduce((sum, name) => sum + databaseBytes(join(parked, name)), 0);
  return { id, service, usedAt: usedAt ?? changed.toISOString(), bytes };
}

function readNote(parked: string): { service?: string; usedAt?: string } {
  try {
    const { service, usedAt } = JSON.parse(readFileSync(join(parked, NOTE), 'utf8')) as Record<string, unknown>;
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
    return readdirSync(join(folder, 'sources')).filter((name) => ID.test(name) && holdsFiles(folder, name));
  } catch {
    return [];
  }
}

/** A mirror leaves an empty folder when it is moved back. */
function holdsFiles(folder: string, id: string): boolean {
  return OF_ONE_SERVICE.some((name) => databaseBytes(join(parkedFolder(folder, id), name)) > 0);
}

function parkedFolder(folder: string, id: string): string {
  return join(folder, 'sources', id);
}

function idOf(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 16);
}

function moveAll(from: string, to: string): void {
  // Mirror last: a search index can be rebuilt after an interrupted move.
  for (const name of OF_ONE_SERVICE.toReversed()) {
    if (!existsSync(join(from, name))) continue;
    removeDatabase(join(to, name));
    moveDatabase(join(from, name), join(to, name));
  }
}
