import Database, { type Database as Connection } from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { BroadsheetError } from '../contract/errors.ts';
import type { StoreNotice } from '../contract/model.ts';
import { explainStoreError } from './errors.ts';
import { damageMark, park, removeDatabase, setAside, storeFiles, unpark, type StoreFiles } from './files.ts';
import { lockFolder } from './lock.ts';
import { migrate } from './migrate.ts';
import { JOURNAL_MIGRATIONS } from './migrations/journal.ts';
import { MIRROR_MIGRATIONS } from './migrations/mirror.ts';
import { USER_MIGRATIONS } from './migrations/user.ts';
import { Properties } from './properties.ts';

const CACHE_KIB = 64 * 1024;
const LOCK_WAIT_MS = 2_000;

export interface WritingConnection {
  /** `main` is the mirror; `user`, `journal` and `search` are attached. */
  database: Connection;
  /** Files that were set aside on the way. */
  notices: StoreNotice[];
  close(): void;
}

type Condition = 'absent' | 'usable' | 'damaged' | 'newer';

/**
 * Opens a data folder for its one writer: locks it, sets aside what cannot be used, brings every file to the newest
 * version, and makes sure that the mirror is that of `source`. Errors: `data_in_use`, `data_newer` (user.db only, for it is
 * never replaced without being asked), `data_read_only`, `disk_full`.
 */
export function openForWriting(folder: string, source: string, now: number): WritingConnection {
  const files = storeFiles(folder);
  if (folder === ':memory:') return prepare(files, source, [], () => undefined);
  makeFolder(folder);
  const lock = lockFolder(files.lock);
  try {
    const notices = clearTheWay(folder, files, source, now);
    return prepare(files, source, notices, () => {
      lock.release();
    });
  } catch (error) {
    lock.release();
    throw explainStoreError(error);
  }
}

/** A second, read-only connection beside the writer's, or without one. Errors: `not_found` where nothing is stored yet. */
export function openForReading(folder: string): Connection {
  const files = storeFiles(folder);
  if (![files.mirror, files.user, files.search, files.journal].every((file) => existsSync(file))) {
    throw new BroadsheetError('not_found', 'Nothing is stored in this data folder yet.');
  }
  try {
    const database = new Database(files.mirror, { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS });
    attach(database, files);
    return database;
  } catch (error) {
    throw explainStoreError(error);
  }
}

function prepare(files: StoreFiles, source: string, notices: StoreNotice[], release: () => void): WritingConnection {
  const database = new Database(files.mirror, { timeout: LOCK_WAIT_MS });
  try {
    attach(database, files);
    tune(database);
    migrate(database, 'main', MIRROR_MIGRATIONS);
    migrate(database, 'user', USER_MIGRATIONS);
    migrate(database, 'journal', JOURNAL_MIGRATIONS);
    nameMirror(database, source);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    database,
    notices,
    close(): void {
      database.close();
      release();
    },
  };
}

function attach(database: Connection, files: StoreFiles): void {
  for (const schema of ['user', 'journal', 'search'] as const) {
    database.prepare(`ATTACH DATABASE ? AS ${schema}`).run(files[schema]);
  }
}

/** Figures: docs/decisions. The reader's own marks are worth an fsync each; the mirror can be fetched again. */
function tune(database: Connection): void {
  for (const schema of ['main', 'user', 'journal', 'search']) {
    database.pragma(`${schema}.journal_mode = WAL`);
    database.pragma(`${schema}.synchronous = ${schema === 'user' ? 'FULL' : 'NORMAL'}`);
  }
  database.pragma(`main.cache_size = -${String(CACHE_KIB)}`);
  // Checkpoints are made when nothing else is to do: inside a COMMIT they take 25 to 100 ms.
  database.pragma('wal_autocheckpoint = 0');
}

/** A new mirror is empty: its resources are due at once, save where the service asked for patience. */
function nameMirror(database: Connection, source: string): void {
  const properties = new Properties(database, 'main');
  if (properties.get('source') !== null) return;
  database.transaction(() => {
    properties.set('source', source);
    properties.set('id', randomUUID());
    database.exec('UPDATE journal.schedule SET due_at = 0, lifetime = 0');
  })();
}

function clearTheWay(folder: string, files: StoreFiles, source: string, now: number): StoreNotice[] {
  const notices: StoreNotice[] = [];
  const aside = (file: string, reason: 'damaged' | 'newer'): void => {
    notices.push({ file: basename(file), setAsideAs: setAside(file, reason, now), reason });
  };

  const user = condition(files.user, USER_MIGRATIONS.length, true);
  if (user === 'damaged') aside(files.user, user);

  const mirror = condition(files.mirror, MIRROR_MIGRATIONS.length);
  if (mirror === 'damaged' || mirror === 'newer') aside(files.mirror, mirror);
  rmSync(damageMark(files.mirror), { force: true });
  takeMirrorOf(source, folder, files);
  if (!existsSync(files.mirror)) removeDatabase(files.search);
  if (condition(files.search, Infinity) === 'damaged') removeDatabase(files.search);

  const journal = condition(files.journal, JOURNAL_MIGRATIONS.length);
  if (journal === 'damaged' || journal === 'newer') aside(files.journal, journal);
  return notices;
}

/** The mirror of another service is put away, not mixed with this one's and not lost. */
function takeMirrorOf(source: string, folder: string, files: StoreFiles): void {
  const stored = existsSync(files.mirror) ? storedSource(files.mirror) : null;
  if (stored === source) return;
  if (stored !== null) park(folder, stored);
  if (!existsSync(files.mirror)) unpark(folder, source);
}

/** The service whose mirror this file is; null for a file that holds none yet. */
export function storedSource(mirror: string): string | null {
  const database = new Database(mirror, { readonly: true, timeout: LOCK_WAIT_MS });
  try {
    const named = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'property'").get();
    return named ? new Properties(database, 'main').get('source') : null;
  } finally {
    database.close();
  }
}

function condition(file: string, newest: number, thorough = false): Condition {
  if (!existsSync(file)) return 'absent';
  if (existsSync(damageMark(file))) return 'damaged';
  try {
    const database = new Database(file, { timeout: LOCK_WAIT_MS });
    try {
      const version = database.pragma('user_version', { simple: true }) as number;
      database.prepare('SELECT count(*) FROM sqlite_schema').get();
      if (thorough && database.pragma('quick_check(1)', { simple: true }) !== 'ok') return 'damaged';
      return version > newest ? 'newer' : 'usable';
    } finally {
      database.close();
    }
  } catch (error) {
    const known = explainStoreError(error);
    if (known instanceof BroadsheetError && known.code === 'data_unreadable') return 'damaged';
    throw known;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new BroadsheetError(
      'data_read_only',
      'The data folder cannot be made. Check the path and its permissions, or choose another one.',
      { cause },
    );
  }
}
