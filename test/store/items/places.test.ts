import { describe, expect, it } from 'vitest';
import type { Item, ItemRow, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { pick, seededRandom } from '../search/search-items.ts';
import { item, items } from '../../support/items.ts';
import { EVERYTHING, mark, storeListed, storeSnapshot, write, type StoreScene } from '../../support/store.ts';
import { openStoreScene } from '../internals.ts';

const HOUR = 3_600_000;

/** A store with a complete selected set and statuses, some items in the same second, some stars of withdrawn items. */
function filledStore(): StoreScene {
  const scene = openStoreScene();
  const random = seededRandom(11);
  const made = Array.from({ length: 240 }, (_, n): Item => {
    const discoveredAt = new Date(scene.clock.now() - Math.floor(random() * 12 * 24) * HOUR).toISOString();
    const title = pick(random, ['A model released', '推理模型发布', 'Weights tested']);
    return item({ id: `i${n}`, title, discoveredAt, category: pick(random, ['paper', 'tip', null]) });
  });
  storeListed(scene.store, made);
  storeSnapshot(scene.store, made.slice(0, 90));
  const share = (of: number): string[] => made.filter(() => random() < of).map(({ id }) => id);
  mark(scene.store, share(0.4), 'read');
  mark(scene.store, share(0.2), 'star');
  for (const id of share(0.1)) write(scene.store, (tx) => tx.items.withdraw(id));
  scene.index();
  return scene;
}

const QUERIES = ['selected', 'all'].flatMap((scope) =>
  ['7d', 'any'].flatMap((window) =>
    ['any', 'unread', 'starred'].flatMap((state) =>
      [{}, { category: 'paper' }].flatMap((category) =>
        [{}, { text: '推理' }, { text: 'model' }].map(
          (text) => ({ scope, window, state, ...category, ...text }) as ItemsQuery,
        ),
      ),
    ),
  ),
);

describe('places of a list', () => {
  it('are those of its rows, in parts of any size, for all combinations of filters', () => {
    const { queries, clock } = filledStore();
    for (const query of QUERIES) {
      const page = queries.items.page(query, undefined, 500, clock.now());
      for (const size of [1, 7, 500]) {
        const places: number[] = [];
        for (let more = true; more;) {
          const part = queries.items.places(query, places.at(-1), size, clock.now());
          places.push(...part.places);
          more = part.more;
        }
        expect(places, JSON.stringify(query)).toEqual(page.places);
      }
    }
  });

  it('keep a row that no longer matches, and say what is gone', () => {
    const { store, queries, clock } = filledStore();
    const query: ItemsQuery = { ...EVERYTHING, state: 'unread' };
    const before = queries.items.page(query, undefined, 3, clock.now());
    const [read, withdrawn, left] = before.rows.map(({ id }) => id) as [string, string, string];
    mark(store, [read], 'read');
    write(store, (tx) => tx.items.withdraw(withdrawn));
    const rows = queries.items.rows(query, before.places, clock.now());
    expect(rows.map((row) => row?.id ?? null)).toEqual([read, null, left]);
    expect((rows[0] as ItemRow).state.readAt).not.toBeNull();
  });

  it('lead to an item whose time was corrected, if its id is known', () => {
    const { store, queries, clock } = openStoreScene();
    const [newest, other] = items(2) as [Item, Item];
    storeListed(store, [newest, other]);
    const { places } = queries.items.page(EVERYTHING, undefined, 10, clock.now());
    storeListed(store, [{ ...newest, discoveredAt: '2026-03-01T06:00:00Z' }]);
    const idsAt = (ids?: string[]) => queries.items.rows(EVERYTHING, places, clock.now(), ids).map((row) => row?.id);
    expect(idsAt()).toEqual([undefined, other.id]);
    expect(idsAt([newest.id, other.id])).toEqual([newest.id, other.id]);
  });
});
