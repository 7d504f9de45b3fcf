import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { corruptionMarker, storeFiles } from '../../../src-main/store/database/files.ts';
import { fakeClock } from '../../support/clock.ts';
import { pagesOf } from '../../support/database-pages.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import {
  expireParkedMirrors,
  listParkedMirrors,
  openQueries,
  openStore,
  removeParkedMirror,
  type Store,
} from '../../../src-main/store/index.ts';
import { EVERYTHING, idsOf, mark, reschedule, SOURCE, storeListed, write } from '../../support/store.ts';
import { openTestStore, openStoreScene } from '../internals.ts';
import { idsIn } from '../../support/user-data.ts';

// Many files are opened, closed and flushed, which takes time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const OTHER = 'https://other.example/';
const DATABASES = ['mirror.db', 'user.db', 'search.db'];

function code(wanted: string): Error {
  return expect.objectContaining({ code: wanted }) as Error;
}

const saved = temporaryFolder(afterAll);

function save(): void {
  const { store, index } = openStoreScene({ folder: saved });
  storeListed(store, items(50, { summary: 'A summary of some length. '.repeat(20) }));
  mark(store, ['item-0'], 'star');
  index();
  store.close();
}

/** A closed folder after a run of the app: a mirror of some indexed items, one of them starred. */
function someFolder(): string {
  if (readdirSync(saved).length === 0) save();
  const folder = temporaryFolder();
  cpSync(saved, folder, { recursive: true });
  return folder;
}

function flipByte(file: string, at: number): void {
  const handle = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, at);
  writeSync(handle, Buffer.from([(byte[0] ?? 0) ^ 0xff]), 0, 1, at);
  closeSync(handle);
}

function starsOf(store: Store): unknown {
  return idsIn(store.queries.userData.records(), 'star');
}

describe('a data folder', () => {
  it('is created if missing, with its parents', () => {
    const folder = join(temporaryFolder(), 'a', 'b');
    openTestStore({ folder }).close();
    const files = ['lock.db', 'mirror.db', 'search.db', 'user.db'];
    expect(readdirSync(folder).toSorted()).toEqual(files);
  });

  it('keeps its contents between runs, without a warning', () => {
    const folder = someFolder();
    const { store, queries } = openStoreScene({ folder });
    expect(store.storageWarnings).toEqual([]);
    expect(idsOf(queries)).toHaveLength(50);
    expect(queries.items.counts().starred.total).toBe(1);
  });

  it('is unlocked when its store was killed, and nothing is lost', async () => {
    const folder = temporaryFolder();
    const holder = spawn(process.execPath, [fileURLToPath(new URL('lock-holder.ts', import.meta.url)), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    expect(() => openTestStore({ folder })).toThrow(code('data_in_use'));
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const store = openTestStore({ folder });
    expect(starsOf(store)).toEqual(['held']);
    expect(store.storageWarnings).toEqual([]);
  });

  it('has no empty or damaged files after an interrupted first start', () => {
    const folder = temporaryFolder();
    // Blocks the creation of the search index, after those of the mirror and user.db.
    const obstacle = join(folder, 'search.db-new');
    mkdirSync(obstacle);
    expect(() => openTestStore({ folder })).toThrow();
    expect(readdirSync(folder).toSorted()).toEqual(['lock.db', 'mirror.db', 'search.db-new', 'user.db']);
    for (const name of ['mirror.db', 'user.db']) expect(statSync(join(folder, name)).size).toBeGreaterThan(0);

    rmSync(obstacle, { recursive: true });
    writeFileSync(obstacle, 'The beginning of a page');
    expect(openTestStore({ folder }).storageWarnings).toEqual([]);
  });

  it('is unlocked after opening failed', () => {
    const folder = someFolder();
    rmSync(join(folder, 'user.db'));
    mkdirSync(join(folder, 'user.db-new'));
    expect(() => openTestStore({ folder })).toThrow();
    rmSync(join(folder, 'user.db-new'), { recursive: true });
    expect(() => openTestStore({ folder })).not.toThrow();
  });

  it('can be opened if the lock file is damaged', () => {
    const folder = someFolder();
    writeFileSync(join(folder, 'lock.db'), 'Something else wrote this. '.repeat(100));
    expect(() => openTestStore({ folder })).not.toThrow();
  });

  it('that cannot be created is reported as read-only, and one with a folder for its lock as unreadable', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => openTestStore({ folder: join(folder, 'file', 'data') })).toThrow(code('data_read_only'));
    mkdirSync(join(folder, 'data', 'lock.db'), { recursive: true });
    expect(() => openTestStore({ folder: join(folder, 'data') })).toThrow(code('data_unreadable'));
  });
});

describe('a damaged mirror', () => {
  const corruptions: [name: string, corruption: (mirror: string) => void][] = [
    ['emptied', (file) => truncateSync(file, 0)],
    ['cut short within its header', (file) => truncateSync(file, 60)],
    ['cut short within its first page', (file) => truncateSync(file, 2_000)],
    ['overwritten by a text', (file) => writeFileSync(file, 'This is not a database. '.repeat(1_000))],
    ['with a flipped byte in its magic', (file) => flipByte(file, 3)],
    ['with a flipped byte in its page size', (file) => flipByte(file, 16)],
    ['with a flipped byte in its schema', (file) => flipByte(file, 100)],
    ['with a flipped byte in its version', (file) => flipByte(file, 63)],
    ['that has lost its version', (file) => writeFileSync(file, readFileSync(file).fill(0, 60, 64))],
    ['marked as such while it was in use', (file) => writeFileSync(corruptionMarker(file), '')],
  ];

  it.each(corruptions)('is set aside and rebuilt, and the statuses stay: %s', (_, corruption) => {
    const folder = someFolder();
    const { mirror, user } = storeFiles(folder);
    corruption(mirror);
    const left = readFileSync(mirror);
    const marks = readFileSync(user);
    const { store, queries, index } = openStoreScene({ folder });
    const [warning] = store.storageWarnings;
    expect(store.storageWarnings).toHaveLength(1);
    expect(warning?.file).toBe('mirror.db');
    expect(warning?.setAsideAs).toMatch(/^mirror\.db\.(damaged|newer)-2026-03-18T06-30-00-000Z$/);
    expect(readFileSync(join(folder, warning?.setAsideAs ?? ''))).toEqual(left);
    expect(readFileSync(user)).toEqual(marks);
    expect(existsSync(corruptionMarker(mirror))).toBe(false);

    expect(idsOf(queries)).toEqual([]);
    storeListed(store, items(50));
    index();
    expect(idsOf(queries, { ...EVERYTHING, text: 'title' })).toHaveLength(50);
    expect(idsOf(queries, { ...EVERYTHING, state: 'starred' })).toEqual(['item-0']);
    store.close();
    // Until the reader dismisses it.
    expect(openTestStore({ folder }).storageWarnings).toEqual([warning]);
  });

  it('is set aside at the next start if corruption is found only while in use', () => {
    const folder = someFolder();
    const { mirror } = storeFiles(folder);
    const bytes = readFileSync(mirror);
    // Opening does not read the items.
    for (const page of pagesOf('item', mirror)) bytes.fill(0xa5, (page - 1) * 4_096, page * 4_096);
    writeFileSync(mirror, bytes);
    const { store, queries, clock } = openStoreScene({ folder });
    expect(store.storageWarnings).toEqual([]);
    expect(() => queries.items.page(EVERYTHING, undefined, 50, clock.now())).toThrow(code('data_unreadable'));
    expect(existsSync(corruptionMarker(mirror))).toBe(true);
    store.close();
    expect(openTestStore({ folder }).storageWarnings).toMatchObject([{ file: 'mirror.db', reason: 'damaged' }]);
  });

  it('passes on the fetch times that can be read, and leaves the Retry-After of a service', () => {
    const folder = someFolder();
    const first = openTestStore({ folder });
    const state = {
      requestedAt: 5,
      answeredAt: null,
      lifetime: 6,
      dueAt: 8,
      failures: 1,
      failure: null,
    };
    reschedule(first, 'items', state);
    const pause = { since: 5, span: 600_000 };
    write(first, ({ schedule }) => {
      schedule.pauseService('news', pause);
    });
    first.close();
    const { mirror } = storeFiles(folder);
    writeFileSync(corruptionMarker(mirror), '');
    const second = openStore({ folder, source: SOURCE, now: () => 5 });
    // Due at once, because not everything is saved any more, except while a Retry-After holds.
    expect(second.queries.schedule.state('items')).toEqual({ ...state, dueAt: 0 });
    expect(second.queries.schedule.servicePause('news')).toEqual(pause);
    second.close();
    truncateSync(mirror, 60);
    const { schedule } = openTestStore({ folder }).queries;
    expect(schedule.state('items')).toBeNull();
    expect(schedule.servicePause('news')).toEqual(pause);
  });
});

describe('a damaged user.db', () => {
  it.each<[string, (file: string) => void]>([
    ['emptied', (file) => truncateSync(file, 0)],
    ['overwritten by a text', (file) => writeFileSync(file, 'This is not a database. '.repeat(1_000))],
    ['with a page full of something else', (file) => writeFileSync(file, pageLost(readFileSync(file)))],
    ['cut short', (file) => truncateSync(file, readFileSync(file).length - 4_096)],
  ])('is set aside, never overwritten, and the mirror stays: %s', (_, corruption) => {
    const folder = someFolder();
    const { user } = storeFiles(folder);
    corruption(user);
    const left = readFileSync(user);
    const { store, queries } = openStoreScene({ folder });
    expect(store.storageWarnings).toMatchObject([{ file: 'user.db', reason: 'damaged' }]);
    expect(readFileSync(join(folder, store.storageWarnings[0]?.setAsideAs ?? ''))).toEqual(left);
    expect(idsOf(queries)).toHaveLength(50);
    expect(queries.items.counts()).toMatchObject({ starred: { total: 0 }, all: { total: 50, unread: 50 } });
  });

  function pageLost(bytes: Buffer): Buffer {
    return bytes.fill(0x5a, bytes.length - 4_096);
  }

  it('is not recreated next to a write-ahead log without its database', () => {
    const folder = someFolder();
    rmSync(join(folder, 'user.db'));
    writeFileSync(join(folder, 'user.db-wal'), 'The last marks');
    const store = openTestStore({ folder });
    const aside = `${store.storageWarnings[0]?.setAsideAs ?? ''}-wal`;
    expect(readFileSync(join(folder, aside), 'utf8')).toBe('The last marks');
  });
});

describe('a damaged search index', () => {
  it('is set aside, told and rebuilt', () => {
    const folder = someFolder();
    writeFileSync(join(folder, 'search.db'), 'This is not a database. '.repeat(1_000));
    const { store, queries, index } = openStoreScene({ folder });
    index();
    expect(store.storageWarnings).toMatchObject([{ file: 'search.db', reason: 'damaged' }]);
    expect(idsOf(queries, { ...EVERYTHING, text: 'title' })).toHaveLength(50);
  });

  it('may be found while in use', () => {
    const folder = someFolder();
    writeFileSync(corruptionMarker(join(folder, 'search.db')), '');
    const { queries, index } = openStoreScene({ folder });
    expect(idsOf(queries, { ...EVERYTHING, text: 'title' })).toHaveLength(0);
    index();
    expect(idsOf(queries, { ...EVERYTHING, text: 'title' })).toHaveLength(50);
    expect(existsSync(corruptionMarker(join(folder, 'search.db')))).toBe(false);
  });
});

describe('the mirror of another service', () => {
  it('is parked when the address changes, and moved back with it', () => {
    const folder = someFolder();
    const other = openStoreScene({ folder, source: OTHER });
    expect(idsOf(other.queries)).toEqual([]);
    expect(other.store.storageWarnings).toEqual([]);
    storeListed(other.store, [item({ id: 'of the other' })]);
    other.index();
    other.store.close();

    const back = openStoreScene({ folder, source: SOURCE });
    expect(idsOf(back.queries)).toHaveLength(50);
    expect(idsOf(back.queries, { ...EVERYTHING, text: 'title' })).toHaveLength(50);
    expect(back.queries.items.counts().starred.total).toBe(1);
    back.store.close();
    expect(idsOf(openStoreScene({ folder, source: OTHER }).queries)).toEqual(['of the other']);
  });

  it('is listed while it is parked, and removed alone', () => {
    const folder = someFolder();
    expect(listParkedMirrors(folder)).toEqual([]);
    const clock = fakeClock('2026-03-18T06:30:00Z');
    openTestStore({ folder, source: OTHER, clock }).close();
    clock.advance(1_000);
    openTestStore({ folder, source: 'demo', clock }).close();
    const parked = listParkedMirrors(folder);
    expect(parked.map(({ service, usedAt }) => [service, usedAt])).toEqual([
      [OTHER, '2026-03-18T06:30:01.000Z'],
      [SOURCE, '2026-03-18T06:30:00.000Z'],
    ]);
    expect(Math.min(...parked.map(({ bytes }) => bytes))).toBeGreaterThan(10_000);
    removeParkedMirror(folder, parked[0]?.id ?? '');
    expect(listParkedMirrors(folder)).toEqual(parked.slice(1));
    for (const id of [parked[0]?.id ?? '', '..', '0123456789abcdef']) {
      expect(() => removeParkedMirror(folder, id)).toThrow(code('not_found'));
    }
    const back = openStoreScene({ folder, source: SOURCE, clock });
    expect(idsOf(back.queries)).toHaveLength(50);
    expect(listParkedMirrors(folder).map(({ service }) => service)).toEqual(['demo']);
  });

  it('is listed without its note, too', () => {
    const folder = someFolder();
    openTestStore({ folder, source: OTHER }).close();
    const [parked] = listParkedMirrors(folder);
    rmSync(join(folder, 'sources', parked?.id ?? '', 'source.json'));
    expect(listParkedMirrors(folder)).toMatchObject([{ id: parked?.id, service: SOURCE, bytes: parked?.bytes }]);
  });

  it('expires after its time', () => {
    const folder = someFolder();
    const clock = fakeClock('2026-03-18T06:30:00Z');
    openTestStore({ folder, source: OTHER, clock }).close();
    const day = 24 * 3_600_000;
    expect(expireParkedMirrors(folder, 90, clock.now() + 90 * day)).toBe(0);
    expect(expireParkedMirrors(folder, 90, clock.now() + 90 * day + 1)).toBe(1);
    expect(listParkedMirrors(folder)).toEqual([]);
    expect(starsOf(openTestStore({ folder, source: SOURCE, clock }))).toEqual(['item-0']);
  });

  it('that was damaged while parked is set aside when it is moved back', () => {
    const folder = someFolder();
    openTestStore({ folder, source: OTHER }).close();
    const [place = ''] = readdirSync(join(folder, 'sources'));
    truncateSync(join(folder, 'sources', place, 'mirror.db'), 60);
    const { store, queries } = openStoreScene({ folder });
    expect(store.storageWarnings).toMatchObject([{ file: 'mirror.db', reason: 'damaged' }]);
    expect(idsOf(queries)).toEqual([]);
  });

  it('is moved completely by the next start after an interrupted move', () => {
    const folder = someFolder();
    openTestStore({ folder, source: OTHER }).close();
    const [place = ''] = readdirSync(join(folder, 'sources'));
    const parked = join(folder, 'sources', place);
    rmSync(join(folder, 'mirror.db'));
    rmSync(join(parked, 'search.db'));
    const { queries, index } = openStoreScene({ folder });
    index();
    expect(idsOf(queries, { ...EVERYTHING, text: 'title' })).toHaveLength(50);
  });
});

describe('a read-only connection', () => {
  it('finds nothing in an empty folder, and creates nothing there', () => {
    const folder = temporaryFolder();
    expect(() => openQueries(folder)).toThrow(code('not_found'));
    expect(() => openQueries(join(folder, 'missing'))).toThrow(code('not_found'));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('finds nothing in files without tables', () => {
    const folder = temporaryFolder();
    for (const name of DATABASES) writeFileSync(join(folder, name), '');
    expect(() => openQueries(folder)).toThrow(code('not_found'));
  });

  it('works beside a store, and without one', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    const queries = openQueries(folder);
    storeListed(store, items(3));
    expect(idsOf(queries)).toHaveLength(3);
    store.close();
    expect(idsOf(queries)).toHaveLength(3);
    queries.close();
    const alone = openQueries(folder);
    expect(alone.items.counts().all.total).toBe(3);
    alone.close();
  });
});
