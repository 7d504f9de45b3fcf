import { describe, expect, it } from 'vitest';
import type { NoteKey } from '../../../src-main/contract/model/note.ts';
import type { SearchGroup, SearchHit } from '../../../src-main/contract/model/search.ts';
import { item, items } from '../../support/items.ts';
import { citation, daily } from '../../support/reports.ts';
import { saveStory, storyOf } from '../../support/stories.ts';
import { storeListed } from '../../support/store.ts';
import { openStoreScene } from '../internals.ts';

type StoreScene = ReturnType<typeof openStoreScene>;

const ITEM: NoteKey = { kind: 'item', id: 'item-1' };
const STORY: NoteKey = { kind: 'story', id: 'a' };
const DAILY: NoteKey = { kind: 'report', id: 'daily/2026-03-18' };

function note({ store, clock }: StoreScene, key: NoteKey, text: string): void {
  clock.advance(1_000);
  store.transaction(({ notes, now }) => notes.set(key, text, { now }));
}

function found({ queries, clock }: StoreScene, text: string, limit = 500): SearchGroup {
  const { groups } = queries.search.find({ text, in: ['notes'], limit, now: clock.now(), owner: '' });
  return groups[0]!;
}

const idsOf = ({ hits }: SearchGroup): string[] => hits.map(({ id }) => id);
/** Returns the highlighted parts of the note. */
const marked = ({ snippet }: SearchHit): string[] =>
  (snippet?.ranges ?? []).map(([from, to]) => snippet!.text.slice(from, to));

describe('the search of notes', () => {
  it('finds them by their words, in Chinese too, with what they are about', () => {
    const scene = openStoreScene();
    storeListed(scene.store, [item({ id: 'item-1', title: 'A model', source: { name: 'Eval Weekly' } })]);
    saveStory(scene.store, storyOf('a', [], { title: 'Chips' }));
    scene.store.transaction(({ reports, now }) => {
      const body = daily({ 模型: [citation('first')] }, { label: '2026-03-18', headline: 'The day' });
      reports.list([{ ...body, extra: {} }]);
      reports.store(body, now);
    });
    note(scene, ITEM, `${'Some words before. '.repeat(20)}Ask Café about the 推理模型 price`);
    note(scene, STORY, 'The price of chips');
    note(scene, DAILY, '价格变化');
    expect(idsOf(found(scene, 'price'))).toEqual(['story/a', 'item/item-1']);
    const [hit] = found(scene, '推理 cafe').hits;
    expect(hit).toMatchObject({
      kind: 'notes',
      id: 'item/item-1',
      title: 'A model',
      titleRanges: [],
      source: 'Eval Weekly',
      snippet: { field: 'note' },
      at: expect.stringMatching(/^2026-/) as string,
    });
    expect(hit && marked(hit)).toEqual(['Café', '推理']);
    expect(idsOf(found(scene, '理推'))).toEqual([]);
    expect(found(scene, '价格').hits).toMatchObject([
      { id: 'report/daily/2026-03-18', title: 'The day', report: { kind: 'daily', label: '2026-03-18' } },
    ]);
    // The title of what it is about is found by itself, as an item.
    expect(found(scene, 'model')).toMatchObject({ count: 0 });
    expect(idsOf(found(scene, '"the price" -chips'))).toEqual([]);
    expect(idsOf(found(scene, 'chips OR 变化'))).toEqual(['report/daily/2026-03-18', 'story/a']);
  });

  it('knows the source and the marks of the item, and the time of the note', () => {
    const scene = openStoreScene();
    storeListed(scene.store, [item({ id: 'item-1', source: { name: 'Eval Weekly' } }), ...items(1)]);
    note(scene, ITEM, 'Zebra');
    note(scene, { kind: 'item', id: 'item-0' }, 'Another zebra');
    scene.store.transaction(({ statuses, now }) => statuses.mark(['item-1'], 'star', now));
    expect(idsOf(found(scene, 'zebra source:Eval'))).toEqual(['item/item-1']);
    expect(idsOf(found(scene, 'zebra is:starred'))).toEqual(['item/item-1']);
    expect(idsOf(found(scene, 'zebra has:note'))).toHaveLength(2);
    expect(idsOf(found(scene, 'zebra after:2027-01-01'))).toEqual([]);
  });

  it('follows changes, removals and withdrawals', () => {
    const scene = openStoreScene();
    storeListed(scene.store, items(2));
    note(scene, ITEM, 'Zebra');
    expect(idsOf(found(scene, 'zebra'))).toEqual(['item/item-1']);
    note(scene, ITEM, 'Horse');
    expect(idsOf(found(scene, 'zebra'))).toEqual([]);
    expect(found(scene, 'horse').hits).toMatchObject([{ title: 'Title of item-1' }]);
    scene.store.transaction(({ items: table }) => table.withdraw('item-1'));
    expect(found(scene, 'horse').hits).toMatchObject([{ title: 'Title of item-1', id: 'item/item-1' }]);
    note(scene, ITEM, ' ');
    expect(found(scene, 'horse')).toMatchObject({ count: 0, hits: [] });
  });
});
