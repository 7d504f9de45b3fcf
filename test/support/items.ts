import type { Item } from '../../src-main/contract/model/item.ts';

/** An item with an id, a title and the given fields. */
export function item({ id = 'one', ...rest }: Partial<Item> = {}): Item {
  return {
    id,
    title: `Title of ${id}`,
    originalTitle: null,
    summary: null,
    source: { name: 'A source' },
    links: { original: `https://example.org/${id}`, aihot: null },
    publishedAt: null,
    discoveredAt: '2026-03-18T06:00:00Z',
    category: null,
    score: null,
    selected: null,
    reason: null,
    attribution: null,
    extra: {},
    ...rest,
  };
}

/** Creates different items, one minute apart, newest first. */
export function items(count: number, rest: Partial<Item> = {}): Item[] {
  const newest = Date.parse('2026-03-18T06:00:00Z');
  return Array.from({ length: count }, (_, index) =>
    item({ id: `item-${index}`, discoveredAt: new Date(newest - index * 60_000).toISOString(), ...rest }),
  );
}
