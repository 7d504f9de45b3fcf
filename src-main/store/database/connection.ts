import { existsSync, lstatSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database, { type Database as Connection } from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';
import { MODEL_LISTS } from '../../contract/model/resource.ts';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { transaction } from '../sql.ts';
import { backUpBeforeMigration, newestSoundBackup } from './backups.ts';
import { canBeSpared, markReplaceable, noteDamage, standInFor } from './corruption.ts';
import {
  FILES,
  LOCK_WAIT_MS,
  migrate,
  newerThanThis,
  newestVersion,
  ROLES,
  schemaOf,
  schemaVersion,
  type Role,
  type Schema,
} from './databases.ts';
import { damagedError, lostText, mayBeDamage } from './errors.ts';
import {
  assertNoObstacle,
  makePrivateFile,
  removeDatabase,
  storeFiles,
  type StoreFiles,
  wasLeftOpen,
} from './files.ts';
import { contentState, setRole, type ContentState } from './identity.ts';
import { lockDataFolder, makeFolder } from './lock.ts';
import { MIRROR_ROLES } from './parked-mirrors.ts';
import { mirrorProperties } from './properties.ts';
import { emptyPlaces, lostFiles, quarantineUnusable, type LostFile } from './start-up-check.ts';
import { WalLimits } from './wal-limits.ts';

/** While another process replaces the mirror, which takes two renames. */
const READING_TRIES = 40;
const READING_PAUSE_MS = 25;

type CacheSizes = Record<Schema, number>;

/** In KiB. better-sqlite3's default, 16 MB for each file, fills up in the course of days and is never given back. */
const READING_CACHE: CacheSizes = { main: 4096, search: 2048, user: 2048 };
/** A write changes at most a few thousand items with their index pages; an import as much of user.db. */
const WRITING_CACHE: CacheSizes = { main: 8192, search: 2048, user: 4096 };

export interface WritingConnection {
  database: Connection;
  logs: WalLimits;
  storageWarnings: StorageWarning[];
  wasLeftOpen: boolean;
  close(): void;
}

interface WritingOptions {
  locked?: boolean;
  /** Called once the files are known to be usable, before they are opened. */
  onChecked?: () => void;
}

/** Errors: `data_in_use`, `data_newer` (only for user.db), `data_read_only`, `disk_full`. */
export function openForWriting(
  folder: string,
  source: string,
  now: number,
  { locked = false, onChecked }: WritingOptions = {},
): WritingConnection {
  const files = storeFiles(folder);
  const opening = { folder, source, now };
  if (folder === ':memory:') return prepare(files, opening);
  if (locked) makeFolder(folder);
  const lock = locked ? null : lockDataFolder(folder);
  try {
    // Before the files are opened for the first time.
    const leftOpen = ROLES.some((role) => wasLeftOpen(files[role]));
    const storageWarnings = quarantineUnusable(folder, source, now);
    onChecked?.();
    for (const role of ROLES) makeDatabase(files[role], role);
    return prepare(files, opening, { storageWarnings, wasLeftOpen: leftOpen }, () => lock?.release());
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Opens a second mirror in a folder that the caller has locked. */
export function openBeside(files: StoreFiles, opening: Opening): WritingConnection {
  for (const role of MIRROR_ROLES) makeDatabase(files[role], role);
  return prepare(files, opening);
}

/** Call it before a thread opens its first database. */
export function loadSqlite(): void {
  new Database(':memory:').close();
}

/** Works with or without an open writer. Errors: `not_found`, `data_newer`. */
export function openForReading(files: StoreFiles): Connection {
  for (let triesLeft = READING_TRIES; ; triesLeft -= 1) {
    const before = identitiesOf(files);
    let database: Connection | undefined;
    try {
      database = openAll(files);
      if (isOneSet(database) && before === identitiesOf(files)) return database;
    } catch (error) {
      if (before === identitiesOf(files)) throw error;
    }
    database?.close();
    if (triesLeft === 0) throw beingReplacedError();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READING_PAUSE_MS);
  }
}

function identitiesOf({ mirror, search }: StoreFiles): string {
  return [mirror, search].map((file) => lstatSync(file, { throwIfNoEntry: false })?.ino ?? 0).join();
}

/** An empty search index fits every mirror. */
function isOneSet(database: Connection): boolean {
  if (!database.prepare("SELECT 1 FROM search.sqlite_schema WHERE name = 'derived'").get()) return true;
  const indexed = database.prepare<[], string>('SELECT version FROM search.derived').pluck().get() ?? '';
  return indexed === '' || indexed === mirrorProperties.get(database, 'build');
}

function openAll(files: StoreFiles): Connection {
  for (const role of ROLES) assertNoObstacle(files[role]);
  const lost = lostFiles(files);
  const needed = lost.filter(({ role }) => !canBeSpared(role));
  if (needed.length > 0) throw lostDataError(files, needed);
  if (lost.length === 0 && emptyPlaces(files).length > 0) throw nothingStoredError();
  const database = new Database(files.mirror, { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS });
  try {
    for (const role of ROLES) {
      const isLost = lost.some((one) => one.role === role);
      const fault = isLost ? null : faultOf(database, role, files[role]);
      if (fault !== null && !canBeSpared(role)) throw fault;
      if (isLost || fault !== null) standInFor(database, role);
    }
    limitCaches(database, READING_CACHE);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Attaches one file, so that an error belongs to it. Throws for an earlier version: reading can't migrate. */
function faultOf(database: Connection, role: Role, file: string): BroadsheetError | null {
  const schema = schemaOf(role);
  const state = attachedState(database, role, file);
  if (state === 'newer') return newerThanThis(role);
  if (state === 'foreign') return foreignFileError(role);
  if (state === 'damaged') {
    markReplaceable(role, file);
    return damagedError([FILES[role].name], null);
  }
  const isOlder = FILES[role].origin !== 'derived' && schemaVersion(database, schema) < newestVersion(role);
  if (isOlder) throw nothingStoredError();
  return null;
}

function attachedState(database: Connection, role: Role, file: string): ContentState {
  try {
    if (role !== 'mirror') attachFile(database, role, file);
    return contentState(database, role, schemaOf(role));
  } catch (error) {
    if (mayBeDamage(error)) return 'damaged';
    throw error;
  }
}

function lostDataError(files: StoreFiles, lost: readonly LostFile[]): BroadsheetError {
  const backup = newestSoundBackup(dirname(files.user));
  const texts = lost.map(({ role, state }) => lostText(role, state, role === 'user' ? backup : undefined));
  return new BroadsheetError('data_unreadable', texts.join(' '));
}

function foreignFileError(role: Role): BroadsheetError {
  return new BroadsheetError(
    'data_unreadable',
    `The file ${FILES[role].name} is not what its name says. Start Broadsheet or run a sync: it sets the file aside.`,
  );
}

function beingReplacedError(): BroadsheetError {
  return new BroadsheetError('data_in_use', 'The downloaded news is being replaced. Try again in a moment.', {
    retryable: true,
  });
}

function nothingStoredError(): BroadsheetError {
  return new BroadsheetError('not_found', 'Nothing is saved in this data folder yet. Sync once and try again.');
}

export interface Opening {
  folder: string;
  source: string;
  /** ms since 1970. */
  now: number;
}

function prepare(
  files: StoreFiles,
  opening: Opening,
  found: Pick<WritingConnection, 'storageWarnings' | 'wasLeftOpen'> = { storageWarnings: [], wasLeftOpen: false },
  release: () => void = () => undefined,
): WritingConnection {
  const database = new Database(files.mirror, { timeout: LOCK_WAIT_MS });
  let logs: WalLimits;
  try {
    for (const role of ROLES) if (role !== 'mirror') attachFile(database, role, files[role]);
    logs = tune(database);
    for (const role of ROLES) {
      if (role === 'user') backUpOldUser(database, opening);
      if (FILES[role].origin !== 'derived') migrate(database, schemaOf(role), FILES[role].migrations);
    }
    for (const role of ROLES) setRole(database, role, schemaOf(role));
    nameMirror(database, opening.source);
    makeLostListsDue(database);
  } catch (error) {
    const mapped = noteDamage(error, database);
    database.close();
    throw mapped;
  }
  return {
    database,
    logs,
    ...found,
    close(): void {
      database.close();
      release();
    },
  };
}

/** Names a new file only once it is valid, so that an empty file always means lost content. */
function makeDatabase(file: string, role: Role): void {
  if (existsSync(file)) return;
  const unfinished = `${file}-new`;
  removeDatabase(unfinished);
  makePrivateFile(unfinished);
  const database = new Database(unfinished);
  try {
    // Writes the first page.
    database.pragma('journal_mode = WAL');
    setRole(database, role);
  } finally {
    database.close();
  }
  renameSync(unfinished, file);
}

/** An error prevents the migration: user data can't be downloaded again. */
function backUpOldUser(database: Connection, { folder, now }: Opening): void {
  const version = schemaVersion(database, 'user');
  if (version > 0 && version < newestVersion('user')) backUpBeforeMigration(database, folder, version, now);
}

function attachFile(database: Connection, role: Role, file: string): void {
  database.prepare(`ATTACH DATABASE ? AS ${schemaOf(role)}`).run(file);
}

function limitCaches(database: Connection, sizes: CacheSizes): void {
  for (const [schema, size] of Object.entries(sizes)) database.pragma(`${schema}.cache_size = -${String(size)}`);
}

function tune(database: Connection): WalLimits {
  for (const role of ROLES) {
    database.pragma(`${schemaOf(role)}.journal_mode = WAL`);
    database.pragma(`${schemaOf(role)}.synchronous = ${FILES[role].origin === 'kept' ? 'FULL' : 'NORMAL'}`);
  }
  limitCaches(database, WRITING_CACHE);
  return new WalLimits(database, ROLES.map(schemaOf));
}

function nameMirror(database: Connection, source: string): void {
  if (mirrorProperties.get(database, 'source') !== null) return;
  transaction(database, (db) => {
    mirrorProperties.set(db, 'source', source);
  });
}

/** An answer whose list is not saved belonged to another user.db. */
function makeLostListsDue(database: Connection): void {
  const isSaved = `name IN (SELECT model_list FROM user.model_list
    WHERE owner = (SELECT value FROM main.property WHERE name = 'gateway'))`;
  const makeDue = database.prepare(
    `UPDATE main.fetch SET due = 0, lifetime = 0
     WHERE name = ? AND failures = 0 AND (due, lifetime) <> (0, 0) AND NOT ${isSaved}`,
  );
  for (const modelList of MODEL_LISTS) makeDue.run(modelList);
}
