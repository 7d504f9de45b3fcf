import { describe, expect, it } from 'vitest';
import { findDisagreements } from '../../../src-main/store/database/checks.ts';
import { item } from '../../support/items.ts';
import { EVERYTHING, idsOf, mark, storeListed, storeSnapshot, write } from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';

const of = (id: string, name: string | null) => item({ id, source: { name } });

describe('the source of an item', () => {
  it('is the same for all names of it, and its id outlives a rollback', () => {
    const { store, queries } = openStoreScene();
    const failing = () =>
      write(store, (tx) => {
        tx.items.upsert(of('lost', 'Lost'), { kind: 'listed' });
        throw new Error('rolled back');
      });
    expect(failing).toThrow('rolled back');
    storeListed(store, [of('a', 'X：Lab (@lab)'), of('b', 'Other'), of('c', 'Lost'), of('d', 'LAB'), of('e', null)]);
    expect(idsOf(queries, { ...EVERYTHING, source: 'lab' })).toEqual(['a', 'd']);
    expect(idsOf(queries, { ...EVERYTHING, source: 'X：Lab (@lab)' })).toEqual(['a', 'd']);
    expect(idsOf(queries, { ...EVERYTHING, source: 'lost' })).toEqual(['c']);
  });

  it('changes with a revision, also to none', () => {
    const { store, queries } = openStoreScene();
    storeSnapshot(store, [of('a', 'Lab')]);
    storeSnapshot(store, [of('a', 'New lab')], 'cursor-2');
    expect(idsOf(queries, { ...EVERYTHING, source: 'Lab' })).toEqual([]);
    expect(idsOf(queries, { ...EVERYTHING, source: 'New lab' })).toEqual(['a']);
    storeSnapshot(store, [of('a', null)], 'cursor-3');
    expect(idsOf(queries, { ...EVERYTHING, source: 'New lab' })).toEqual([]);
  });

  it('takes no withdrawn items into its starred list', () => {
    const { store, queries, clock } = openStoreScene();
    storeListed(store, [of('a', 'Lab'), of('b', 'Lab')]);
    mark(store, ['a', 'b'], 'star');
    write(store, (tx) => {
      tx.items.withdraw('a');
    });
    const starred = { ...EVERYTHING, state: 'starred', source: 'Lab' } as const;
    expect(idsOf(queries, starred)).toEqual(['b']);
    expect(queries.items.count(starred, clock.now())).toEqual({ count: 1 });
  });

  it('is checked: an index that names an unknown source has lost facts', () => {
    const { store } = openStoreScene();
    storeListed(store, [of('a', 'Lab')]);
    const lost = () => findDisagreements(databaseOf(store), 'index rows with impossible values').lost;
    expect(lost()).toEqual([]);
    databaseOf(store).exec('UPDATE item_index SET source = 99');
    expect(lost()).toHaveLength(1);
  });
});
