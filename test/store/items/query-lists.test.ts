import { describe, expect, it } from 'vitest';
import { sourceKey } from '../../../src-main/common/source-label.ts';
import type { Item, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import {
  matchesAlternative,
  parseSearch,
  searchedText,
  type ItemFacts,
} from '../../../src-main/store/search/search-query.ts';
import { keyAt, sortTime } from '../../../src-main/store/items/time-key.ts';
import { item } from '../../support/items.ts';
import { isWhole } from '../../support/proofs.ts';
import {
  EVERYTHING,
  idsOf,
  LISTED,
  mark,
  markInSteps,
  storeSnapshot,
  undo,
  write,
  type StoreScene,
} from '../../support/store.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { matchesItem } from '../search/plain-search.ts';
import { pick, seededRandom } from '../search/search-items.ts';
import { openStoreScene } from '../internals.ts';

const ITEMS = 2_000;
const QUERIES = isWhole ? 120 : 50;
const MARKINGS = isWhole ? 100 : 50;
/** Nobody pages further; the number of all is compared too. */
const PAGE = 200;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-03-18T06:30:00Z');

const SOURCES = ['Eval Weekly', 'OpenAI News', 'X：OpenAI (@OpenAI)', '量子位', 'Ｌａｂ Notes', '机器之心', null];
const CATEGORIES = ['paper', 'ai-models', 'tip', '类别 "A" OR', null];
const WORDS = ['model', 'models', '推理', '模型', '发布', 'gpt-5', 'price', 'café', 'open', 'weights'];

/** Muted queries, and the same as a plain look at an item. */
const MUTES: Readonly<Record<string, (one: Item) => boolean>> = {
  'category:tip source:"Ｌａｂ Notes"': ({ category, source }) => category === 'tip' && source.name === 'Ｌａｂ Notes',
  'score:42': ({ score }) => score === 42,
};

interface Made {
  item: Item;
  facts: ItemFacts;
}

/** @param pace seconds between two items, as a multiple of the usual ones */
function fill(scene: StoreScene, count: number, pace = 1): Made[] {
  const random = seededRandom(14);
  const { store } = scene;
  const words = (most: number): string =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, WORDS)).join(pick(random, [' ', '，']));
  const made = Array.from({ length: count }, (_, n) =>
    item({
      id: `i${String(n)}`,
      title: words(3),
      originalTitle: random() < 0.3 ? words(2) : null,
      summary: random() < 0.7 ? words(8) : null,
      source: { name: pick(random, SOURCES) },
      reason: random() < 0.2 ? words(3) : null,
      category: pick(random, CATEGORIES),
      score: random() < 0.2 ? null : Math.floor(random() * 101),
      // Over weeks, and two of a second now and then.
      discoveredAt: new Date(START - Math.floor(n / 1.1) * (7 + (n % 50)) * 1_000 * pace).toISOString(),
    }),
  );
  const members = new Set(made.filter(() => random() < 0.3).map(({ id }) => id));
  storeSnapshot(
    store,
    made.filter(({ id }) => members.has(id)),
  );
  write(store, ({ items }) => {
    items.upsertAll(
      made.filter(({ id }) => !members.has(id)),
      LISTED,
    );
  });
  const read = made.filter(() => random() < 0.6).map(({ id }) => id);
  const starred = made.filter(() => random() < 0.05).map(({ id }) => id);
  for (let at = 0; at < read.length; at += 1_000) mark(store, read.slice(at, at + 1_000), 'read');
  for (let at = 0; at < starred.length; at += 1_000) mark(store, starred.slice(at, at + 1_000), 'star');
  const some = (share: number): Set<string> => new Set(made.filter(() => random() < share).map(({ id }) => id));
  const [inStory, withNote] = [some(0.1), some(0.05)];
  const reports = [...inStory].map((id) => report(id));
  for (let at = 0; at < reports.length; at += 20) {
    saveStory(store, storyOf(`story-${String(at)}`, reports.slice(at, at + 20)));
  }
  write(store, ({ notes, rules, now }) => {
    for (const id of withNote) notes.set({ kind: 'item', id }, 'Mine', { now });
    for (const query of Object.keys(MUTES)) rules.addMute(query, now);
  });
  while (store.derive('rules'));
  scene.index();
  const [isRead, isStarred] = [new Set(read), new Set(starred)];
  return made.map((one) => ({
    item: one,
    facts: {
      text: searchedText({ ...one, sourceName: one.source.name }),
      key: keyAt(sortTime(one, scene.clock.now())),
      sourceName: one.source.name,
      category: one.category,
      score: one.score,
      unread: !isRead.has(one.id),
      starred: isStarred.has(one.id),
      selected: members.has(one.id),
      withdrawn: false,
      muted: Object.values(MUTES).some((hides) => hides(one)),
      hasStory: inStory.has(one.id),
      hasNote: withNote.has(one.id),
    },
  }));
}

function randomTerm(random: () => number, days: readonly string[]): string {
  const kinds = [
    () => pick(random, WORDS),
    () => `"${pick(random, WORDS)} ${pick(random, WORDS)}"`,
    () => `${pick(random, WORDS).slice(0, 3)}*`,
    () => `source:${pick(random, ['Eval', 'openai', 'lab', '量子', 'nothing', 'notes'])}`,
    () => `source:"${pick(random, ['OpenAI', 'openai news', '机器之心', 'Eval'])}"`,
    () => `category:${pick(random, ['paper', 'Models', '技巧', 'unheard-of', '"类别 "'])}`,
    () => `is:${pick(random, ['unread', 'read', 'starred', 'selected', 'withdrawn', 'muted'])}`,
    () => `has:${pick(random, ['story', 'note'])}`,
    () => `${pick(random, ['before', 'after'])}:${pick(random, days)}`,
    () => `score:${pick(random, ['>80', '>=80', '<10', '<=5', '42', '>100'])}`,
  ];
  return `${random() < 0.2 ? '-' : ''}${pick(random, kinds)()}`;
}

function randomQuery(random: () => number, days: readonly string[]): string {
  const terms = Array.from({ length: 1 + Math.floor(random() * 4) }, () => randomTerm(random, days));
  return terms.map((term, n) => (n > 0 && random() < 0.25 ? `OR ${term}` : term)).join(' ') + pick(random, ['', ' ']);
}

const WINDOWS: Readonly<Record<ItemsQuery['window'], number>> = {
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
  any: Infinity,
};

/** A list with or without each of its filters. */
function randomList(random: () => number, text: string): ItemsQuery {
  return {
    scope: pick(random, ['all', 'selected']),
    window: pick(random, ['any', 'any', 'any', '24h', '7d', '30d']),
    state: pick(random, ['any', 'any', 'unread', 'starred']),
    ...(random() < 0.2 && { category: pick(random, ['paper', 'tip', 'unheard-of']) }),
    ...(random() < 0.2 && { source: pick(random, ['OpenAI', 'Eval Weekly', 'No such source']) }),
    ...(random() < 0.7 && { text }),
  };
}

/** Hidden items are in Starred, and where an alternative asks for them. */
function isListed(query: ItemsQuery, facts: ItemFacts, now: number): boolean {
  const { scope, state, window, category, source } = query;
  if (scope === 'selected' && !facts.selected) return false;
  if (facts.key < keyAt(now - WINDOWS[window])) return false;
  if (category !== undefined && facts.category !== category) return false;
  if (source !== undefined && sourceKey(facts.sourceName) !== sourceKey(source)) return false;
  const search = parseSearch(query.text ?? '', 0);
  if ((state === 'unread' && !facts.unread) || (state === 'starred' && !facts.starred)) return false;
  if (!facts.muted || state === 'starred') return matchesItem(search, facts);
  return search.alternatives.some(
    (alternative) =>
      alternative.conditions.some((condition) => condition.kind === 'is' && condition.state === 'muted') &&
      matchesAlternative(alternative, facts),
  );
}

describe('lists of a query', () => {
  it('are marked as read, and unread again by the undo, as a plain scan would, for random queries', () => {
    const scene = openStoreScene();
    const made = fill(scene, 400, 60);
    const { store, clock } = scene;
    const random = seededRandom(83);
    const days = [1, 3, 6].map((ago) => new Date(START - ago * DAY).toISOString().slice(0, 10));
    const unread = (): string[] =>
      (['any', 'muted'] as const)
        .flatMap((which) =>
          idsOf(
            store.queries,
            { ...EVERYTHING, state: 'unread', ...(which === 'muted' && { muted: true }) },
            clock.now(),
          ),
        )
        .toSorted();
    const idsWhere = (isWanted: (one: Made) => boolean): string[] =>
      made
        .filter(isWanted)
        .map(({ item: { id } }) => id)
        .toSorted();
    let marked = 0;
    for (let n = 0; n < MARKINGS; n++) {
      const query = randomList(random, randomQuery(random, days));
      const about = JSON.stringify(query);
      const before = unread();
      expect(before, about).toEqual(idsWhere(({ facts }) => facts.unread));
      const wanted = idsWhere(({ facts }) => facts.unread && isListed(query, facts, clock.now()));
      const action = markInSteps(store, query, pick(random, [1, 7, 1_000]), clock.now());
      expect(action.pairs.length, about).toBe(wanted.length);
      const isMarked = new Set(wanted);
      expect(unread(), about).toEqual(before.filter((id) => !isMarked.has(id)));
      expect(undo(store, action), about).toBe(wanted.length);
      expect(unread(), about).toEqual(before);
      marked += Math.min(1, wanted.length);
      clock.advance(1_000);
    }
    expect(marked).toBeGreaterThan(MARKINGS / 5);
  });

  it('have what a plain scan of every item finds, for random queries', () => {
    const scene = openStoreScene();
    const made = fill(scene, ITEMS);
    const now = scene.clock.now();
    const { items } = scene.queries;
    const newest = [...made].sort((a, b) => b.facts.key - a.facts.key);
    const random = seededRandom(82);
    const days = Array.from({ length: 8 }, (_, n) =>
      new Date(START - n * (ITEMS / 12) * MINUTE * 5).toISOString().slice(0, 10),
    );
    let found = 0;
    for (let n = 0; n < QUERIES; n++) {
      const query = randomList(random, randomQuery(random, days));
      const wanted = newest.filter(({ facts }) => isListed(query, facts, now));
      const page = items.page(query, undefined, PAGE, now);
      const count = items.count(query, now);
      const about = JSON.stringify(query);
      // Within a second, the order is that of arrival.
      const ids = new Set(wanted.map(({ item: { id } }) => id));
      expect(
        page.rows.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
        about,
      ).toEqual([]);
      expect(page.rows.length, about).toBe(Math.min(PAGE, wanted.length));
      expect(
        page.rows.map(({ effectiveAt }) => keyAt(Date.parse(effectiveAt))),
        about,
      ).toEqual(wanted.slice(0, PAGE).map(({ facts }) => facts.key));
      // Counting the results of a search stops there.
      expect(count, about).toEqual(
        query.text !== undefined && wanted.length > 1_000 ? { count: 1_000, atLeast: true } : { count: wanted.length },
      );
      expect(items.places(query, undefined, PAGE, now).places, about).toEqual(page.places);
      found += Math.min(1, wanted.length);
    }
    // Most queries find something.
    expect(found).toBeGreaterThan(QUERIES / 4);
  });
});
