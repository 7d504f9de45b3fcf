import Database from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';

/** User-facing errors by SQLite result code; the first matching prefix applies. */
const MEANINGS: [prefix: string, make: (cause: unknown) => BroadsheetError][] = [
  [
    'SQLITE_FULL',
    (cause) =>
      new BroadsheetError('disk_full', 'The disk is full. Free some space; Broadsheet then continues automatically.', {
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
      new BroadsheetError('data_unreadable', "Can't read or write the data folder. Check the disk.", {
        retryable: true,
        cause,
      }),
  ],
];

/** Maps a SQLite error to the app's error; everything else is returned unchanged. */
export function mapStoreError(thrown: unknown): unknown {
  if (!(thrown instanceof Database.SqliteError)) return thrown;
  return MEANINGS.find(([prefix]) => thrown.code.startsWith(prefix))?.[1](thrown) ?? thrown;
}

function readOnly(cause: unknown): BroadsheetError {
  return new BroadsheetError(
    'data_read_only',
    "Can't write to the data folder. Check its permissions, or choose another folder.",
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
    'A data file is damaged. Broadsheet sets it aside and downloads its content again; try again in a moment.',
    { cause },
  );
}
