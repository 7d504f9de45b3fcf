import Database from 'better-sqlite3';
import { closeSync, openSync } from 'node:fs';
import { BroadsheetError } from '../../contract/errors.ts';
import { diskFull, isOutOfHandles, mapSystemError, tooManyOpenFiles } from '../../common/system-errors.ts';
import { findObstacle } from './places.ts';

/** User-facing errors by SQLite result code; the first matching prefix applies. */
const MEANINGS: [prefix: string, make: (cause: unknown) => BroadsheetError][] = [
  ['SQLITE_FULL', diskFull],
  ['SQLITE_READONLY', readOnly],
  ['SQLITE_PERM', readOnly],
  ['SQLITE_CANTOPEN', readOnly],
  ['SQLITE_BUSY', (cause) => inUse('a data file', cause)],
  ['SQLITE_LOCKED', (cause) => inUse('a data file', cause)],
  ['SQLITE_CORRUPT', unreadable],
  ['SQLITE_NOTADB', unreadable],
  [
    'SQLITE_IOERR',
    (cause) =>
      new BroadsheetError('data_unreadable', "Can't read or write the data folder. Check the disk.", {
        retryable: true,
        cause,
      }),
  ],
];

const OF_CONTENT = /^SQLITE_(ERROR|CORRUPT|NOTADB|FORMAT|SCHEMA|CONSTRAINT|MISMATCH|TOOBIG|INTERNAL)/;

/** SQLite reports these for various reasons, which the file system knows better. */
const UNSPECIFIC = /^SQLITE_(CANTOPEN|IOERR|PERM|READONLY|AUTH)/;

/**
 * Maps an error of SQLite or of the file system to the app's error; everything else is returned unchanged. `folder` is
 * the data folder, if it is known.
 */
export function mapStoreError(thrown: unknown, folder: string | null): unknown {
  if (!(thrown instanceof Database.SqliteError)) return mapSystemError(thrown);
  if (UNSPECIFIC.test(thrown.code)) {
    if (isShortOfHandles()) return tooManyOpenFiles(thrown);
    const obstacle = folder === null ? null : findObstacle(folder, thrown);
    if (obstacle) return obstacle;
  }
  return MEANINGS.find(([prefix]) => thrown.code.startsWith(prefix))?.[1](thrown) ?? thrown;
}

/** True if SQLite reports a damaged file or one that is no database. I/O errors are not corruption. */
export function isCorruption(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code);
}

/**
 * True if an error can come from what a file holds. SQLite calls some damage a mistake in the statement: a table whose
 * SQL has another word in it can't be used, or has no such column. Errors of disks, permissions and locks are none.
 */
export function mayBeDamage(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && OF_CONTENT.test(thrown.code);
}

/** Opening all databases takes up to so many file handles. */
const HANDLES_NEEDED = 32;

/** SQLite hides that there are no handles left. By now those of the failed attempt are closed again. */
function isShortOfHandles(): boolean {
  const handles: number[] = [];
  try {
    while (handles.length < HANDLES_NEEDED) handles.push(openSync(process.execPath, 'r'));
    return false;
  } catch (error) {
    return isOutOfHandles(error);
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

function readOnly(cause: unknown): BroadsheetError {
  return new BroadsheetError(
    'data_read_only',
    "Can't write to the data folder. Check its permissions, or choose another folder.",
    { retryable: true, cause },
  );
}

export function isLocked(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(thrown.code);
}

/** `what` is the name of the file. */
export function inUse(what: string, cause: unknown): BroadsheetError {
  return new BroadsheetError(
    'data_in_use',
    `Another program has locked ${what}, for example a backup or a database tool. Close it, then try again.`,
    { retryable: true, cause },
  );
}

function unreadable(cause: unknown): BroadsheetError {
  return damaged(['A data file'], cause);
}

/** Tells how a damaged file is replaced by the next process that writes, after setting it aside. */
const CURES: Readonly<Record<string, string>> = {
  'user.db': 'Then `broadsheet status` names the latest backup to restore, if there is one.',
  'models.db': 'It downloads the model lists again, but not the history of their changes.',
};

/** `files` are damaged: their names, if they are known. `what` is what is known of them. */
export function damaged(files: readonly string[], cause: unknown, what = 'is damaged'): BroadsheetError {
  const texts = files.map((file) => {
    const cure = CURES[file] ?? 'It downloads or builds its content again.';
    return `${file} ${what}. Start Broadsheet or run \`broadsheet sync\`: it sets the file aside. ${cure}`;
  });
  return new BroadsheetError('data_unreadable', texts.join(' '), { cause });
}

/** Tells what is lost with a database that holds more than can be built again. */
const HELD: Readonly<Record<string, string>> = {
  'user.db': 'what you read, starred and wrote',
  'models.db': 'the model lists and the history of their changes',
  'mirror.db': 'the downloaded news, also what the news service no longer offers',
};

/** `backup` is the name of the newest backup that can replace user.db. */
export function lostText(file: string, state: 'missing' | 'empty', backup?: string): string {
  const restore =
    backup === undefined ? '' : `To restore the latest backup, run \`broadsheet data restore ${backup}\`. `;
  return `${file} is ${state}: it held ${HELD[file] ?? 'data'}. ${restore}If you have a copy of the file, put it back. To go on with a new one, start Broadsheet or run \`broadsheet sync\`.`;
}
