import Database from 'better-sqlite3';
import { closeSync, openSync } from 'node:fs';
import { BroadsheetError } from '../../contract/errors.ts';
import { diskFull, isOutOfHandles, mapSystemError, tooManyOpenFiles } from '../../common/system-errors.ts';
import { FILES, ROLES, type Role } from './databases.ts';
import { findObstacle } from './files.ts';

const LOCKED = /^SQLITE_(BUSY|LOCKED)/;
const CORRUPT = /^SQLITE_(CORRUPT|NOTADB)/;

const MEANINGS: [codes: RegExp, make: (cause: unknown) => BroadsheetError][] = [
  [/^SQLITE_FULL/, diskFull],
  [/^SQLITE_(READONLY|PERM|CANTOPEN)/, readOnlyError],
  [LOCKED, (cause) => lockedError('a data file', cause)],
  [CORRUPT, (cause) => damagedError(['A data file'], cause)],
  [/^SQLITE_IOERR/, diskError],
];

const OF_CONTENT = /^SQLITE_(ERROR|CORRUPT|NOTADB|FORMAT|SCHEMA|CONSTRAINT|MISMATCH|TOOBIG|INTERNAL)/;

/** Their reason is found in the file system. */
const UNSPECIFIC = /^SQLITE_(CANTOPEN|IOERR|PERM|READONLY|AUTH)/;

export function mapStoreError(thrown: unknown, folder: string | null): unknown {
  if (!(thrown instanceof Database.SqliteError)) return mapSystemError(thrown);
  if (UNSPECIFIC.test(thrown.code)) {
    if (isShortOfHandles()) return tooManyOpenFiles(thrown);
    const obstacle = folder === null ? null : findObstacle(folder, thrown);
    if (obstacle) return obstacle;
  }
  return MEANINGS.find(([codes]) => codes.test(thrown.code))?.[1](thrown) ?? thrown;
}

export function isCorruption(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && CORRUPT.test(thrown.code);
}

/** SQLite reports some damage as a mistake in the statement: a table with a changed word in its SQL lacks a column. */
export function mayBeDamage(thrown: unknown): thrown is InstanceType<typeof Database.SqliteError> {
  return thrown instanceof Database.SqliteError && OF_CONTENT.test(thrown.code);
}

/** To open all databases. */
const HANDLES_NEEDED = 32;

/** SQLite hides this reason, and has closed the handles of its failed attempt. */
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

function readOnlyError(cause: unknown): BroadsheetError {
  return new BroadsheetError(
    'data_read_only',
    "Can't write to the data folder. Check its permissions, or choose another folder.",
    { retryable: true, cause },
  );
}

export function isLocked(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && LOCKED.test(thrown.code);
}

export function lockedError(what: string, cause: unknown): BroadsheetError {
  return new BroadsheetError(
    'data_in_use',
    `Another program has locked ${what}, for example a backup or a database tool. Close it, then try again.`,
    { retryable: true, cause },
  );
}

function diskError(cause: unknown): BroadsheetError {
  const words = "Can't read or write the data folder. Check the disk.";
  return new BroadsheetError('data_unreadable', words, { retryable: true, cause });
}

export function damagedError(files: readonly string[], cause: unknown, what = 'is damaged'): BroadsheetError {
  const texts = files.map((file) => {
    const role = ROLES.find((one) => FILES[one].name === file);
    const cure = role === undefined ? '' : ` ${FILES[role].cure}`;
    return `${file} ${what}. Start Broadsheet or run \`broadsheet sync\`: it sets the file aside.${cure}`;
  });
  return new BroadsheetError('data_unreadable', texts.join(' '), { cause });
}

export function lostText(role: Role, state: 'missing' | 'empty', backup?: string): string {
  const restore =
    backup === undefined ? '' : `To restore the latest backup, run \`broadsheet data restore ${backup}\`. `;
  const { name, held } = FILES[role];
  return `${name} is ${state}: it held ${held}. ${restore}If you have a copy of the file, put it back. To go on with a new one, start Broadsheet or run \`broadsheet sync\`.`;
}
