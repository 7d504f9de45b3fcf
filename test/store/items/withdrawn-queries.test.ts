import { expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { item } from '../../support/items.ts';
import { EVERYTHING, idsOf, mark, storeSnapshot, write } from '../../support/store.ts';
import { saveStory, report, storyOf } from '../../support/stories.ts';
import { openStoreScene } from '../internals.ts';

it('is:withdrawn and is:starred list what was starred and withdrawn; its count and places agree', () => {
  const { store, queries, clock } = openStoreScene();
  storeSnapshot(
    store,
    ['a', 'b', 'c', 'd'].map((id, n) =>
      item({ id, title: id, discoveredAt: new Date(clock.now() - n * 3 * 86_400_000).toISOString() }),
    ),
  );
  mark(store, ['a', 'b', 'd'], 'star');
  mark(store, ['d'], 'read');
  write(store, ({ items }) => {
    items.withdraw('b');
    items.withdraw('c');
    items.withdraw('d');
  });
  const day = new Date(clock.now() - 5 * 86_400_000).toISOString().slice(0, 10);
  const found = (text: string, rest: Partial<ItemsQuery> = {}): string[] => {
    const query = { ...EVERYTHING, ...rest, text };
    const ids = idsOf(queries, query, clock.now(), 1);
    expect(queries.items.count(query, clock.now())).toEqual({ count: ids.length });
    const { places } = queries.items.places(query, undefined, 100, clock.now());
    expect(queries.items.rows(query, places, clock.now()).map((row) => row?.id)).toEqual(ids);
    return ids;
  };
  expect(found('is:withdrawn')).toEqual(['b', 'd']);
  expect(found('is:starred')).toEqual(['a', 'b', 'd']);
  expect(found('is:starred -is:withdrawn')).toEqual(['a']);
  expect(found('is:withdrawn is:unread OR a ')).toEqual(['b']);
  expect(found(`is:withdrawn after:${day}`)).toEqual(['b']);
  expect(found('is:unread', { state: 'starred' })).toEqual(['a', 'b']);
  expect(found('is:withdrawn', { state: 'unread' })).toEqual(['b']);
  expect(found('is:withdrawn category:paper')).toEqual([]);
  expect(found('is:withdrawn', { scope: 'selected' })).toEqual([]);
  expect(found('-is:withdrawn')).toEqual(['a']);
});

it('has:story and has:note find items of saved stories and with a note', () => {
  const { store, queries, clock } = openStoreScene();
  storeSnapshot(
    store,
    ['a', 'b', 'c'].map((id) => item({ id, title: id })),
  );
  saveStory(store, storyOf('story', [report('a'), report('elsewhere')]));
  write(store, ({ notes, now }) => void notes.set({ kind: 'item', id: 'b' }, 'Mine', { now }));
  const found = (text: string): string[] => idsOf(queries, { ...EVERYTHING, text }, clock.now()).sort();
  expect(found('has:story')).toEqual(['a']);
  expect(found('-has:story')).toEqual(['b', 'c']);
  expect(found('has:note OR has:story')).toEqual(['a', 'b']);
});
