import Database from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';

/** What SQLite's result codes mean to a person. The longest prefix that fits wins. */
const MEANINGS: [prefix: string, make: (cause: unknown) => BroadsheetError][] = [
  [
    'SQLITE_FULL',
    (cause) =>
      new BroadsheetError('disk_full', 'The disk is full. Free some space; Broadsheet goes on by itself.', {
        retryable: true,
        cause,
      }),
  ],
  ['SQLITE_READONLY', readOnly],
  ['SQLITE_PERM', readOnly],
  ['SQLITE_CANTOPEN', readOnly],
  ['SQLITE_BUSY', inUse],
  ['SQLITE_LOCKED', inUse],
  ['SQLITE_CORRUPT', unreadable],
  ['SQLITE_NOTADB', unreadable],
  [
    'SQLITE_IOERR',
    (cause) =>
      new BroadsheetError('data_unreadable', 'The data folder could not be read or written. Check the disk.', {
        retryable: true,
        cause,
      }),
  ],
];

/** The app's error for what SQLite threw; everything else comes back as it was. */
export function explainStoreError(thrown: unknown): unknown {
  if (!(thrown instanceof Database.SqliteError)) return thrown;
  return MEANINGS.find(([prefix]) => thrown.code.startsWith(prefix))?.[1](thrown) ?? thrown;
}

function readOnly(cause: unknown): BroadsheetError {
  return new BroadsheetError(
    'data_read_only',
    'The data folder cannot be written to. Check its permissions, or choose another one.',
    { retryable: true, cause },
  );
}

function inUse(cause: unknown): BroadsheetError {
  return new BroadsheetError(
    'data_in_use',
    'Another program is using this data folder. Close the other Broadsheet, or choose another folder.',
    { retryable: true, cause },
  );
}

function unreadable(cause: unknown): BroadsheetError {
  return new BroadsheetError(
    'data_unreadable',
    'A stored file is damaged. Start Broadsheet again: it sets the file aside and fetches its content anew.',
    { cause },
  );
}
