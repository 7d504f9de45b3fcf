import Database from 'better-sqlite3';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILES, ROLES, type Role } from '../../../src-main/store/database/databases.ts';
import { stateOf, type FileState } from '../../../src-main/store/database/file-states.ts';
import { damageRoot } from '../../support/database-pages.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openStoreScene } from '../../support/store.ts';

function alter(file: string, sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

const WAYS: [state: FileState, name: string, change: (file: string) => void][] = [
  ['usable', 'left as it is', () => undefined],
  ['usable', 'without an id', (file) => alter(file, 'PRAGMA application_id = 0')],
  ['absent', 'removed', (file) => rmSync(file)],
  [
    'damaged',
    'of which only the log is left',
    (file) => {
      rmSync(file);
      writeFileSync(`${file}-wal`, 'The last changes');
    },
  ],
  ['damaged', 'emptied', (file) => truncateSync(file, 0)],
  ['damaged', 'marked while it was in use', (file) => writeFileSync(`${file}-damaged`, '')],
  ['damaged', 'with an impossible version', (file) => alter(file, 'PRAGMA user_version = -5')],
  ['damaged', 'with an impossibly late version', (file) => alter(file, 'PRAGMA user_version = 20000')],
  ['foreign', 'of another program', (file) => alter(file, 'PRAGMA application_id = 7; PRAGMA user_version = 99')],
  [
    'foreign',
    'of another program, without a table',
    (file) => {
      rmSync(file);
      alter(file, 'CREATE TABLE recipe (name TEXT); DROP TABLE recipe');
    },
  ],
  [
    'not-a-file',
    'replaced by a folder',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
];

function fileOf(role: Role): string {
  const folder = temporaryFolder();
  const { store, index } = openStoreScene({ folder });
  index();
  store.close();
  return join(folder, FILES[role].name);
}

describe.each(ROLES)('the state of %s', (role) => {
  const someFile = (): string => fileOf(role);

  // A search index of any other version is built again.
  it.each(WAYS.filter(([state, name]) => role !== 'search' || !(state === 'foreign' || name.includes('version'))))(
    'is %s if it is %s',
    (state, _, change) => {
      const file = someFile();
      change(file);
      expect(stateOf(file, role)).toBe(state);
    },
  );

  it('is foreign in the place of another one', () => {
    const file = someFile();
    for (const other of ROLES.filter((one) => one !== role)) expect(stateOf(file, other)).toBe('foreign');
  });

  it.skipIf(role === 'search')('is newer only with our id', () => {
    const file = someFile();
    alter(file, 'PRAGMA user_version = 2');
    expect(stateOf(file, role)).toBe('newer');
    // As those of earlier development.
    alter(file, 'PRAGMA application_id = 0');
    expect(stateOf(file, role)).toBe('foreign');
  });

  it.skipIf(role === 'search')('is damaged without a table', () => {
    const file = someFile();
    alter(file, 'DROP TABLE property');
    expect(stateOf(file, role)).toBe('damaged');
  });
});

it.each<[Role, FileState, name: string, change: (file: string) => void]>([
  ['search', 'usable', 'of another layout', (file) => alter(file, 'DROP TABLE derived; PRAGMA user_version = 4')],
  ['search', 'damaged', 'with a damaged page', (file) => damageRoot(file, 'item_text_data')],
  ['mirror', 'damaged', 'with a damaged page', (file) => damageRoot(file, 'property')],
  ['mirror', 'usable', 'without an index of a list', (file) => alter(file, 'DROP INDEX item_index_starred')],
  [
    'mirror',
    'damaged',
    'with an index of another list',
    (file) =>
      alter(file, 'DROP INDEX item_index_starred; CREATE INDEX item_index_starred ON item_index (key) WHERE muted = 0'),
  ],
])('the state of %s is %s if it is %s', (role, state, _, change) => {
  const file = fileOf(role);
  change(file);
  expect(stateOf(file, role)).toBe(state);
});

describe('user.db of earlier development', () => {
  it('is set aside and told, and does not stop the start', () => {
    const folder = temporaryFolder();
    openStoreScene({ folder }).store.close();
    const file = join(folder, FILES.user.name);
    alter(file, `DROP TABLE model_gone; PRAGMA application_id = 0; PRAGMA user_version = 2`);
    const { store } = openStoreScene({ folder });
    expect(store.storageWarnings).toMatchObject([{ file: 'user.db', reason: 'foreign' }]);
  });
});
