import Database from 'better-sqlite3';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listBackups, soundBackup, restoreBackup } from '../../../src-main/store/database/backups.ts';
import { storeFiles } from '../../../src-main/store/database/files.ts';
import { FILES, migrate } from '../../../src-main/store/database/databases.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import type { Store } from '../../../src-main/store/index.ts';
import {
  EVERYTHING,
  idsOf,
  mark,
  openStoreScene,
  openTestStore,
  removeMirror,
  SOURCE,
  storeListed,
  write,
} from '../../support/store.ts';
import { idsIn } from '../../support/user-data.ts';

const DAY = 24 * 60 * 60_000;
const NOW = Date.parse('2026-03-20T00:00:00Z');

function code(wanted: string): Error {
  return expect.objectContaining({ code: wanted }) as Error;
}

const namesIn = (folder: string) => listBackups(folder).map(({ name }) => name);
const starsOf = (store: Store): unknown => idsIn(store.queries.userData.records(), 'star');

/** A closed folder with one backup in which item-0 is starred; later item-1 was starred and item-0 cleared. */
function folderWithBackup(): { folder: string; name: string } {
  const folder = temporaryFolder();
  const { store } = openStoreScene({ folder });
  storeListed(store, items(3));
  mark(store, ['item-0'], 'star');
  store.backUp();
  mark(store, ['item-0'], 'unstar');
  mark(store, ['item-1'], 'star');
  mark(store, ['item-2'], 'read');
  store.close();
  return { folder, name: namesIn(folder)[0] ?? '' };
}

describe('backups', () => {
  it('are made once a day if anything changed, and the newest seven are kept', () => {
    const folder = temporaryFolder();
    const clock = fakeClock();
    const store = openTestStore({ folder, clock });
    expect(store.backUpDaily()).toBe('notDue');
    for (let day = 0; day < 10; day += 1) {
      mark(store, [`item-${day}`], 'star');
      expect(store.backUpDaily()).toBe('made');
      expect(store.backUpDaily()).toBe('notDue');
      clock.advance(DAY);
      // Nothing has changed since.
      expect(store.backUpDaily()).toBe('unchanged');
    }
    const days = ['27', '26', '25', '24', '23', '22', '21'];
    expect(namesIn(folder)).toEqual(days.map((day) => `user-2026-03-${day}T06-30-00-000Z.db`));
    expect(readdirSync(join(folder, 'backups'))).toHaveLength(7);
    expect(listBackups(folder)[0]).toMatchObject({
      at: '2026-03-27T06:30:00.000Z',
      bytes: expect.any(Number) as number,
    });
  });

  it('continue after the clock was set back', () => {
    const folder = temporaryFolder();
    const clock = fakeClock();
    const store = openTestStore({ folder, clock });
    mark(store, ['a'], 'star');
    store.backUpDaily();
    mark(store, ['b'], 'star');
    clock.leap(-30 * DAY);
    expect(store.backUpDaily()).toBe('made');
  });

  it('contain everything up to then, and need no other files', () => {
    const { folder, name } = folderWithBackup();
    expect(readdirSync(join(folder, 'backups'))).toEqual([name]);
    const elsewhere = temporaryFolder();
    copyFileSync(soundBackup(folder, name), storeFiles(elsewhere).user);
    expect(starsOf(openTestStore({ folder: elsewhere }))).toEqual(['item-0']);
  });

  it('are not confused with other files in their folder', () => {
    const { folder, name } = folderWithBackup();
    for (const other of ['notes.txt', 'user-yesterday.db', 'user-2026-13-45T99-99-99-999Z.db', '.unfinished.db'])
      writeFileSync(join(folder, 'backups', other), 'x');
    expect(namesIn(folder)).toEqual([name]);
    expect(() => soundBackup(folder, 'notes.txt')).toThrow(code('not_found'));
    expect(() => soundBackup(folder, '../../user.db')).toThrow(code('not_found'));
  });

  it('that cannot be written are reported, and leave nothing behind', () => {
    const folder = temporaryFolder();
    const store = openTestStore({ folder });
    writeFileSync(join(folder, 'backups'), 'in the way');
    expect(() => store.backUp()).toThrow(code('data_read_only'));
    rmSync(join(folder, 'backups'));
    mkdirSync(join(folder, 'backups', '.unfinished.db'), { recursive: true });
    expect(() => store.backUp()).toThrow(code('data_read_only'));
    expect(namesIn(folder)).toEqual([]);
  });

  it('are made before each migration of user.db, which fails without one', () => {
    const folder = temporaryFolder();
    const old = FILES.user.migrations.length;
    // Like after a release that changed user.db.
    const migrations = FILES.user.migrations as string[];
    migrations.push('CREATE TABLE later (a INTEGER)');
    onTestFinished(() => void migrations.pop());
    const before = new Database(storeFiles(folder).user);
    migrate(before, 'main', FILES.user.migrations.slice(0, old));
    before.exec(`INSERT INTO record (service, kind, id, value, made) VALUES (0, 'star', 'kept', '{"at":1}', 1)`);
    before.close();
    writeFileSync(join(folder, 'backups'), 'in the way');
    expect(() => openTestStore({ folder })).toThrow(code('data_read_only'));
    rmSync(join(folder, 'backups'));

    const clock = fakeClock();
    const store = openTestStore({ folder, clock });
    expect(starsOf(store)).toEqual(['kept']);
    expect(namesIn(folder)).toEqual([`user-v${old}-2026-03-18T06-30-00-000Z.db`]);
    for (let n = 0; n < 8; n += 1) {
      clock.advance(1);
      store.backUp();
    }
    // It does not count towards the seven, and can be restored like the others.
    expect(namesIn(folder)).toHaveLength(8);
    store.close();
    restoreBackup(folder, namesIn(folder).at(-1) ?? '', NOW);
    expect(starsOf(openTestStore({ folder }))).toEqual(['kept']);
  });
});

describe('a restored backup', () => {
  it('replaces user.db, updates the mirror, and the old file is kept', () => {
    const { folder, name } = folderWithBackup();
    const replaced = readFileSync(join(folder, 'user.db'));
    restoreBackup(folder, name, NOW);
    expect(readFileSync(join(folder, 'user.db.replaced-2026-03-20T00-00-00-000Z'))).toEqual(replaced);
    const { store, queries } = openStoreScene({ folder });
    expect(store.storageWarnings).toEqual([]);
    expect(starsOf(store)).toEqual(['item-0']);
    // Later statuses are gone.
    expect(idsOf(queries, { ...EVERYTHING, state: 'starred' })).toEqual(['item-0']);
    expect(queries.items.counts()).toMatchObject({ all: { total: 3, unread: 3 }, starred: { total: 1 } });
    expect(namesIn(folder)).toEqual([name]);
  });

  it('is rejected if it is damaged, newer or missing, or the folder is open', () => {
    const { folder, name } = folderWithBackup();
    const before = readFileSync(join(folder, 'user.db'));
    const file = join(folder, 'backups', name);
    const restore = (): void => void restoreBackup(folder, name, NOW);
    const store = openTestStore({ folder });
    expect(restore).toThrow(code('data_in_use'));
    store.close();

    const bytes = readFileSync(file);
    const copy = new Database(file);
    copy.pragma(`user_version = ${FILES.user.migrations.length + 1}`);
    copy.close();
    expect(restore).toThrow(code('data_newer'));
    writeFileSync(file, bytes.fill(0x5a, bytes.length - 4_096));
    expect(restore).toThrow(code('data_unreadable'));
    writeFileSync(file, 'This is not a database. '.repeat(1_000));
    expect(restore).toThrow(code('data_unreadable'));
    writeFileSync(file, '');
    expect(restore).toThrow(code('data_unreadable'));
    rmSync(file);
    expect(restore).toThrow(code('not_found'));
    expect(readFileSync(join(folder, 'user.db'))).toEqual(before);
    expect(readdirSync(folder).filter((other) => /replaced|unfinished|next/.test(other))).toEqual([]);
  });

  it.each<[string, (file: string, folder: string) => void, string]>([
    ['of mirror.db', (file, folder) => copyFileSync(join(folder, 'mirror.db'), file), 'is a copy of mirror.db'],
    [
      'of another program',
      (file) => {
        rmSync(file);
        const other = new Database(file);
        other.exec('CREATE TABLE recipe (name TEXT); PRAGMA user_version = 1');
        other.close();
      },
      'is not a copy of user.db',
    ],
    [
      'without a table',
      (file) => {
        const copy = new Database(file);
        copy.exec('DROP TABLE notification_progress');
        copy.close();
      },
      'is damaged',
    ],
    [
      'that is a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
      'is not a file',
    ],
  ])('%s is rejected in words, and changes nothing', (_, replace, words) => {
    const { folder, name } = folderWithBackup();
    const before = readFileSync(join(folder, 'user.db'));
    replace(join(folder, 'backups', name), folder);
    const refused = {
      code: 'data_unreadable',
      message: expect.stringContaining(`The backup ${name} ${words}`) as string,
    };
    expect(() => restoreBackup(folder, name, NOW)).toThrow(expect.objectContaining(refused) as Error);
    expect(readFileSync(join(folder, 'user.db'))).toEqual(before);
    expect(readdirSync(folder).filter((other) => /replaced|unfinished|next/.test(other))).toEqual([]);
    expect(starsOf(openTestStore({ folder }))).toEqual(['item-1']);
  });

  it.each<[string, (user: string, copy: string) => void, string]>([
    ['while it is copied', (user) => writeFileSync(`${user}.unfinished`, 'half'), 'item-1'],
    ['before user.db was touched', (user, copy) => writeFileSync(`${user}.next`, readFileSync(copy)), 'item-0'],
    [
      'with user.db out of the way',
      (user, copy) => {
        writeFileSync(`${user}.next`, readFileSync(copy));
        renameSync(user, `${user}.replaced-x`);
      },
      'item-0',
    ],
    [
      'with its log still in the way',
      (user, copy) => {
        writeFileSync(`${user}.next`, readFileSync(copy));
        renameSync(user, `${user}.replaced-x`);
        writeFileSync(`${user}-wal`, 'The last marks of the one before');
      },
      'item-0',
    ],
  ])('that is interrupted %s is either undone or completed by the next start', (_, cut, starred) => {
    const { folder, name } = folderWithBackup();
    const { user } = storeFiles(folder);
    cut(user, join(folder, 'backups', name));
    const store = openTestStore({ folder });
    expect(store.storageWarnings).toEqual([]);
    expect(starsOf(store)).toEqual([starred]);
    for (const left of [`${user}.next`, `${user}.unfinished`]) expect(existsSync(left)).toBe(false);
  });
});

describe('a missing mirror', () => {
  it('is made again; statuses, models and the Retry-After of a service stay', () => {
    const { folder } = folderWithBackup();
    const first = openTestStore({ folder });
    const pause = { since: 5, span: 600_000 };
    write(first, ({ schedule }) => {
      schedule.pauseService('news', pause);
    });
    first.close();
    removeMirror(folder);
    expect(readdirSync(folder).toSorted()).toEqual(['backups', 'lock.db', 'user.db']);
    const { store, queries } = openStoreScene({ folder, source: SOURCE });
    // Without the search index, too: it was removed on purpose.
    expect(store.storageWarnings).toEqual([]);
    expect(store.queries.schedule.state('items')).toBeNull();
    expect(store.queries.schedule.servicePause('news')).toEqual(pause);
    storeListed(store, items(3));
    expect(idsOf(queries, { ...EVERYTHING, state: 'starred' })).toEqual(['item-1']);
    expect(queries.items.counts()).toMatchObject({ all: { total: 3, unread: 2 }, starred: { total: 1 } });
  });
});
