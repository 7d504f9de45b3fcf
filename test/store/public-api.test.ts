import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as publicApi from '../../src-main/store/index.ts';
import type { Transaction } from '../../src-main/store/index.ts';
import { temporaryFolder } from '../support/folders.ts';
import { items } from '../support/items.ts';
import { mark, stepIndex, storeListed } from '../support/store.ts';
import { databaseOf, openTestStore } from './internals.ts';
import { idsIn } from '../support/user-data.ts';

const INSIDE = /src-main\/store\/(?!index\.ts')[\w./-]+'/g;

function isConnection(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'prepare' in value && 'pragma' in value;
}

describe('the public API of the store', () => {
  // The layering test checks the sources.
  it('is the only import of tests in other folders', () => {
    const tests = globSync('test/**/*.ts').map((path) => path.replaceAll('\\', '/'));
    const others = tests.filter((path) => !path.startsWith('test/store/') && !path.startsWith('test/layering'));
    expect(others).toContain('test/support/store.ts');
    const breaches = others.flatMap((path) => {
      const imports = readFileSync(path, 'utf8').match(/^.* from '.*';$/gm) ?? [];
      return imports.flatMap((line) => (line.match(INSIDE) ?? []).map((target) => `${path} imports ${target}`));
    });
    expect(breaches).toEqual([]);
  });

  it('exposes no connection', () => {
    const store = openTestStore();
    const valuesOf = (holder: object): unknown[] => Object.values(holder);
    const reached = [...valuesOf(publicApi), ...valuesOf(store), ...valuesOf(store.queries)];
    expect(reached.filter(isConnection)).toEqual([]);
    store.transaction((tx) => {
      expect(Object.values(tx).filter(isConnection)).toEqual([]);
    });
    expect(isConnection(databaseOf(store))).toBe(true);
  });
});

describe('a transaction', () => {
  it('returns the result of its work, and has one time', () => {
    expect(openTestStore().transaction(({ now }) => now)).toBe(Date.parse('2026-03-18T06:30:00Z'));
  });

  it('saves nothing if its work throws, and rethrows the error', () => {
    const store = openTestStore();
    const work = (): void =>
      store.transaction(({ statuses, mirror, now }) => {
        statuses.mark(['one'], 'star', now);
        mirror.set('items_walk', 'open');
        throw new RangeError('Set by a test.');
      });
    expect(work).toThrow(RangeError);
    expect(store.queries.mirror.get('items_walk')).toBeNull();
    expect(idsIn(store.queries.userData.records(), 'star')).toEqual([]);
  });
});

describe('a SQLite error', () => {
  const WRITES: [string, (tx: Transaction) => void][] = [
    ['a status', ({ statuses, now }) => statuses.mark(['one'], 'star', now)],
    [
      'what a check found',
      ({ health }) => health.setIntegrity({ at: '2026-03-18T06:30:00Z', sound: true, messages: [] }),
    ],
  ];

  it.each(WRITES)('is mapped to the app’s error for writes: %s', (_, work) => {
    const store = openTestStore({ folder: temporaryFolder() });
    databaseOf(store).pragma('query_only = ON');
    expect(() => store.transaction(work)).toThrow(expect.objectContaining({ code: 'data_read_only' }));
    databaseOf(store).pragma('query_only = OFF');
    expect(mark(store, ['one'], 'star').pairs).toHaveLength(1);
  });

  it('is mapped to the app’s error for the indexers', () => {
    const store = openTestStore();
    storeListed(store, items(3));
    databaseOf(store).pragma('query_only = ON');
    expect(() => stepIndex(store)).toThrow(expect.objectContaining({ code: 'data_read_only' }));
  });
});
