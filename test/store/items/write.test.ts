import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src-main/contract/model/item.ts';
import type { Json } from '../../../src-main/contract/model/model.ts';
import type { Origin, Outcome } from '../../../src-main/store/items/save.ts';
import { item } from '../../support/items.ts';
import type { Store, WriteSummary } from '../../../src-main/store/index.ts';
import {
  LISTED,
  SELECTED,
  EVERYTHING,
  openStoreScene,
  write,
  storeSnapshot,
  storeListed,
  idsOf,
} from '../../support/store.ts';

function upsert(store: Store, received: Item, origin: Origin): Outcome {
  let outcome: Outcome | undefined;
  write(store, (tx) => {
    outcome = tx.items.upsert(received, origin);
  });
  return outcome as Outcome;
}

function withdraw(store: Store, id: string): WriteSummary {
  return write(store, (tx) => {
    tx.items.withdraw(id);
  });
}

describe('an incoming item', () => {
  it('is added, then unchanged, then revised', () => {
    const { store, queries, clock } = openStoreScene();
    expect(upsert(store, item(), LISTED)).toBe('added');
    expect(upsert(store, item(), LISTED)).toBe('unchanged');
    clock.advance(60_000);
    expect(upsert(store, item({ title: 'Another title' }), LISTED)).toBe('revised');
    expect(queries.items.get('one')).toMatchObject({
      title: 'Another title',
      revisedAt: new Date(clock.now()).toISOString(),
    });
  });

  it('is completed, and reported, if its only change is its place in the selected set', () => {
    const { store } = openStoreScene();
    upsert(store, item(), LISTED);
    const before = store.queries.mirror.number('sequence');
    expect(upsert(store, item(), SELECTED)).toBe('completed');
    expect(store.queries.mirror.number('sequence')).toBe(before + 1);
    expect(upsert(store, item(), { kind: 'selected', generation: 2 })).toBe('unchanged');
    expect(store.queries.mirror.number('sequence')).toBe(before + 1);
  });

  it('is not reset by a list that is older than the selected set', () => {
    const { store, queries } = openStoreScene();
    upsert(store, item({ title: 'The corrected title', category: 'paper' }), SELECTED);
    expect(upsert(store, item({ title: 'The first title', category: 'tip' }), LISTED)).toBe('unchanged');
    expect(queries.items.get('one')).toMatchObject({ title: 'The corrected title', category: 'paper' });
  });
});

describe('the fields of an item', () => {
  const hostile = JSON.parse('{"__proto__": {"polluted": true}, "constructor": [1, null]}') as Item['extra'];

  it.each<[string, Partial<Item>]>([
    ['unknown fields', { extra: { future: { deep: [1, 'two', null] } } }],
    ['unknown members of source', { source: { name: null, country: 'CN', ids: [1] } }],
    ['unknown members of links', { links: { original: null, aihot: 'https://a.example', video: 'https://b.example' } }],
    ['names that mean something to JavaScript', { extra: hostile }],
    ['NUL and control characters', { title: 'a\0b\u0007', summary: '\0' }],
    ['markup and SQL', { title: `<script>alert('x')</script>`, summary: `'); DROP TABLE item; --` }],
    ['times that cannot be read', { discoveredAt: 'yesterday', publishedAt: '' }],
  ])('are returned unchanged: %s', (_, fields) => {
    const { store, queries } = openStoreScene();
    const received = item(fields);
    storeListed(store, [received]);
    expect(queries.items.get('one')).toMatchObject(received as unknown as Record<string, Json>);
    expect(JSON.stringify(queries.items.get('one').extra)).toBe(JSON.stringify(received.extra));
    expect(upsert(store, received, LISTED)).toBe('unchanged');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('are saved well-formed if a lone surrogate was received', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, [item({ title: 'broken \ud83d here' })]);
    expect(queries.items.get('one').title).toBe('broken \ufffd here');
  });
});

describe('the order of items', () => {
  it('is stable for thousands of items in the same second', () => {
    const { store, queries } = openStoreScene();
    const crowd = Array.from({ length: 5_000 }, (_, index) => item({ id: `c${index}` }));
    for (let at = 0; at < crowd.length; at += 1_000) storeListed(store, crowd.slice(at, at + 1_000));
    const order = idsOf(queries);
    expect(new Set(order).size).toBe(5_000);
    storeListed(store, crowd.toReversed());
    expect(idsOf(queries)).toEqual(order);
    expect(idsOf(queries, EVERYTHING, undefined, 7)).toEqual(order);
  });

  it('follows the response, newest first, within a second', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, [item({ id: 'a' }), item({ id: 'b' }), item({ id: 'c' })]);
    expect(idsOf(queries)).toEqual(['a', 'b', 'c']);
  });

  it('follows fractions of a second within one write', () => {
    const { store, queries } = openStoreScene();
    const at = (ms: number): string => `2026-03-18T06:00:00.${ms}Z`;
    storeListed(store, [item({ id: 'a', discoveredAt: at(100) }), item({ id: 'b', discoveredAt: at(900) })]);
    expect(idsOf(queries)).toEqual(['b', 'a']);
  });

  // Holds: news-4.1-timeline-backfilled, news-4.1-timeline-new
  it('is that of the source for items that were found more than 72 hours after their publication', () => {
    const { store, queries, clock } = openStoreScene();
    const found = '2026-03-18T06:00:00Z';
    storeListed(store, [
      item({ id: 'backfilled', discoveredAt: found, publishedAt: '2017-05-01T10:20:30Z' }),
      item({ id: 'three days and a second', discoveredAt: found, publishedAt: '2026-03-15T05:59:59Z' }),
      item({ id: 'three days', discoveredAt: found, publishedAt: '2026-03-15T06:00:00Z' }),
      item({ id: 'found yesterday', discoveredAt: '2026-03-17T06:00:00Z' }),
      item({ id: 'published later', discoveredAt: '2026-03-16T06:00:00Z', publishedAt: found }),
    ]);
    const order = ['three days', 'found yesterday', 'published later', 'three days and a second', 'backfilled'];
    expect(idsOf(queries)).toEqual(order);
    expect(queries.items.get('backfilled').effectiveAt).toBe('2017-05-01T10:20:30.000Z');
    expect(queries.items.get('three days').effectiveAt).toBe('2026-03-18T06:00:00.000Z');
    expect(idsOf(queries, { ...EVERYTHING, window: '24h' })).toEqual(['three days']);
    expect(idsOf(queries, { ...EVERYTHING, window: '7d' })).not.toContain('backfilled');
    expect(
      queries.items.addSavedFacts(item({ id: 'x', publishedAt: '2017-05-01T10:20:30Z' }), clock.now()).effectiveAt,
    ).toBe('2017-05-01T10:20:30.000Z');
  });

  it('falls back to the publication time, then to the present time', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, [
      item({ id: 'old', discoveredAt: null, publishedAt: '2025-01-01T00:00:00Z' }),
      item({ id: 'unknown', discoveredAt: null }),
      item({ id: 'unreadable', discoveredAt: '2026-99-99', publishedAt: 'soon' }),
      item({ id: 'not yet', discoveredAt: '9999-12-31T23:59:59Z', publishedAt: null }),
      item({ id: 'before 1970', discoveredAt: '1899-01-01T00:00:00Z' }),
      item({ id: 'recent' }),
    ]);
    expect(idsOf(queries)).toEqual(['unknown', 'unreadable', 'not yet', 'before 1970', 'recent', 'old']);
  });
});

describe('a withdrawal', () => {
  it('removes an item once, and ignores repetitions and unknown ids', () => {
    const { store, queries } = openStoreScene();
    storeSnapshot(store, [item()]);
    expect(withdraw(store, 'one')).toEqual({ added: 0, older: 0, revised: 0, withdrawn: 1, ids: ['one'] });
    expect(withdraw(store, 'one').withdrawn).toBe(0);
    expect(withdraw(store, 'never there').withdrawn).toBe(0);
    expect(() => queries.items.get('one')).toThrow(expect.objectContaining({ code: 'not_found' }));
    // An item may still be public: what left the set and the window is not kept either (docs/decisions/006).
    expect(() => queries.items.get('one')).toThrow(/was withdrawn, it left Picks and .*, or it was never/);
    expect(queries.items.counts().all).toEqual({ total: 0, unread: 0 });
  });

  it('stays as a fact until the item returns', () => {
    const { store, clock, queries } = openStoreScene();
    storeSnapshot(store, [item()]);
    expect(queries.items.withdrawnAt('one')).toBeNull();
    withdraw(store, 'one');
    expect(queries.items.withdrawnAt('one')).toBe(new Date(clock.now()).toISOString());
    expect(queries.items.withdrawnAt('never there')).toBeNull();
    write(store, (tx) => tx.items.upsert(item(), SELECTED));
    expect(queries.items.withdrawnAt('one')).toBeNull();
  });

  // Holds: news-3-other-lifecycle
  it('ends when the selected set contains the item again, even within one write', () => {
    const { store, queries, index } = openStoreScene();
    storeSnapshot(store, [item({ title: 'Withdrawn' })]);
    write(store, (tx) => {
      tx.items.withdraw('one');
      tx.items.upsert(item({ title: 'Returned' }), SELECTED);
    });
    index();
    expect(queries.items.get('one').title).toBe('Returned');
    expect(idsOf(queries, { ...EVERYTHING, text: 'returned' })).toEqual(['one']);
    expect(upsert(store, item({ title: 'Returned', selected: true }), LISTED)).toBe('unchanged');
  });

  it('rejects the item from a list that a cache may have kept since before', () => {
    const { store, queries, clock } = openStoreScene();
    storeSnapshot(store, [item()]);
    withdraw(store, 'one');
    clock.advance(59_999);
    for (const selected of [true, false, null]) {
      expect(upsert(store, item({ selected }), LISTED)).toBe('refused');
    }
    expect(idsOf(queries)).toEqual([]);
    expect(upsert(store, item(), { kind: 'listed', lifetime: 30_000 })).toBe('added');
  });
});
