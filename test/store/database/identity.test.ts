import Database from 'better-sqlite3';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { FILES, newestVersion, ROLES, type Role } from '../../../src-main/store/database/databases.ts';
import { contentState, expectedObjects, roleInHeader } from '../../../src-main/store/database/identity.ts';
import { listBackups, openQueries } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { damageRoot } from '../../support/database-pages.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { isWhole } from '../../support/proofs.ts';
import { EVERYTHING, idsOf, mark, openStoreScene, storeListed } from '../../support/store.ts';

// Many files are opened, closed and flushed, which takes time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const STARRED = { ...EVERYTHING, state: 'starred' } as const;
const fileIn = (folder: string, role: Role): string => join(folder, FILES[role].name);

const saved = temporaryFolder(afterAll);

function save(): void {
  const { store, index } = openStoreScene({ folder: saved, clock: fakeClock('2026-03-17T06:30:00Z') });
  storeListed(store, items(20));
  mark(store, ['item-0'], 'star');
  index();
  store.backUp();
  store.close();
}

/** A closed folder with a backup, in which item-0 is starred. */
function someFolder(): string {
  if (readdirSync(saved).length === 0) save();
  const folder = temporaryFolder();
  cpSync(saved, folder, { recursive: true });
  return folder;
}

/** Opens the folder and downloads the items again, as a sync would. */
function healed(folder: string) {
  const scene = openStoreScene({ folder });
  storeListed(scene.store, items(20));
  scene.index();
  const { queries, store } = scene;
  const seen = {
    items: idsOf(queries).length,
    starred: idsOf(queries, STARRED),
    found: idsOf(queries, { ...EVERYTHING, text: 'title' }).length,
  };
  const warnings = store.storageWarnings;
  store.close();
  return { seen, warnings };
}

const WHOLE = { items: 20, starred: ['item-0'], found: 20 };

describe('a database', () => {
  it.each(ROLES.filter((role) => role !== 'search'))('%s has the objects that its migrations name', (role) => {
    const folder = someFolder();
    const database = new Database(fileIn(folder, role), { readonly: true });
    expect(contentState(database, role)).toBe('usable');
    const names = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all();
    const expected = [...expectedObjects(role, newestVersion(role)).keys()];
    expect(names).toEqual(expect.arrayContaining(expected));
    // The indexes of lists are made when they are needed.
    if (role !== 'mirror') expect(names.toSorted()).toEqual(expected.toSorted());
    database.close();
  });

  it('is recognised by its first bytes', () => {
    const folder = someFolder();
    expect(ROLES.map((role) => roleInHeader(fileIn(folder, role)))).toEqual([...ROLES]);
    const [backup] = listBackups(folder);
    expect(roleInHeader(join(folder, 'backups', backup?.name ?? ''))).toBe('user');
    writeFileSync(fileIn(folder, 'user'), 'X', { flag: 'r+' });
    expect(roleInHeader(fileIn(folder, 'user'))).toBeNull();
  });
});

const SWAPS = ROLES.flatMap((from) => ROLES.filter((to) => to !== from).map((to) => [from, to] as const));

describe('a database in the place of another one', () => {
  it.each(SWAPS)('is set aside: %s over %s', (from, to) => {
    const folder = someFolder();
    const copied = readFileSync(fileIn(folder, from));
    copyFileSync(fileIn(folder, from), fileIn(folder, to));
    const open = () => {
      openQueries(folder).close();
    };
    if (to === 'search') open();
    else expect(open).toThrow(expect.objectContaining({ code: 'data_unreadable' }) as Error);
    const { seen, warnings } = healed(folder);
    expect(warnings).toMatchObject([{ file: FILES[to].name, reason: 'foreign' }]);
    expect(readFileSync(join(folder, warnings[0]?.setAsideAs ?? ''))).toEqual(copied);
    if (to === 'user') expect(warnings[0]?.backup).toMatch(/^user-/);
    expect(seen).toEqual(to === 'user' ? { ...WHOLE, starred: [] } : WHOLE);
    // Nothing else is set aside by the next start.
    expect(healed(folder)).toEqual({ seen, warnings });
    openQueries(folder).close();
  });

  it.each(SWAPS.filter(([from, to]) => from < to))('is exchanged back: %s and %s', (one, other) => {
    const folder = someFolder();
    renameSync(fileIn(folder, one), join(folder, 'between'));
    renameSync(fileIn(folder, other), fileIn(folder, one));
    renameSync(join(folder, 'between'), fileIn(folder, other));
    const store = openStoreScene({ folder });
    expect(idsOf(store.queries, STARRED)).toEqual(['item-0']);
    expect(store.store.storageWarnings.map(({ file, reason }) => [file, reason]).toSorted()).toEqual(
      [one, other].map((role) => [FILES[role].name, 'put-back']).toSorted(),
    );
    store.store.close();
    expect(healed(folder)).toEqual({ seen: WHOLE, warnings: [] });
  });

  it.each(ROLES)('may be of another program: %s', (role) => {
    const folder = someFolder();
    rmSync(fileIn(folder, role));
    const other = new Database(fileIn(folder, role));
    other.exec('CREATE TABLE recipe (name TEXT); PRAGMA user_version = 1');
    other.close();
    const { seen, warnings } = healed(folder);
    expect(warnings).toMatchObject([{ file: FILES[role].name, reason: 'foreign' }]);
    expect(seen).toEqual(role === 'user' ? { ...WHOLE, starred: [] } : WHOLE);
  });

  it.each([
    ['a table', 'DROP TABLE notification_progress'],
    ['an index', 'DROP INDEX record_star'],
    ['a column', 'ALTER TABLE notification_progress RENAME COLUMN value TO valeu'],
    ['all tables', 'DROP TABLE property; DROP TABLE record; PRAGMA user_version = 0'],
  ])('is damaged without %s that it should have', (_, sql) => {
    const folder = someFolder();
    const user = new Database(fileIn(folder, 'user'));
    user.exec(sql);
    user.close();
    const { warnings } = healed(folder);
    expect(warnings).toMatchObject([{ file: 'user.db', reason: 'damaged', backup: expect.any(String) as string }]);
  });

  it('without an application id is used if its tables are right, and gets one', () => {
    const folder = someFolder();
    for (const role of ROLES) {
      const database = new Database(fileIn(folder, role));
      database.pragma('application_id = 0');
      database.close();
    }
    expect(healed(folder)).toEqual({ seen: WHOLE, warnings: [] });
    expect(ROLES.map((role) => roleInHeader(fileIn(folder, role)))).toEqual([...ROLES]);
  });
});

/** Where the SQL of tables and indexes is in a file. */
function schemaPlaces(file: string): number[] {
  const database = new Database(file, { readonly: true });
  const texts = database.prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').pluck().all();
  database.close();
  const bytes = readFileSync(file);
  return texts.flatMap((text) => {
    const start = bytes.indexOf(text);
    return Array.from({ length: Buffer.byteLength(text) }, (_, at) => start + at);
  });
}

/** Distance between the characters of a schema that are changed. */
const STRIDE = isWhole ? 41 : 131;

describe('a changed character in the SQL of a table or an index', () => {
  it.each(ROLES)('costs nothing, and only its file is set aside: %s', (role) => {
    const places = schemaPlaces(fileIn(someFolder(), role)).filter((_, at) => at % STRIDE === 0);
    let told = 0;
    for (const place of places) {
      const folder = someFolder();
      const bytes = readFileSync(fileIn(folder, role));
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      writeFileSync(fileIn(folder, role), bytes);
      const { seen, warnings } = healed(folder);
      const isLost = role === 'user' && warnings.length > 0;
      if (isLost) expect(warnings[0]?.backup).toMatch(/^user-/);
      expect(seen, `byte ${String(place)}`).toEqual(isLost ? { ...WHOLE, starred: [] } : WHOLE);
      expect(warnings.filter(({ file }) => file !== FILES[role].name)).toEqual([]);
      told += warnings.length;
    }
    // One in a comment has no effect, and much of it is comments.
    expect(told).toBeGreaterThan(places.length / 5);
  });

  it.each([
    [
      'in its schema',
      (file: string) => writeFileSync(file, readFileSync(file, 'latin1').replace('USING fts5', 'USING fts6'), 'latin1'),
    ],
    ['in a page', (file: string) => damageRoot(file, 'item_text_data')],
  ])('in the search index stops only who searches, and names the file: %s', (_, damage) => {
    const folder = someFolder();
    damage(fileIn(folder, 'search'));
    const queries = openQueries(folder);
    expect(idsOf(queries, STARRED)).toEqual(['item-0']);
    // However often.
    for (let n = 0; n < 2; n += 1)
      expect(() => idsOf(queries, { ...EVERYTHING, text: 'title' })).toThrow(/search\.db is missing or damaged/);
    queries.close();
  });
});

describe('something else in the place of a database', () => {
  it.each(
    ROLES.flatMap((role) => [
      [role, 'a folder', (path: string) => mkdirSync(path)] as const,
      [role, 'a link to nowhere', (path: string) => symlinkSync('nowhere', path)] as const,
      [role, 'a link to itself', (path: string) => symlinkSync(path, path)] as const,
      [role, 'a link to a folder', (path: string) => symlinkSync('/', path)] as const,
    ]),
  )('is set aside: %s, %s', (role, _, put) => {
    const folder = someFolder();
    rmSync(fileIn(folder, role));
    put(fileIn(folder, role));
    const { seen, warnings } = healed(folder);
    expect(warnings).toMatchObject([{ file: FILES[role].name, reason: 'not-a-file' }]);
    if (role === 'user') expect(warnings[0]?.backup).toMatch(/^user-/);
    expect(seen).toEqual(role === 'user' ? { ...WHOLE, starred: [] } : WHOLE);
    expect(healed(folder)).toEqual({ seen, warnings });
  });

  it.each([
    ['-wal', 'a folder', (path: string) => mkdirSync(path)] as const,
    ['-shm', 'a folder', (path: string) => mkdirSync(path)] as const,
    ['-wal', 'a link to itself', (path: string) => symlinkSync(path, path)] as const,
    ['-shm', 'a link to itself', (path: string) => symlinkSync(path, path)] as const,
  ])('is set aside in the place of a log: %s, %s', (companion, _, put) => {
    const folder = someFolder();
    for (const role of ROLES) {
      rmSync(fileIn(folder, role) + companion, { force: true });
      put(fileIn(folder, role) + companion);
    }
    const { seen, warnings } = healed(folder);
    expect(seen).toEqual(WHOLE);
    expect(warnings.map(({ file }) => file).toSorted()).toEqual(
      ROLES.map((role) => FILES[role].name + companion).toSorted(),
    );
  });

  it('is no reason to leave a link to a database of the reader', () => {
    const folder = someFolder();
    const elsewhere = temporaryFolder();
    cpSync(fileIn(folder, 'user'), join(elsewhere, 'kept.db'));
    rmSync(fileIn(folder, 'user'));
    symlinkSync(join(elsewhere, 'kept.db'), fileIn(folder, 'user'));
    expect(healed(folder)).toEqual({ seen: WHOLE, warnings: [] });
  });

  it.each([1, 99, 511])('is never overwritten: a file of %d bytes', (length) => {
    for (const role of ROLES) {
      const folder = someFolder();
      const left = 'x'.repeat(length);
      writeFileSync(fileIn(folder, role), left);
      const { warnings } = healed(folder);
      expect(warnings, role).toMatchObject([{ file: FILES[role].name, reason: 'damaged' }]);
      expect(readFileSync(join(folder, warnings[0]?.setAsideAs ?? ''), 'utf8')).toBe(left);
    }
  });
});
