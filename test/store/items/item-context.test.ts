import { describe, expect, it } from 'vitest';
import { readHotTopics } from '../../../src-main/clients/news/stories.ts';
import type { Store } from '../../../src-main/store/index.ts';
import { item, items } from '../../support/items.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { mark, openStoreScene, storeListed, write } from '../../support/store.ts';

/** Ranks topics of which only id, title and story are known. */
function rank(store: Store, ...topics: { id: string; storyId: string | null }[]): void {
  const items = topics.map(({ id }, index) => ({ rank: index + 1, id, title: `Topic ${id}` }));
  const ranked = readHotTopics({ items }).topics.map((topic, index) => ({ topic, storyId: topics[index]!.storyId }));
  store.transaction(({ rankings, now }) => void rankings.replace(ranked, now));
}

describe('the context of an item', () => {
  it('names its stories with what the reader did, latest development first', () => {
    const { store, queries, clock } = openStoreScene();
    storeListed(store, [item({ id: 'one', source: { name: null } })]);
    expect(queries.items.context('one')).toEqual({ stories: [], topic: null, sameSource: [] });
    saveStory(store, storyOf('old', [report('one')], { latestAt: '2026-03-17T05:00:00Z' }));
    saveStory(store, storyOf('new', [report('x'), report('y', 'https://example.org/one?utm_source=a')]));
    saveStory(store, storyOf('other', [report('x')]));
    store.transaction(({ storyStatuses, now }) => storyStatuses.follow('old', true, null, now));
    expect(queries.items.context('one').stories).toEqual([
      { publicId: 'new', title: 'Story new', reportCount: 2, followedAt: null, goneAt: null },
      {
        publicId: 'old',
        title: 'Story old',
        reportCount: 1,
        followedAt: new Date(clock.now()).toISOString(),
        goneAt: null,
      },
    ]);
    write(store, (tx) => {
      tx.items.withdraw('one');
    });
    expect(queries.items.context('one').stories).toEqual([]);
  });

  it('has the best ranked topic of the item or its stories, and the story that a topic names', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, items(3));
    saveStory(store, storyOf('s', [report('item-0')]));
    rank(
      store,
      { id: 'item-2', storyId: 'unsaved' },
      { id: 'elsewhere', storyId: 's' },
      { id: 'item-0', storyId: null },
    );
    expect(queries.items.context('item-0').topic).toEqual({ id: 'elsewhere', rank: 2 });
    expect(queries.items.context('item-0').stories.map(({ publicId }) => publicId)).toEqual(['s']);
    expect(queries.items.context('item-1').topic).toBeNull();
    expect(queries.items.context('item-2')).toMatchObject({
      topic: { id: 'item-2', rank: 1 },
      stories: [{ publicId: 'unsaved', title: 'Topic item-2', reportCount: null }],
    });
  });

  it('has the newest other items of its source, when lists have their indexes', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, [
      ...items(8, { source: { name: 'A' } }),
      item({ id: 'b', source: { name: 'B' } }),
      item({ id: 'nobody', source: { name: null } }),
    ]);
    mark(store, ['item-0'], 'read');
    const { sameSource } = queries.items.context('item-2');
    expect(sameSource.map(({ id }) => id)).toEqual(['item-0', 'item-1', 'item-3', 'item-4', 'item-5']);
    expect(sameSource[0]?.state.readAt).not.toBeNull();
    expect(queries.items.context('nobody').sameSource).toEqual([]);
    expect(queries.items.context('unknown').sameSource).toEqual([]);
    // Without the index, every item would be read.
    write(store, (tx) => {
      tx.listIndexes.drop();
    });
    expect(queries.items.context('item-2').sameSource).toEqual([]);
  });
});

it('names the saved item of each report of a story, and its time', () => {
  const { store, queries } = openStoreScene();
  storeListed(store, items(2));
  mark(store, ['item-1'], 'read');
  saveStory(store, storyOf('s', [report('a', 'https://example.org/item-1'), report('item-0'), report('none')]));
  const timeOf = (id: string): string => queries.items.get(id).effectiveAt;
  expect(queries.stories.get('s').reports).toMatchObject([
    { id: 'a', itemId: 'item-1', effectiveAt: timeOf('item-1'), readAt: expect.any(String) as string },
    { id: 'item-0', itemId: 'item-0', effectiveAt: timeOf('item-0'), readAt: null },
    { id: 'none', itemId: null, effectiveAt: null, readAt: null },
  ]);
});
