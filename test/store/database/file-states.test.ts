import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILES, type Role } from '../../../src-main/store/database/databases.ts';
import { stateOf, type FileState } from '../../../src-main/store/database/file-states.ts';
import { damageRoot } from '../../support/database-pages.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openStoreScene } from '../../support/store.ts';

function alter(file: string, sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

function fileOf(role: Role): string {
  const folder = temporaryFolder();
  const { store, index } = openStoreScene({ folder });
  index();
  store.close();
  return join(folder, FILES[role].name);
}

it.each<[Role, FileState, name: string, change: (file: string) => void]>([
  ['user', 'damaged', 'with an impossible version', (file) => alter(file, 'PRAGMA user_version = -5')],
  ['user', 'damaged', 'with an impossibly late version', (file) => alter(file, 'PRAGMA user_version = 20000')],
  ['user', 'newer', 'of a later version', (file) => alter(file, 'PRAGMA user_version = 2')],
  [
    'mirror',
    'foreign',
    'of another program',
    (file) => alter(file, 'PRAGMA application_id = 7; PRAGMA user_version = 99'),
  ],
  ['user', 'foreign', 'with other tables', (file) => alter(file, 'DROP TABLE record; PRAGMA application_id = 0')],
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
