import { describe, expect, it } from 'vitest';
import { CUT_MARK } from '../../../src-main/common/text.ts';
import { readReport } from '../../../src-main/clients/news/report-schemas.ts';
import { readChangesPage, readItemsAnswer, readSnapshotPage } from '../../../src-main/clients/news/schemas.ts';
import { readHotTopics, readStory } from '../../../src-main/clients/news/stories.ts';
import { readModelsPage } from '../../../src-main/clients/models/schemas.ts';
import { parseJson } from '../../../src-main/clients/parsing/json.ts';
import { BroadsheetError } from '../../../src-main/contract/errors.ts';

const MILLION = 1_000_000;
const LONG = 'x'.repeat(MILLION);

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const items = (count: number) => many(count, (n) => ({ id: `i-${n}`, title: 'A title' }));
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof BroadsheetError) return error.code;
    throw error;
  }
  return 'none';
};

/** Texts of a record and everything in it, without those in `links`. */
function longest(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(longest));
}

describe('parsing', () => {
  it('reads a number of a million digits, refuses one of many millions, and reads texts made of digits', () => {
    expect((parseJson(`[${'1'.repeat(MILLION)}]`) as string[])[0]).toHaveLength(MILLION);
    expect(codeOf(() => parseJson(`[${'1'.repeat(20 * MILLION)}]`))).toBe('invalid_body');
    expect(parseJson(`["${'1'.repeat(20 * MILLION)}"]`)).toHaveLength(1);
  });

  it('refuses a body of too many values, whatever they are', () => {
    for (const part of ['{}', '0', '[]', '""', '{"a":1}', '"\\\\"', '"\\""']) {
      const body = `{"items":[${`${part},`.repeat(2 * MILLION)}0]}`;
      expect(codeOf(() => parseJson(body))).toBe('invalid_body');
    }
    expect(codeOf(() => parseJson(`${'['.repeat(5 * MILLION)}${']'.repeat(5 * MILLION)}`))).toBe('invalid_body');
  });

  it('counts no marks within texts', () => {
    expect(parseJson(JSON.stringify([',[{:'.repeat(3 * MILLION), '\\', '"', '\\"'.repeat(10)]))).toHaveLength(4);
  });
});

describe('a page', () => {
  it.each([
    ['items', (count: number) => readItemsAnswer({ items: items(count) }, 100)],
    ['a snapshot', (count: number) => readSnapshotPage({ cursor: 'c', items: items(count) }, 100)],
    [
      'changes',
      (count: number) =>
        readChangesPage({ cursor: 'd', changes: items(count).map((item) => ({ op: 'upsert', item })) }, 'c', 100),
    ],
  ])('of %s may have a few more records than were requested', (_, read) => {
    expect(codeOf(() => read(110))).toBe('none');
    expect(codeOf(() => read(211))).toBe('invalid_body');
  });

  it('of junk is refused as a whole', () => {
    const junk = many(300_001, () => ({}));
    expect(codeOf(() => readItemsAnswer({ items: junk }, 100))).toBe('invalid_body');
    expect(codeOf(() => readHotTopics({ items: junk }))).toBe('invalid_body');
  });

  it('whose texts together are too long is requested in parts', () => {
    const full = { originalTitle: LONG, summary: LONG, reason: LONG };
    const page = { items: items(1000).map((item) => ({ ...item, ...full })), cursor: 'c' };
    expect(codeOf(() => readSnapshotPage(page, 1000))).toBe('too_large');
    expect(readSnapshotPage({ ...page, items: page.items.slice(0, 1) }, 1).items).toHaveLength(1);
  });

  it('of hot topics has at most a hundred records, of which ten are ranked', () => {
    const topics = (count: number) => many(count, (n) => ({ rank: n + 1, id: `t-${n}`, title: 'A title' }));
    expect(readHotTopics({ items: topics(100) }).topics).toHaveLength(10);
    expect(codeOf(() => readHotTopics({ items: topics(100_000) }))).toBe('invalid_body');
  });
});

describe('a record', () => {
  const long = {
    title: LONG,
    originalTitle: LONG,
    summary: LONG,
    reason: LONG,
    category: LONG,
    publishedAt: LONG,
    discoveredAt: LONG,
    source: { name: LONG, more: LONG, deep: { more: LONG } },
    links: { original: `https://example.org/${LONG}`, aihot: LONG },
    attribution: { name: LONG, url: LONG, list: many(100_000, String) },
    extraText: LONG,
    extraList: many(100_000, String),
  };

  it('has texts of limited length, which say where they were cut', () => {
    const { items, skipped } = readItemsAnswer({ items: [{ id: 'a', ...long }] }, 100);
    const item = items[0]!;
    expect(skipped).toEqual([]);
    expect(item.title.endsWith(CUT_MARK)).toBe(true);
    expect(item.title).toHaveLength(1000);
    expect(item.summary!.endsWith(CUT_MARK)).toBe(true);
    expect(item.source.name!.endsWith(CUT_MARK)).toBe(true);
    // A part of an address leads elsewhere.
    expect(item.links).toEqual({ original: null, aihot: null });
    expect(item.attribution!.url).toBeNull();
    expect(longest(item)).toBeLessThanOrEqual(10_000);
    expect(JSON.stringify(item).length).toBeLessThan(80_000);
  });

  it('that fits is unchanged', () => {
    // The original title of a post is its whole text; a real one has 1,055 characters.
    const raw = {
      id: 'a',
      title: 'x'.repeat(1000),
      originalTitle: 'o'.repeat(5000),
      summary: 'y'.repeat(10_000),
      more: { deep: ['z'.repeat(1000)] },
    };
    const [item] = readItemsAnswer({ items: [raw] }, 100).items;
    expect(item).toMatchObject({
      title: raw.title,
      originalTitle: raw.originalTitle,
      summary: raw.summary,
      extra: { more: raw.more },
    });
  });

  it('of a story or a report has lists of limited length, and reports the rest', () => {
    const entry = (n: number) => ({ id: `r-${n}`, publicId: `s-${n}`, title: 'A title' });
    const story = { publicId: 's', ...long, digest: LONG, latest: LONG };
    const lists = { reports: many(1200, entry), storyline: many(1200, entry), related: many(1200, entry) };
    const answer = readStory({ story: { ...story, ...lists } }, 's');
    expect(answer.story.reports).toHaveLength(500);
    expect(answer.story.storyline).toHaveLength(200);
    expect(answer.story.related).toHaveLength(200);
    expect(answer.skipped).toHaveLength(3);
    expect(answer.skipped[0]!.reason).toContain('500 of the 1200');
    expect(longest(answer.story)).toBeLessThanOrEqual(100_000);

    const sections = many(200, () => ({ label: LONG, summary: LONG, items: many(30, entry) }));
    const daily = {
      date: '2026-03-18',
      lead: { title: LONG, leadParagraph: LONG },
      sections,
      flashes: many(1200, entry),
    };
    const { report, skipped } = readReport('daily', { report: daily });
    expect(report.sections).toHaveLength(100);
    expect(report.flashes).toHaveLength(500);
    expect(skipped).toHaveLength(2);
    expect(longest(report)).toBeLessThanOrEqual(10_000);
  });

  it('of a story or a report has a limited size', () => {
    const entry = (n: number) => ({ ...long, id: `r-${n}`, publicId: `s-${n}` });
    const lists = { reports: many(300, entry), storyline: many(100, entry), related: many(100, entry) };
    const { story, skipped } = readStory({ story: { publicId: 's', ...long, digest: LONG, ...lists } }, 's');
    expect(JSON.stringify(story).length).toBeLessThan(2 * MILLION);
    expect(skipped).toHaveLength(3);
    const sections = many(50, () => ({ label: LONG, items: many(40, entry) }));
    const { report } = readReport('daily', { report: { date: '2026-03-18', sections, flashes: many(300, entry) } });
    expect(report.sections.length).toBeGreaterThan(0);
    expect(JSON.stringify(report).length).toBeLessThan(4 * MILLION);
  });

  it('of a model catalogue has limited texts and lists', () => {
    const model = { id: 'v/m', name: LONG, description: LONG, supported_parameters: many(100_000, String) };
    const { records } = readModelsPage(JSON.stringify({ data: [{ ...model, pricing: { prompt: LONG } }] }));
    expect(records[0]!['description']).toMatch(/\[…\]$/u);
    expect(JSON.stringify(records[0]).length).toBeLessThan(100_000);
  });
});
