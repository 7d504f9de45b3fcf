import { describe, expect, it } from 'vitest';
import type { Item, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { DISAGREEMENTS, findDisagreements } from '../../../src-main/store/database/checks.ts';
import { DERIVED_NAMES, type Origin, type Store } from '../../../src-main/store/index.ts';
import { item } from '../../support/items.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import {
  endVisit,
  EVERYTHING,
  idsOf,
  LISTED,
  mark,
  mentionIndexer,
  SELECTED,
  SOURCE,
  storeListed,
  write,
} from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';
import { casesOf } from '../../support/proofs.ts';
import { pick, seededRandom } from '../search/search-items.ts';

const SEEDS = casesOf([1, 2, 3, 4], [0, 3]);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GATEWAY = 'https://gateway.example';
const MODEL = { id: 'vane/opal-4', name: 'Vane: Opal 4' };
const STORIES = ['a', 'b', 'c'];

type Scene = ReturnType<typeof openStoreScene>;

function scene(): Scene & { follow(): void } {
  const opened = openStoreScene();
  const { store, clock } = opened;
  write(store, (tx) => {
    tx.readingStart.choose(DAY);
    tx.readingStart.begin(clock.now() - DAY);
    tx.modelLists.replace({ owner: GATEWAY, modelList: 'models', records: [MODEL], keyEnding: null }, 0);
    const yesterday = new Date(clock.now() - DAY).toISOString().slice(0, 10);
    tx.rules.addMute(`after:${yesterday} category:tip`, 0);
    tx.rules.addSaved({ name: 'Lately', query: `after:${yesterday} -category:paper`, notify: true }, 0);
    tx.selectedSet.finishSnapshot(1, 'cursor');
  });
  mentionIndexer(store, GATEWAY);
  const follow = (): void => {
    opened.index();
    for (const name of DERIVED_NAMES) while (store.derive(name));
  };
  return { ...opened, follow };
}

/** Everything derived agrees with the items. */
function expectSound(store: Store, hint: string): void {
  for (const what of DISAGREEMENTS) {
    expect(Object.values(findDisagreements(databaseOf(store), what)).flat(), hint).toEqual([]);
  }
}

/** All that a reader sees of the store; of items of one second, any order is right. */
function shown({ queries }: Scene, now: number): unknown {
  const { items, rules } = queries;
  const saved = rules.savedSearches().map(({ id }) => ({ ...EVERYTHING, saved: id }));
  const lists: ItemsQuery[] = [
    EVERYTHING,
    { ...EVERYTHING, window: '24h' },
    { ...EVERYTHING, window: '7d', state: 'unread' },
    { ...EVERYTHING, scope: 'selected' },
    { ...EVERYTHING, category: 'paper' },
    { ...EVERYTHING, state: 'starred' },
    { ...EVERYTHING, muted: true },
    { ...EVERYTHING, text: 'opal' },
    { ...EVERYTHING, text: 'before:2026-03-17' },
    { ...EVERYTHING, foldStories: true },
    ...saved,
  ];
  const rows = lists.map((query) => {
    const page = items.page(query, undefined, 500, now).rows;
    const times = page.map(({ effectiveAt }) => effectiveAt);
    expect(times, 'newest first').toEqual(times.toSorted().reverse());
    return page
      .map(({ id, effectiveAt, title, models, folded, state }) => ({
        row: `${effectiveAt} ${id} ${title}`,
        models: models.map((model) => model.id),
        folded,
        state: [state.readAt !== null, state.starredAt !== null],
      }))
      .sort((a, b) => (a.row < b.row ? -1 : 1));
  });
  const { saved: searches, ...counts } = items.counts();
  return {
    rows,
    counts: lists.map((query) => items.count(query, now)),
    counters: { ...counts, saved: searches.map(({ id: _, ...count }) => count) },
    naming: items.listNaming(MODEL.id, 500).map(({ id }) => id),
    reported: STORIES.map((id) => queries.stories.find(id)?.reports.map(({ itemId }) => itemId)),
  };
}

function anyItem(random: () => number, now: number): Item {
  const n = Math.floor(random() * 24);
  const discovered = now - Math.floor(random() * 120) * HOUR - (n % 20) * 1000;
  const published = pick(random, [null, discovered, discovered - HOUR, discovered - 30 * DAY]);
  const asTime = (ms: number): string => new Date(ms).toISOString();
  return item({
    id: `item-${String(n)}`,
    title: pick(random, ['Opal 4', 'Other', 'Opal']),
    discoveredAt: random() < 0.1 ? null : asTime(discovered),
    publishedAt: published === null ? asTime(discovered) : asTime(published),
    category: pick(random, ['paper', 'tip', null]),
    links: { original: `https://a.example/${String(n % 7)}`, aihot: null },
  });
}

describe('an item whose times were corrected', () => {
  it.each(SEEDS)('is everywhere as in a store that never had the earlier ones (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const tried = scene();
    const { store, clock } = tried;
    const now = clock.now();
    const state = new Map<string, { item: Item; inSet: boolean }>();
    const marks = new Map<string, Set<'read' | 'star'>>();
    const upsert = (origin: Origin): void => {
      const received = anyItem(random, now);
      const before = state.get(received.id);
      write(store, (tx) => void tx.items.upsert(received, origin));
      const inSet = origin === SELECTED || before?.inSet === true;
      state.set(received.id, { item: before?.inSet && origin === LISTED ? before.item : received, inSet });
    };
    const gone = new Set<string>();
    const stories = new Map<string, string[]>();
    const actions: (() => void)[] = [
      () => upsert(LISTED),
      () => upsert(LISTED),
      () => upsert(SELECTED),
      () => {
        const id = pick(random, [...state.keys(), 'none']);
        // A withdrawn star would leave a row.
        mark(store, [id], 'unstar');
        marks.get(id)?.delete('star');
        write(store, (tx) => tx.items.withdraw(id));
        state.delete(id);
        gone.add(id);
      },
      () => {
        const id = pick(random, [...state.keys(), 'none']);
        write(store, (tx) => tx.items.leave(id));
        const left = state.get(id);
        if (left) left.inSet = false;
      },
      () => {
        const id = `item-${String(Math.floor(random() * 24))}`;
        // A star of what was withdrawn leaves a row, too.
        const action = gone.has(id) && !state.has(id) ? 'read' : pick(random, ['read', 'star'] as const);
        mark(store, [id], action);
        marks.set(id, (marks.get(id) ?? new Set()).add(action));
      },
      () => {
        const ids = Array.from({ length: 4 }, () => Math.floor(random() * 20));
        const story = pick(random, STORIES);
        stories.set(
          story,
          [...new Set(ids)].map((id) => `item-${String(id)}`),
        );
        saveStory(store, tellOf(story, stories));
      },
      () => tried.follow(),
    ];
    for (let step = 0; step < 400; step += 1) {
      pick(random, actions)();
      // A list is refused what was withdrawn a moment ago.
      clock.advance(61_000);
      if (step % 20 === 0) expectSound(store, `step ${String(step)}`);
    }
    tried.follow();
    expectSound(store, 'at the end');

    const fresh = scene();
    const finals = [...state.values()];
    storeListed(
      fresh.store,
      finals.filter(({ inSet }) => !inSet).map((one) => one.item),
    );
    write(fresh.store, (tx) =>
      tx.items.upsertAll(
        finals.filter(({ inSet }) => inSet).map((one) => one.item),
        SELECTED,
      ),
    );
    for (const [id, all] of marks) for (const action of all) mark(fresh.store, [id], action);
    for (const story of stories.keys()) saveStory(fresh.store, tellOf(story, stories));
    fresh.follow();
    expectSound(fresh.store, 'fresh');
    expect(shown(tried, now)).toEqual(shown(fresh, now));
  });

  it('keeps its revisions and is not new', () => {
    const { store, queries, clock, follow } = scene();
    const now = clock.now();
    const early = item({ id: 'one', title: 'Early', discoveredAt: new Date(now - 5 * DAY).toISOString() });
    storeListed(store, [early, item({ id: 'two', discoveredAt: new Date(now - 2 * DAY).toISOString() })]);
    storeListed(store, [{ ...early, title: 'Put right' }]);
    follow();
    endVisit(store);
    const before = store.queries.mirror.number('sequence');
    clock.advance(1000);
    const later = new Date(now - HOUR).toISOString();
    storeListed(store, [{ ...early, title: 'Put right', discoveredAt: later }]);
    follow();
    expect(idsOf(queries, EVERYTHING, now)).toEqual(['one', 'two']);
    expect(queries.items.get('one')).toMatchObject({ effectiveAt: later, discoveredAt: later });
    expect(queries.items.revisions('one')).toMatchObject([{ fields: [{ before: 'Early', after: 'Put right' }] }]);
    expect(queries.visits.sinceLast()).toMatchObject({ added: 0, older: 0, revised: 0, withdrawn: 0 });
    expect(queries.notifications.newInSearches(SOURCE, before, clock.now())).toEqual([]);
    // It is the first of a day again, and dropped with the days before it.
    store.transaction(({ items }) => items.dropBefore(now - DAY, 0, 100));
    expect(idsOf(queries, EVERYTHING, now)).toEqual(['one']);
  });

  it('keeps its place if the service no longer sends any time', () => {
    const { store, queries, clock } = scene();
    const early = item({ discoveredAt: new Date(clock.now() - 5 * DAY).toISOString() });
    storeListed(store, [early]);
    const { effectiveAt } = queries.items.get('one');
    storeListed(store, [{ ...early, discoveredAt: null }]);
    expect(queries.items.get('one')).toMatchObject({ effectiveAt, discoveredAt: null });
    storeListed(store, [early]);
    expect(queries.items.get('one')).toMatchObject({ effectiveAt });
  });
});

function tellOf(story: string, stories: ReadonlyMap<string, string[]>): ReturnType<typeof storyOf> {
  const reports = (stories.get(story) ?? []).map((id) => report(id));
  // By its address only: the oldest item that has it.
  return storyOf(story, [...reports, report(`of ${story}`, `https://a.example/${String(STORIES.indexOf(story))}`)]);
}
