import { existsSync, lstatSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database, { type Database as Connection } from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';
import { MODEL_LISTS } from '../../contract/model/resource.ts';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { transaction } from '../sql.ts';
import { backUpBeforeMigration, newestSoundBackup } from './backups.ts';
import { canBeSpared, markReplaceable, noteDamage, standInFor } from './corruption.ts';
import { damagedError, lostText, mayBeDamage } from './errors.ts';
import { makePrivateFile, removeDatabase, storeFiles, wasLeftOpen, type StoreFiles } from './files.ts';
import { FILE_NAMES, identify, roleOf, ROLES, schemaOf, stamp, type Role } from './identity.ts';
import { lockDataFolder, makeFolder } from './lock.ts';
import { migrate, newerThanThis, schemaVersion } from './migrate.ts';
import { FETCH_LOG_MIGRATIONS } from '../migrations/fetch-log.ts';
import { MIRROR_MIGRATIONS } from '../migrations/mirror.ts';
import { MODELS_MIGRATIONS } from '../migrations/models.ts';
import { USER_MIGRATIONS } from '../migrations/user.ts';
import { checkPlace } from './places.ts';
import { mirrorProperties } from './properties.ts';
import { lostFiles, quarantineUnusable, type LostFile } from './start-up-check.ts';
import { WalLimits } from './wal-limits.ts';

const LOCK_WAIT_MS = 2_000;
/** For a reader that found files of two mirrors. */
const READING_TRIES = 40;
const READING_PAUSE_MS = 25;

const ATTACHED = ['user', 'fetchLog', 'search', 'models'] as const;

type CacheSizes = Record<'main' | (typeof ATTACHED)[number], number>;

/** In KiB by file. better-sqlite3's default, 16 MB each, fills up in the course of days and is never given back. */
const READING_CACHE: CacheSizes = { main: 4096, search: 2048, user: 1024, models: 1024, fetchLog: 256 };
/** A write changes at most a few thousand items with their index pages; an import as much of user.db. */
const WRITING_CACHE: CacheSizes = { main: 8192, search: 2048, user: 4096, models: 1024, fetchLog: 256 };

const MIGRATIONS = [
  ['main', MIRROR_MIGRATIONS],
  ['user', USER_MIGRATIONS],
  ['fetchLog', FETCH_LOG_MIGRATIONS],
  ['models', MODELS_MIGRATIONS],
] as const;

export interface WritingConnection {
  database: Connection;
  logs: WalLimits;
  storageWarnings: StorageWarning[];
  wasLeftOpen: boolean;
  close(): void;
}

export interface WritingOptions {
  /** The caller holds the folder's lock, which stays locked when the connection closes. Default: false. */
  locked?: boolean;
  /** Called once the files are known to be usable, before they are opened. */
  onChecked?: () => void;
}

/**
 * Opens a data folder for writing: locks it, sets unusable files aside, migrates every file to the newest version, and
 * makes sure that the mirror belongs to `source`. Errors: `data_in_use`, `data_newer` (only for user.db, which is never
 * replaced unless the reader asks for it), `data_read_only`, `disk_full`.
 */
export function openForWriting(
  folder: string,
  source: string,
  now: number,
  { locked = false, onChecked }: WritingOptions = {},
): WritingConnection {
  const files = storeFiles(folder);
  if (folder === ':memory:') {
    return prepare(files, { folder, source, now }, { storageWarnings: [], wasLeftOpen: false }, () => undefined);
  }
  if (locked) makeFolder(folder);
  const lock = locked ? null : lockDataFolder(folder);
  try {
    // Before the files are opened for the first time.
    const leftOpen = databasesOf(files).some(wasLeftOpen);
    const storageWarnings = quarantineUnusable(folder, files, source, now);
    onChecked?.();
    for (const role of ROLES) makeDatabase(files[role], role);
    return prepare(files, { folder, source, now }, { storageWarnings, wasLeftOpen: leftOpen }, () => {
      lock?.release();
    });
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Opens a second mirror in a folder that the caller has locked. The fetch log may be `:memory:`. */
export function openBeside(files: StoreFiles, opening: Opening): WritingConnection {
  for (const role of ['mirror', 'search'] as const) makeDatabase(files[role], role);
  return prepare(files, opening, { storageWarnings: [], wasLeftOpen: false }, () => undefined);
}

/** Loads SQLite before a thread opens its first database. Errors: what loading it throws. */
export function loadSqlite(): void {
  new Database(':memory:').close();
}

/** Works with or without an open writer. Errors: `not_found` if nothing readable is saved yet, `data_newer`. */
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
    // Another process is replacing the mirror, which takes two renames.
    if (triesLeft === 0) throw beingReplacedError();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READING_PAUSE_MS);
  }
}

/** Doesn't follow a link, which may lead nowhere. */
function identitiesOf({ mirror, search }: StoreFiles): string {
  return [mirror, search].map((file) => lstatSync(file, { throwIfNoEntry: false })?.ino ?? 0).join();
}

/** Returns true if the search index is that of the mirror, or still empty. */
function isOneSet(database: Connection): boolean {
  if (!database.prepare("SELECT 1 FROM search.sqlite_schema WHERE name = 'search_state'").get()) return true;
  const indexed = database.prepare<[], string>('SELECT build FROM search.search_state').pluck().get() ?? '';
  return indexed === '' || indexed === mirrorProperties.get(database, 'build');
}

function openAll(files: StoreFiles): Connection {
  for (const file of databasesOf(files)) checkPlace(file);
  const lost = lostFiles(files);
  const needed = lost.filter(({ role }) => !canBeSpared(role));
  if (needed.length > 0) throw lostDataError(files, needed);
  if (lost.length === 0 && !databasesOf(files).every((file) => existsSync(file))) throw nothingStoredError();
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

/**
 * Opens one file, so that an error belongs to it. Returns why it can't be used, for the next writer to set it aside. Errors:
 * `not_found` or `data_newer` for another version, because a read-only connection can't migrate; those of disks and locks.
 */
function faultOf(database: Connection, role: Role, file: string): BroadsheetError | null {
  const schema = schemaOf(role);
  try {
    if (role !== 'mirror') attachFile(database, schema, file);
    const owner = roleOf(database, schema);
    if (owner !== null && owner !== role) return foreignFileError(role);
    checkVersion(database, schema);
    const found = identify(database, role, schema);
    if (found === 'incomplete') markReplaceable(role, file);
    return found === 'expected' ? null : foreignFileError(role);
  } catch (error) {
    if (!mayBeDamage(error)) throw error;
    markReplaceable(role, file);
    return damagedError([FILE_NAMES[role]], error);
  }
}

function checkVersion(database: Connection, schema: string): void {
  const newest = MIGRATIONS.find(([name]) => name === schema)?.[1].length;
  if (newest === undefined) return;
  const version = schemaVersion(database, schema);
  if (version > newest) throw newerThanThis(schema);
  if (version < newest) throw nothingStoredError();
}

function lostDataError(files: StoreFiles, lost: readonly LostFile[]): BroadsheetError {
  const backup = newestSoundBackup(dirname(files.user));
  const texts = lost.map(({ role, state }) => lostText(FILE_NAMES[role], state, role === 'user' ? backup : undefined));
  return new BroadsheetError('data_unreadable', texts.join(' '));
}

function foreignFileError(role: Role): BroadsheetError {
  return new BroadsheetError(
    'data_unreadable',
    `The file ${FILE_NAMES[role]} is not what its name says, or is incomplete. Start Broadsheet or run a sync: it sets the file aside.`,
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
  found: Pick<WritingConnection, 'storageWarnings' | 'wasLeftOpen'>,
  release: () => void,
): WritingConnection {
  const database = new Database(files.mirror, { timeout: LOCK_WAIT_MS });
  let logs: WalLimits;
  try {
    attach(database, files);
    logs = tune(database);
    const isNewModels = schemaVersion(database, 'models') === 0;
    for (const [schema, migrations] of MIGRATIONS) {
      if (schema === 'models' && isNewModels) makeModelListsDue(database);
      if (schema === 'user') backUpOldUser(database, opening);
      migrate(database, schema, migrations);
    }
    for (const role of ROLES) stamp(database, role, schemaOf(role));
    nameMirror(database, opening.source);
  } catch (error) {
    const told = noteDamage(error, database);
    database.close();
    throw told;
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

/** Creates a missing file under its name only once it is valid, so that an empty file always means lost content. */
function makeDatabase(file: string, role: Role): void {
  if (existsSync(file)) return;
  const unfinished = `${file}-new`;
  removeDatabase(unfinished);
  makePrivateFile(unfinished);
  const database = new Database(unfinished);
  try {
    // Writes the first page.
    database.pragma('journal_mode = WAL');
    stamp(database, role);
  } finally {
    database.close();
  }
  renameSync(unfinished, file);
}

/** Fails without a backup, so that there is no migration: user data can't be downloaded again. */
function backUpOldUser(database: Connection, { folder, now }: Opening): void {
  const version = schemaVersion(database, 'user');
  if (version > 0 && version < USER_MIGRATIONS.length) backUpBeforeMigration(database, folder, version, now);
}

function databasesOf(files: StoreFiles): string[] {
  return ROLES.map((role) => files[role]);
}

function attach(database: Connection, files: StoreFiles): void {
  for (const schema of ATTACHED) {
    attachFile(database, schema, files[schema]);
  }
}

function attachFile(database: Connection, schema: string, file: string): void {
  database.prepare(`ATTACH DATABASE ? AS ${schema}`).run(file);
}

function limitCaches(database: Connection, sizes: CacheSizes): void {
  for (const [schema, size] of Object.entries(sizes)) database.pragma(`${schema}.cache_size = -${String(size)}`);
}

/** Can't be downloaded again: each write is synced to disk. */
const IRREPLACEABLE: readonly string[] = ['user', 'models'];

function tune(database: Connection): WalLimits {
  const schemas = ['main', ...ATTACHED];
  for (const schema of schemas) {
    database.pragma(`${schema}.journal_mode = WAL`);
    database.pragma(`${schema}.synchronous = ${IRREPLACEABLE.includes(schema) ? 'FULL' : 'NORMAL'}`);
  }
  limitCaches(database, WRITING_CACHE);
  return new WalLimits(database, schemas);
}

function nameMirror(database: Connection, source: string): void {
  if (mirrorProperties.get(database, 'source') !== null) return;
  transaction(database, (db) => {
    mirrorProperties.set(db, 'source', source);
    makeAllDue(database);
  });
}

/** Makes all resources due for a new or another mirror, except while a Retry-After holds. Call it in a transaction. */
export function makeAllDue(database: Connection): void {
  database.exec(
    'UPDATE fetchLog.schedule SET due_at = 0, lifetime = 0; DELETE FROM fetchLog.report_request; DELETE FROM fetchLog.index_fetch; DELETE FROM fetchLog.story_failure',
  );
}

/** Makes the lists of a new models.db due, except while a Retry-After holds. */
function makeModelListsDue(database: Connection): void {
  const makeDue = database.prepare<[string]>(
    'UPDATE fetchLog.schedule SET due_at = 0, lifetime = 0 WHERE resource = ?',
  );
  for (const modelList of MODEL_LISTS) makeDue.run(modelList);
}
