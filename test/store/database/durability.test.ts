import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folders.ts';
import { databaseOf, openTestStore } from '../internals.ts';

/** SQLite's numbers: 1 loses the last transactions in a power failure, and 2 none. */
const [NORMAL, FULL] = [1, 2];

it('what cannot be downloaded again is flushed with each transaction, and no file can be damaged by a power failure', () => {
  const database = databaseOf(openTestStore({ folder: temporaryFolder() }));
  const modes = ['main', 'user', 'search'].map((schema) => [
    schema,
    database.pragma(`${schema}.journal_mode`, { simple: true }),
    database.pragma(`${schema}.synchronous`, { simple: true }),
  ]);
  expect(modes).toEqual([
    ['main', 'wal', NORMAL],
    ['user', 'wal', FULL],
    ['search', 'wal', NORMAL],
  ]);
});
