import { describe, expect, it } from 'vitest';
import { canonicalAddress } from '../../../src-main/contract/addresses.ts';
import type { Item } from '../../../src-main/contract/model/item.ts';
import type { Story } from '../../../src-main/contract/model/story.ts';
import type { Store } from '../../../src-main/store/index.ts';
import { articleAddress } from '../../../src-main/store/stories/coverage.ts';
import { item } from '../../support/items.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { LISTED, SELECTED, storeListed, write } from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';
import { casesOf } from '../../support/proofs.ts';
import { pick, seededRandom } from '../search/search-items.ts';

type Links = Record<string, string | null>;

/** The id of the saved item that each report is, by story and report. */
function linksOf(store: Store): Links {
  const rows = databaseOf(store)
    .prepare<[], { report: string; item: string | null }>(
      `SELECT story || ' ' || coverage.id AS report, item.id AS item FROM coverage LEFT JOIN item USING (key)
       ORDER BY report`,
    )
    .all();
  return Object.fromEntries(rows.map(({ report, item }) => [report, item]));
}

/** The same, from what is saved of stories and items. */
function expectedOf(store: Store): Links {
  const database = databaseOf(store);
  const saved = database
    .prepare<[], { id: string; link: string | null }>('SELECT id, link_original AS link FROM item ORDER BY key')
    .all();
  const bodies = database
    .prepare<[], string>("SELECT body FROM document WHERE kind = 'story' AND body IS NOT NULL")
    .pluck()
    .all();
  const links = bodies.flatMap((body) => {
    const { publicId, reports } = JSON.parse(body) as Story;
    return reports.map(({ id, links }) => {
      const address = articleAddress(links.original);
      const same = saved.find((one) => one.id === id);
      const shares = saved.find(({ link }) => address !== null && canonicalAddress(link) === address);
      return [`${publicId} ${id}`, (same ?? shares)?.id ?? null] as const;
    });
  });
  return Object.fromEntries(links.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const at = (id: string, original: string | null, minute = 0): Item =>
  item({
    id,
    links: { original, aihot: null },
    discoveredAt: new Date(Date.UTC(2026, 2, 18, 5, minute)).toISOString(),
  });

const PLACES = ['https://a.example/1', 'http://a.example/1/?utm_source=x', 'https://a.example/2', 'https://a.example/'];

/** Which lists of all items, of the selected ones, and of both in its category leave an item out: a newer one is there. */
function foldsOf(store: Store): Links {
  const rows = databaseOf(store)
    .prepare<[], { id: string; fold: string }>(
      "SELECT item.id, fold.story || ' ' || fold.bits AS fold FROM fold LEFT JOIN item USING (key)",
    )
    .all();
  return Object.fromEntries(rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, fold }) => [id, fold]));
}

/** The same, from the expected links. */
function expectedFoldsOf(store: Store): Links {
  const stories = new Map<string, string>();
  for (const [report, id] of Object.entries(expectedOf(store))) {
    const [story = ''] = report.split(' ');
    const known = stories.get(id ?? '');
    if (id !== null && (known === undefined || story < known)) stories.set(id, story);
  }
  const newestFirst = databaseOf(store)
    .prepare<[], { id: string; category: string | null; generation: number }>(
      'SELECT id, item.category, generation FROM item JOIN item_index USING (key) ORDER BY key DESC',
    )
    .all();
  const folds = newestFirst.flatMap(({ id, category, generation }, at) => {
    const story = stories.get(id);
    const inStory = newestFirst.filter((other) => story !== undefined && stories.get(other.id) === story);
    if (story === undefined || inStory.length < 2) return [];
    const newer = inStory.filter((other) => newestFirst.indexOf(other) < at);
    const selected = generation > 0 ? newer.filter((other) => other.generation > 0) : [];
    const inCategory = (others: typeof newer): boolean =>
      others.some((other) => category !== null && other.category === category);
    const bits = [newer.length > 0, selected.length > 0, inCategory(newer), inCategory(selected)];
    return [[id, `${story} ${String(bits.reduce((sum, bit, place) => sum + (bit ? 2 ** place : 0), 0))}`] as const];
  });
  return Object.fromEntries(folds.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A random change of items or stories. */
function act(store: Store, random: () => number): void {
  const id = (): string => `item-${Math.floor(random() * 12)}`;
  const address = (): string | null => pick(random, [...PLACES, null]);
  const any = (): Item => ({
    ...at(id(), address(), Math.floor(random() * 60)),
    category: pick(random, ['paper', 'tip', null]),
  });
  const story = (): string => pick(random, ['a', 'b', 'c', 'd']);
  const changes: (() => void)[] = [
    () => {
      write(store, (tx) => {
        tx.items.upsertAll([any(), any(), any()], pick(random, [LISTED, SELECTED]));
      });
    },
    () => {
      write(store, (tx) => {
        tx.items.withdraw(id());
      });
    },
    () => {
      write(store, (tx) => {
        tx.items.leave(id());
      });
    },
    () => {
      write(store, (tx) => void tx.items.dropBefore(Date.UTC(2026, 2, 18, 5, Math.floor(random() * 30)), 0, 3));
    },
    () => {
      const ids = new Set([id(), id(), id()]);
      saveStory(
        store,
        storyOf(
          story(),
          [...ids].map((one) => report(one, address())),
        ),
      );
    },
    () => {
      const [merged, survivor] = [story(), story()];
      if (merged !== survivor) store.transaction(({ stories }) => stories.merge(merged, survivor));
    },
    () => store.transaction(({ stories, now }) => stories.prune(now + (random() < 0.1 ? 40 * 86_400_000 : 0))),
    () => {
      expect(() => {
        write(store, (tx) => {
          tx.items.upsert(any(), LISTED);
          tx.items.withdraw(id());
          throw new Error('rolled back');
        });
      }).toThrow('rolled back');
    },
    () => store.derive('addresses'),
  ];
  pick(random, changes)();
}

describe('the links of stories and items', () => {
  it.each(casesOf([1, 2, 3, 4], [0, 3]))('are those of a recomputation after random changes (%i)', (seed) => {
    const { store, clock } = openStoreScene();
    const random = seededRandom(seed);
    let found = 0;
    let folded = 0;
    for (let step = 0; step < 250; step += 1) {
      act(store, random);
      clock.advance(90_000);
      const links = linksOf(store);
      expect(links, `seed ${String(seed)}, step ${String(step)}`).toEqual(expectedOf(store));
      const folds = foldsOf(store);
      expect(folds, `seed ${String(seed)}, step ${String(step)}`).toEqual(expectedFoldsOf(store));
      folded += Object.keys(folds).length;
      found += Object.values(links).filter((link) => link !== null).length;
    }
    expect(found).toBeGreaterThan(250);
    expect(folded).toBeGreaterThan(250);
  });

  it('never take the front page of a site for an article', () => {
    const { store } = openStoreScene();
    storeListed(store, [at('one', 'https://a.example/')]);
    saveStory(store, storyOf('s', [report('x', 'https://a.example')]));
    expect(linksOf(store)).toEqual({ 's x': null });
  });
});
