import { describe, expect, it } from 'vitest';
import { item } from '../../support/items.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { idsOf, storeListed, storeSnapshot, write } from '../../support/store.ts';
import { SELECTED } from '../../support/selected-set.ts';
import { openStoreScene } from '../internals.ts';

const DAY = 24 * 3_600_000;

describe('the selected items before their first snapshot is complete', () => {
  it('are those that the list of all items has, and that it says are selected', () => {
    const { store, queries, clock } = openStoreScene();
    const at = (days: number): string => new Date(clock.now() - days * DAY).toISOString();
    storeListed(store, [
      item({ id: 'new', discoveredAt: at(0), selected: true }),
      item({ id: 'other', discoveredAt: at(1), selected: false }),
      item({ id: 'older', discoveredAt: at(2), selected: true }),
      item({ id: 'long-ago', discoveredAt: at(20), selected: true }),
    ]);
    // Half a snapshot is no set.
    write(store, (tx) => {
      tx.items.upsertAll([item({ id: 'half', discoveredAt: at(1), selected: true })], {
        kind: 'selected',
        generation: 1,
      });
      tx.selectedSet.saveSnapshot({ generation: 1, cursor: 'c', nextPage: 'p', stored: 1 });
    });
    const now = clock.now();
    expect(idsOf(queries, SELECTED, now)).toEqual(['new', 'older']);
    expect(queries.items.count(SELECTED, now)).toEqual({ count: 2 });
    expect(queries.items.places(SELECTED, undefined, 50, now).places).toHaveLength(2);
    expect(queries.items.counts().selected.total).toBe(0);
    store.transaction(({ statuses }) => {
      statuses.markAllRead({ query: SELECTED, watermark: 1e9, now, below: null }, 10);
    });
    expect(queries.items.count({ ...SELECTED, state: 'unread' }, now)).toEqual({ count: 0 });
    expect(queries.items.counts().all.unread).toBe(3);
  });

  it('are those of the set once it is complete, whatever the list says', () => {
    const { store, queries, clock } = openStoreScene();
    const discoveredAt = new Date(clock.now()).toISOString();
    storeListed(
      store,
      ['in', 'out'].map((id) => item({ id, discoveredAt, selected: true })),
    );
    storeSnapshot(store, [item({ id: 'in', discoveredAt, selected: true })]);
    expect(idsOf(queries, SELECTED, clock.now())).toEqual(['in']);
    expect(queries.items.count(SELECTED, clock.now())).toEqual({ count: 1 });
  });

  it('hide none of them behind an item that is not among them', () => {
    const { store, queries, clock } = openStoreScene();
    const at = (days: number): string => new Date(clock.now() - days * DAY).toISOString();
    write(store, (tx) => {
      tx.items.upsertAll([item({ id: 'half', discoveredAt: at(0) }), item({ id: 'shown', discoveredAt: at(1) })], {
        kind: 'selected',
        generation: 1,
      });
    });
    storeListed(store, [item({ id: 'shown', discoveredAt: at(1), selected: true })]);
    write(store, (tx) => {
      tx.items.upsert(item({ id: 'shown', discoveredAt: at(1), selected: true }), { kind: 'selected', generation: 1 });
    });
    saveStory(store, storyOf('s', [report('half'), report('shown')]));
    const folding = { ...SELECTED, foldStories: true as const };
    expect(idsOf(queries, SELECTED, clock.now())).toEqual(['shown']);
    expect(idsOf(queries, folding, clock.now())).toEqual(['shown']);
    expect(queries.items.count(folding, clock.now())).toEqual({ count: 1 });
    expect(queries.items.page(folding, undefined, 9, clock.now()).rows[0]).not.toHaveProperty('folded');
  });
});
