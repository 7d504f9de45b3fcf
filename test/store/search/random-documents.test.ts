import { describe, expect, it } from 'vitest';
import { startOfDay } from '../../../src-main/common/time.ts';
import type { Report } from '../../../src-main/contract/model/report.ts';
import type { Story } from '../../../src-main/contract/model/story.ts';
import type { SearchKind } from '../../../src-main/contract/model/search.ts';
import type { ModelRecord } from '../../../src-main/contract/model/model.ts';
import { parseSearch, searchedFields, type ItemFacts } from '../../../src-main/store/search/search-query.ts';
import { keyAt } from '../../../src-main/store/items/time-key.ts';
import { citation, daily } from '../../support/reports.ts';
import { report as storyReport, saveStory, storyOf } from '../../support/stories.ts';
import { write } from '../../support/store.ts';
import { model, openModelStore, OWNER, type ModelStore } from '../models/model-records.ts';
import { matchesItem } from './plain-search.ts';
import { pick, seededRandom } from './search-items.ts';

const QUERIES = 120;
const REPORTS = 60;
const WORDS = [
  'model',
  'models',
  '推理',
  '模型',
  '发布',
  'gpt-5',
  'price',
  'café',
  'open',
  'weights',
  'release',
  '智能',
];
const SOURCES = ['Eval Weekly', 'OpenAI News', '量子位', 'Ｌａｂ Notes', null];

interface Expected {
  id: string;
  facts: ItemFacts;
}

type Random = () => number;

function words(random: Random, most: number): string {
  const all = Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, WORDS));
  return all.join(pick(random, [' ', '，']));
}

function dayOf(n: number): string {
  return new Date(Date.UTC(2026, 2, 18) - n * 86_400_000).toISOString().slice(0, 10);
}

function randomReport(random: Random, n: number): Report {
  const cited = Array.from({ length: 4 }, (_, k) =>
    citation(`c${String(n)}-${String(k)}`, {
      title: words(random, 3),
      summary: random() < 0.7 ? words(random, 5) : null,
      source: { name: pick(random, SOURCES) ?? '' },
    }),
  );
  return daily(
    { 一: cited.slice(0, 2), Two: cited.slice(2) },
    { label: dayOf(n), headline: words(random, 3), overview: random() < 0.5 ? words(random, 5) : null },
  );
}

function saveReport({ store, clock }: ModelStore, report: Report): void {
  write(store, ({ reports }) => void reports.store(report, clock.now()));
}

const NO_ITEM = {
  sourceName: null,
  category: null,
  score: null,
  selected: false,
  muted: false,
  hasStory: false,
  hasNote: false,
  starred: false,
  withdrawn: false,
};

function ofReport({ label, headline, overview, sections }: Report, isRead: boolean): Expected {
  const cited = sections.flatMap(({ items }) => items);
  const key = keyAt(startOfDay(label));
  return {
    id: `daily/${label}`,
    facts: {
      ...NO_ITEM,
      text: searchedFields([headline, overview, ...cited.flatMap(({ title, summary }) => [title, summary]), label]),
      otherSources: cited.map(({ source }) => source.name ?? ''),
      key,
      endKey: key,
      unread: !isRead,
    },
  };
}

function ofStory({ publicId, title, digest, latest, latestAt, reports }: Story): Expected {
  const sources = reports.flatMap(({ source }) => source.name ?? []);
  const text = searchedFields([title, digest, latest, publicId]);
  const key = keyAt(Date.parse(latestAt ?? ''));
  return { id: publicId, facts: { ...NO_ITEM, text, otherSources: sources, key, unread: false } };
}

function ofNote(id: string, text: string, at: number): Expected {
  const key = keyAt(at);
  return {
    id: `item/${id}`,
    facts: { ...NO_ITEM, hasNote: true, text: searchedFields([text]), otherSources: [], key, unread: false },
  };
}

function ofModel({ id, created, ...texts }: ModelRecord): Expected {
  const text = searchedFields([texts['name'] as string, id, texts['description'] as string]);
  return {
    id: `models/${id}`,
    facts: { ...NO_ITEM, text, otherSources: [], key: keyAt(Number(created) * 1000), unread: false },
  };
}

/** The same each time. Some reports are saved, or changed, after the index was brought up to date. */
function fill(scene: ModelStore, indexes: boolean): Record<Exclude<SearchKind, 'items'>, Expected[]> {
  const random = seededRandom(99);
  const reports = Array.from({ length: REPORTS }, (_, n) => randomReport(random, n));
  for (const report of reports.slice(10)) saveReport(scene, report);
  if (indexes) scene.index();
  scene.clock.advance(1_000);
  for (let n = 20; n < 25; n += 1) reports[n] = randomReport(random, n);
  for (const report of [...reports.slice(0, 10), ...reports.slice(20, 25)]) saveReport(scene, report);
  const isRead = reports.map(() => random() < 0.5);
  write(scene.store, (tx) => {
    for (const [n, { kind, label }] of reports.entries()) {
      if (isRead[n]) tx.records.turn('report', `${kind}/${label}`, scene.clock.now());
    }
  });
  const stories = Array.from({ length: 40 }, (_, n) => {
    const source = { name: pick(random, SOURCES), firstParty: false };
    return storyOf(`s${String(n)}`, [{ ...storyReport(`r${String(n)}`), source }], {
      title: words(random, 3),
      digest: random() < 0.5 ? words(random, 6) : null,
      latest: random() < 0.5 ? words(random, 3) : null,
      latestAt: `${dayOf(n)}T12:00:00Z`,
    });
  });
  for (const story of stories) saveStory(scene.store, story);
  const models = Array.from({ length: 40 }, (_, n) =>
    model(`maker/m${String(n)}`, {
      name: words(random, 2),
      description: words(random, 8),
      created: Math.floor(Date.parse(`${dayOf(n)}T12:00:00Z`) / 1000),
    }),
  );
  scene.replace(models);
  const notes = Array.from({ length: 40 }, (_, n) => {
    scene.clock.advance(1_000);
    const [id, text] = [`i${String(n)}`, words(random, 6)];
    scene.store.transaction((tx) => tx.notes.set({ kind: 'item', id }, text, { now: tx.now }));
    return ofNote(id, text, scene.clock.now());
  });
  return {
    reports: reports.map((report, n) => ofReport(report, isRead[n] ?? false)),
    stories: stories.map(ofStory),
    models: models.map(ofModel),
    notes,
  };
}

function randomQuery(random: Random): string {
  const term = (): string => {
    const made = pick(random, [
      () => pick(random, WORDS),
      () => `"${pick(random, WORDS)} ${pick(random, WORDS)}"`,
      () => `${pick(random, WORDS).slice(0, 3)}*`,
      () => `source:${pick(random, ['Eval', 'openai', 'lab', '量子'])}`,
      () => `is:${pick(random, ['unread', 'read', 'starred'])}`,
      () => `${pick(random, ['before', 'after'])}:${dayOf(Math.floor(random() * REPORTS))}`,
      () => `category:paper`,
    ])();
    return `${random() < 0.25 ? '-' : ''}${made}`;
  };
  const terms = Array.from({ length: 1 + Math.floor(random() * 4) }, term);
  return terms.map((one, n) => (n > 0 && random() < 0.25 ? `OR ${one}` : one)).join(' ') + pick(random, ['', ' ']);
}

describe('a search of reports, stories, models and notes', () => {
  it('has what a plain scan finds, for random queries, however much is indexed', () => {
    const [scene, behind, late] = [openModelStore(), openModelStore(), openModelStore()];
    const expected = fill(scene, true);
    scene.index();
    fill(behind, true);
    fill(late, false);
    const random = seededRandom(7);
    let found = 0;
    for (let n = 0; n < QUERIES; n += 1) {
      const text = randomQuery(random);
      const search = parseSearch(text, 0);
      const find = ({ queries, clock }: ModelStore) =>
        queries.search.find({
          text,
          in: ['stories', 'reports', 'models', 'notes'],
          limit: 100,
          now: clock.now(),
          owner: OWNER,
        });
      const results = find(scene);
      for (const { kind, count, hits } of results.groups) {
        const wanted = kind === 'items' ? [] : expected[kind];
        const ids = wanted.filter(({ facts }) => matchesItem(search, facts)).map(({ id }) => id);
        expect(hits.map(({ id }) => id).sort(), `${kind} ${text}`).toEqual(ids.sort());
        expect(count).toBe(ids.length);
        found += Math.min(1, count);
      }
      // In the same order, with the same matches.
      expect(find(behind), text).toEqual(results);
      expect(find(late), text).toEqual(results);
    }
    expect(found).toBeGreaterThan(QUERIES / 2);
  });
});
