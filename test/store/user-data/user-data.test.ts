import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { ExportedRecord } from '../../../src-main/contract/user-data.ts';
import { readExported } from '../../../src-main/store/index.ts';
import { item, items } from '../../support/items.ts';
import type { Store } from '../../../src-main/store/index.ts';
import { EVERYTHING, idsOf, saveWorkload, setAliases, SOURCE, storeListed } from '../../support/store.ts';
import { databaseOf, openTestStore, openStoreScene } from '../internals.ts';

const OTHER = 'https://other.example';
const UNREAD: ItemsQuery = { ...EVERYTHING, state: 'unread' };
const STARRED: ItemsQuery = { ...EVERYTHING, state: 'starred' };

const take = (store: Store, records: readonly unknown[]) =>
  store.transaction(({ userData }) => userData.take(readExported(records, Date.now()).records));
const recordsOf = (store: Store, ...kinds: string[]): ExportedRecord[] =>
  store.queries.userData.records().filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));

const DAILY = { service: SOURCE, id: 'report/daily/2026-03-18' };
const ELSEWHERE = { service: OTHER, id: 'item/item-1' };

const alias = (name: string, position: number, model = 'vendor/one') => ({
  ...{ kind: 'alias', service: '', id: name.toLowerCase() },
  value: { alias: name, model, position },
});
const workload = (id: string, name: string, tokensIn: number, createdAt: number) => ({
  ...{ kind: 'workload', service: '', id },
  value: { createdAt, name, requestsAMonth: 4, tokensCached: 3, tokensIn, tokensOut: 2 },
});
const star = (service: string, id: string, at: number, time: number | null = null) => ({
  ...{ kind: 'star', service, id },
  value: { at, link: null, time, title: time === null ? '' : `About ${id}` },
});
const read = (service: string, id: string, value: number) => ({ kind: 'read', service, id, value });
const note = (text: string, createdAt: number, changedAt: number) => ({
  ...{ changedAt, createdAt, link: null, text },
  title: 'Title',
});
const search = (name: string, query: string, notify: number, position: number) => ({
  createdAt: 900,
  name,
  notify,
  position,
  query,
});

/** Some of each kind of user data. */
const FULL: ExportedRecord[] = [
  { kind: 'address', service: '', id: 'https://a.example/1', value: 500 },
  alias('Alpha One', 1),
  alias('Zeta', 0),
  { kind: 'favourite', service: '', id: 'vendor/one', value: 600 },
  { kind: 'follow', service: SOURCE, id: 'story-1', value: 100 },
  { kind: 'mute', service: '', id: 'category:paper', value: { createdAt: 950, id: 'c1b2c3d4' } },
  { kind: 'note', ...DAILY, value: note('第二段很好', 5, 9) },
  { kind: 'note', ...ELSEWHERE, value: note('Elsewhere', 100, 100) },
  read('demo', 'item-1', 700),
  read(SOURCE, 'item-0', 100),
  read(SOURCE, 'long gone', 300),
  read(OTHER, 'item-3', -350),
  { kind: 'report', service: SOURCE, id: 'daily/2026-03-18', value: 400 },
  { kind: 'saved', service: '', id: 'a1b2c3d4', value: search('Agents', 'agent source:Eval', 1, 0) },
  { kind: 'saved', service: '', id: 'b1b2c3d4', value: search('Unread', 'is:unread', 0, 1) },
  { kind: 'seen', service: SOURCE, id: 'story-1', value: { at: 150, digest: 'hash', reports: ['a', 'b'] } },
  star('demo', 'item-1', 700),
  star(SOURCE, 'item-1', 200),
  star(SOURCE, 'long gone', 300),
  star(OTHER, 'withdrawn', 350, 1_000),
  { kind: 'start', service: OTHER, id: 'first', value: 360 },
  { kind: 'story', service: 'demo', id: 'story-1', value: 7 },
  { kind: 'withdrawn', service: OTHER, id: 'withdrawn', value: 400 },
  workload('71', 'Chat', 1, 700),
  workload('72', 'A later one', 0, 800),
];

const more = (...others: unknown[]): unknown[] => [...FULL, ...others];

/** A new table or column needs a reason here, or an export of it. */
const LEFT_OUT = {
  property: 'names this copy of user.db, for the mirrors that follow it',
  notification: 'is the notification history of this device',
  notification_progress: 'is how far this device has checked: another one starts with its own data',
  service: 'names the services that records belong to, and says how long they want no requests from this device',
  device: 'counts what this copy of user.db has of the other devices',
  model_list: 'is downloaded',
  model: 'is downloaded',
  model_gone: 'belongs to the history of models',
  refresh: 'is the history of what a gateway offered, and nothing that the reader did; backups have it',
  change: 'belongs to the refreshes',
};
const COLUMNS_LEFT_OUT = {
  seq: 'numbers the changes of this copy of user.db',
  made: 'says which of two values stays, for the other devices',
  epoch: 'as made',
  device: 'as made',
};

describe('an export', () => {
  it('contains every table and column of user.db, except those left out with a reason', () => {
    const database = databaseOf(openTestStore());
    const tables = database
      .prepare<[], string>("SELECT name FROM user.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all();
    expect(Object.keys(LEFT_OUT).concat('record').toSorted()).toEqual(tables.toSorted());
    const there = (database.pragma('user.table_info(record)') as { name: string }[]).map((column) => column.name);
    expect([...Object.keys(FULL[0]!), ...Object.keys(COLUMNS_LEFT_OUT)].toSorted()).toEqual(there.toSorted());
  });

  it('is the same after import into a new profile', () => {
    const first = openTestStore();
    expect(take(first, FULL)).toEqual({ taken: 25, unchanged: 0, skipped: 0 });
    const exported = recordsOf(first);
    expect(exported).toEqual(FULL);
    const fresh = openTestStore();
    take(fresh, exported);
    expect(recordsOf(fresh)).toEqual(exported);
    expect(take(fresh, exported)).toEqual({ taken: 0, unchanged: 25, skipped: 0 });
  });
});

describe('an import', () => {
  it('appears in lists and counters at once, also for items that arrive later', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, items(2));
    take(store, FULL);
    expect(idsOf(queries, UNREAD)).toEqual(['item-1']);
    expect(idsOf(queries, STARRED)).toEqual(['item-1']);
    expect(queries.items.counts()).toMatchObject({ all: { total: 2, unread: 1 }, starred: { total: 1, unread: 1 } });
    storeListed(store, [item({ id: 'long gone' })]);
    expect(queries.items.counts()).toMatchObject({ all: { total: 3, unread: 1 }, starred: { total: 2, unread: 1 } });
  });

  it('recognises the service by any spelling of its address', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, items(2));
    expect(take(store, [star('HTTPS://News.Example:443/', 'item-1', 5)])).toMatchObject({ taken: 1 });
    expect(idsOf(queries, STARRED)).toEqual(['item-1']);
  });

  it('replaces aliases and workloads that both have, and keeps the local id', () => {
    const { store } = openStoreScene();
    setAliases(store, 'vendor/two', ['Mine', 'alpha ONE']);
    const workload = { name: 'CHAT', tokensIn: 9, tokensOut: 9, tokensCached: 9, requestsAMonth: 9 };
    saveWorkload(store, workload);
    const [{ id } = {}] = store.queries.models.workloads();
    take(store, FULL);
    expect(recordsOf(store, 'alias')).toEqual([
      alias('Alpha One', 1),
      alias('Mine', 0, 'vendor/two'),
      alias('Zeta', 0),
    ]);
    expect(store.queries.models.workloads()).toContainEqual(expect.objectContaining({ id, name: 'Chat', tokensIn: 1 }));
  });

  it.each<[string, unknown[], number]>([
    [
      'a member that a later version has',
      more({ kind: 'favourite', service: '', id: 'a/b', value: 1, colour: 'red' }),
      1,
    ],
    ['records that are none', more(null, 7, 'text', [], {}), 5],
    ['a time of the far future', more(read(SOURCE, 'a', 253_402_300_799_000)), 1],
    ['a record without a value', more({ kind: 'report', service: 'demo', id: 'daily/2026-03-18' }), 1],
  ])('counts %s, and imports the rest', (_, given, skipped) => {
    const { records, skipped: counted } = readExported(given, Date.now());
    expect(counted).toBe(skipped);
    expect(records.slice(0, FULL.length)).toEqual(FULL);
  });

  it.each([
    [
      'more ids than a story can have',
      'seen',
      'story-1',
      { at: 1, digest: null, reports: Array.from({ length: 10_001 }, String) },
    ],
    ['a report of no kind', 'report', 'yearly/2026', 1],
    ['a note about nothing', 'note', 'report/daily/yesterday', note('Text', 1, 1)],
    ['a note without words', 'note', 'item/a', note(' \n ', 1, 1)],
    ['a kind of a later version', 'later', 'one', 1],
    ['a setting', 'setting', 'theme', 'dark'],
  ])('skips %s', (_case, kind, id, value) => {
    const { store } = openStoreScene();
    const record = [{ kind, service: kind === 'setting' ? '' : SOURCE, id, value }];
    expect(take(store, record)).toEqual({ taken: 0, unchanged: 0, skipped: 1 });
  });

  it('adds workloads up to their number, and still changes those that are there', () => {
    const { store } = openStoreScene();
    const record = Array.from({ length: 101 }, (_, n) => workload(String(n + 1), `Workload ${n}`, 1, n));
    expect(take(store, record)).toEqual({ taken: 100, unchanged: 0, skipped: 1 });
    const changed = record.slice(0, 3).map((_row, n) => workload(String(n + 1), `Workload ${n}`, 7, n));
    expect(take(store, changed)).toEqual({ taken: 3, unchanged: 0, skipped: 0 });
    const { id, ...others } = store.queries.models.workloads()[0]!;
    expect(() => saveWorkload(store, { ...others, name: 'One more' })).toThrow(/already 100 workloads/);
    saveWorkload(store, { ...others, id: id, name: 'Another name' });
    expect(store.queries.models.workloads()).toHaveLength(100);
  });

  it('is saved completely or not at all', () => {
    const { store } = openStoreScene();
    databaseOf(store).exec(`CREATE TEMP TRIGGER full BEFORE INSERT ON user.record WHEN new.id = '72'
      BEGIN SELECT raise(ABORT, 'Set by a test.'); END`);
    expect(() => take(store, FULL)).toThrow();
    expect(recordsOf(store)).toEqual([]);
    expect(store.queries.items.counts().starred.total).toBe(0);
  });
});
