import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { openMarking } from '../../../src-main/store/statuses/actions.ts';
import type { Store } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import {
  EVERYTHING,
  endVisit,
  idsOf,
  markAllRead,
  openStoreScene,
  storeListed,
  storeSnapshot,
  undo,
  write,
} from '../../support/store.ts';

const HIDDEN: ItemsQuery = { ...EVERYTHING, muted: true };
const PAPERS = [item({ id: 'paper-1', category: 'paper' }), item({ id: 'paper-2', category: 'paper' })];
const OTHERS = [item({ id: 'tip', category: 'tip', source: { name: 'Eval' } }), item({ id: 'plain' })];

function muted(store: Store, query: string): string {
  const { id } = store.transaction(({ rules, now }) => rules.addMute(query, now));
  while (store.derive('rules'));
  return id;
}

describe('a mute rule', () => {
  it('takes items out of lists, counters and the numbers since the last visit', () => {
    const { store, queries, clock } = openStoreScene();
    storeSnapshot(store, [item({ id: 'first' })]);
    endVisit(store);
    clock.advance(1000);
    storeListed(store, [...PAPERS, ...OTHERS]);
    muted(store, 'category:paper');
    const seen = ['first', 'plain', 'tip'];
    expect(idsOf(queries).sort()).toEqual(seen);
    expect(idsOf(queries, { ...EVERYTHING, state: 'unread' }).sort()).toEqual(seen);
    expect(idsOf(queries, { ...EVERYTHING, category: 'paper' })).toEqual([]);
    expect(queries.items.counts()).toMatchObject({
      all: { total: 3, unread: 3 },
      muted: { total: 2, unread: 2 },
      categories: [{ category: 'tip' }, { category: null }],
    });
    expect(queries.visits.sinceLast().added + queries.visits.sinceLast().older).toBe(2);
    expect(
      [...queries.visits.list('added').rows, ...queries.visits.list('older').rows].map(({ id }) => id).sort(),
    ).toEqual(['plain', 'tip']);
    write(store, (tx) => {
      tx.items.withdraw('paper-1');
      tx.items.withdraw('tip');
    });
    expect(queries.visits.sinceLast().withdrawn).toBe(1);
    expect(queries.visits.list('withdrawn').withdrawals.map(({ id }) => id)).toEqual(['tip']);
  });

  it('hides what comes later or is revised, and names itself in the list of what is hidden', () => {
    const { store, queries, clock } = openStoreScene();
    const id = muted(store, 'launch source:eval');
    storeListed(store, [item({ id: 'a', title: 'A launch', source: { name: 'The Eval' } }), item({ id: 'b' })]);
    expect(idsOf(queries)).toEqual(['b']);
    expect(queries.items.page(HIDDEN, undefined, 9, clock.now()).rows).toMatchObject([
      { id: 'a', mutedBy: [{ id, query: 'launch source:eval' }] },
    ]);
    storeListed(store, [item({ id: 'a', title: 'Nothing', source: { name: 'The Eval' } })]);
    expect(idsOf(queries).sort()).toEqual(['a', 'b']);
    storeListed(store, [item({ id: 'b', title: 'Launch!', source: { name: 'eval' } })]);
    expect(idsOf(queries)).toEqual(['a']);
    expect(queries.rules.mutes()).toMatchObject([{ id, query: 'launch source:eval', hides: 1, problem: null }]);
  });

  it('that is removed shows again what no other one hides, and an undo brings it back under its id', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, [...PAPERS, ...OTHERS]);
    const id = muted(store, 'category:paper');
    muted(store, '"paper 1"');
    write(store, ({ rules }) => rules.removeMute(id));
    while (store.derive('rules'));
    expect(idsOf(queries).sort()).toEqual(['paper-2', 'plain', 'tip']);
    expect(store.transaction(({ rules, now }) => rules.addMute('category:paper', now, id)).id).toBe(id);
    while (store.derive('rules'));
    expect(idsOf(queries, HIDDEN).sort()).toEqual(['paper-1', 'paper-2']);
  });

  it('keeps hidden items out of “mark all as read”, which the list of them has for itself', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, [...PAPERS, ...OTHERS]);
    muted(store, 'category:paper');
    const action = markAllRead(store, EVERYTHING, 99);
    expect(action.pairs.map(([id]) => id).sort()).toEqual(['plain', 'tip']);
    expect(queries.items.counts().muted.unread).toBe(2);
    markAllRead(store, HIDDEN, 99);
    expect(queries.items.counts().muted.unread).toBe(0);
    undo(store, action);
    expect(queries.items.counts().all.unread).toBe(2);
  });

  it('ends the marking of a saved search that is removed meanwhile', () => {
    const { store, queries, clock } = openStoreScene();
    storeListed(store, PAPERS);
    const saved = store.transaction(({ rules, now }) =>
      rules.addSaved({ name: 'Papers', query: 'category:paper', notify: false }, now),
    );
    while (store.derive('rules'));
    const part = { query: { ...EVERYTHING, saved }, watermark: 99, now: clock.now(), below: null };
    const { next } = store.transaction(({ statuses }) => statuses.markAllRead(part, 1));
    expect(openMarking(queries.mirror)).toEqual(next);
    expect(next).not.toBeNull();
    store.transaction(({ rules }) => rules.removeSaved(saved));
    store.transaction(({ statuses }) => statuses.markAllRead(next!, 1));
    expect(openMarking(queries.mirror)).toBeNull();
  });

  it.each(['', 'is:unread', '-agent'])('with the query “%s” is refused with a reason', (query) => {
    const { store } = openStoreScene();
    expect(() => store.transaction(({ rules, now }) => rules.addMute(query, now))).toThrow(
      expect.objectContaining({ code: 'invalid_argument', reason: expect.stringMatching(/^rule_/) as string }),
    );
  });

  it('is added once, and 500 times at most', () => {
    const { store, queries } = openStoreScene();
    const add = (query: string) => store.transaction(({ rules, now }) => rules.addMute(query, now));
    const first = add('one');
    expect(first.added).toBe(true);
    expect(add(' one ')).toEqual({ id: first.id, added: false });
    write(store, ({ rules }) => {
      for (let n = 1; n < 500; n += 1) rules.addMute(`word${String(n)}`, n);
    });
    expect(() => add('another')).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(queries.rules.mutes()).toHaveLength(500);
  });

  it('hides what a search for the same finds, whatever it is made of', () => {
    const { store, queries, index } = openStoreScene();
    const titles = [
      'A large language model',
      '大语言模型的新进展',
      'Languages',
      'Model of a large ship',
      'On 模型 and ships',
    ];
    storeListed(
      store,
      titles.map((title, n) => item({ id: `i-${String(n)}`, title, source: { name: `Source ${String(n)}` } })),
    );
    index();
    const asked = [
      'model',
      '"large language"',
      'language*',
      '语言模型',
      '模型 ships',
      'model -ship',
      'source:"Source 2"',
      'language OR ships',
      'nothing OR source:"Source 0"',
      '"model of" large',
      'model source:"Source 3"',
    ];
    const wanted = new Map(asked.map((query) => [query, idsOf(queries, { ...EVERYTHING, text: query }).sort()]));
    expect([...wanted.values()].filter((ids) => ids.length === 0)).toEqual([]);
    for (const query of asked) muted(store, query);
    const hidden = queries.items.page(HIDDEN, undefined, 9, 0).rows;
    for (const query of asked) {
      const by = hidden.filter(({ mutedBy }) => mutedBy?.some((one) => one.query === query)).map(({ id }) => id);
      expect(by.sort(), query).toEqual(wanted.get(query));
    }
  });

  it('is matched in steps, newest first, which a stopped process goes on with', () => {
    const folder = temporaryFolder();
    const { store, clock } = openStoreScene({ folder });
    storeListed(store, items(1_000, { category: 'paper' }));
    store.transaction(({ rules, now }) => rules.addMute('category:paper', now));
    expect(store.queries.rules.progress()).toEqual({ done: 0 });
    store.derive('rules');
    const { total } = store.queries.items.counts().muted;
    expect(total).toBe(300);
    expect(idsOf(store.queries, HIDDEN)[0]).toBe('item-0');
    expect(store.queries.rules.progress()?.done).toBeCloseTo(total / 1_000);
    store.close();
    const again = openStoreScene({ folder, clock }).store;
    expect(again.queries.items.counts().muted.total).toBe(total);
    // Items that are written meanwhile are matched at once.
    storeListed(again, [item({ id: 'new', category: 'paper' })]);
    expect(again.queries.items.counts().muted.total).toBe(total + 1);
    while (again.derive('rules'));
    expect(again.queries.items.counts()).toMatchObject({ all: { total: 0 }, muted: { total: 1_001 } });
    expect(again.queries.rules.progress()).toBeNull();
  });
});
