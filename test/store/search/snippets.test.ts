import { describe, expect, it } from 'vitest';
import type { Snippet } from '../../../src-main/contract/model/item.ts';
import type { SearchableItem } from '../../../src-main/store/search/search-index.ts';
import { parseSearch, phrasesOf } from '../../../src-main/store/search/search-query.ts';
import { snippetsFor } from '../../../src-main/store/search/snippets.ts';
import { matches } from './plain-search.ts';
import { itemTitled, randomItem, randomQuery, seededRandom } from './search-items.ts';

function snippets(text: string, rest: Partial<SearchableItem>): Snippet[] {
  return snippetsFor(itemTitled(1, '', rest), parseSearch(text, 0));
}

function marked(snippet: Snippet | undefined): string[] {
  return snippet?.ranges.map(([start, end]) => snippet.text.slice(start, end)) ?? [];
}

describe('snippets', () => {
  it('contain the matching fields with the matches marked', () => {
    const item = {
      title: 'A new model',
      originalTitle: '新模型',
      summary: 'none',
      sourceName: 'Model Weekly',
      reason: null,
    };
    expect(snippets('model OR 模型', item)).toEqual([
      { field: 'title', text: 'A new model', ranges: [[6, 11]] },
      { field: 'originalTitle', text: '新模型', ranges: [[1, 3]] },
      { field: 'source', text: 'Model Weekly', ranges: [[0, 5]] },
    ]);
  });

  it.each([
    ['fine', 'so ﬁne a day', ['ﬁne']],
    ['gpt', 'the ＧＰＴ！', ['ＧＰＴ']],
    ['cafe', 'un cafe\u0301 noir', ['cafe\u0301']],
    ['𠮷野', '这是𠮷野家', ['𠮷野']],
    ['"gpt 5"', 'GPT-5, GPT 5 and 5', ['GPT-5', 'GPT 5']],
    ['reas', 'Reasons for reasoning', ['Reasons', 'reasoning']],
    ['new -old', 'new and old', undefined],
  ])('of %j in %j mark %j', (query, title, places) => {
    const search = parseSearch(query, 0);
    if (places !== undefined) expect(matches(itemTitled(1, title), search)).toBe(true);
    expect(marked(snippets(query, { title })[0])).toEqual(places ?? ['new']);
  });

  it('show a title in full and an excerpt of a longer text around the first match', () => {
    const before = 'Many words that nobody looked for. '.repeat(20);
    const title = 'Seven short words and then one needle. '.repeat(5);
    const [whole, summary] = snippets('needle', { title, summary: `${before}the needle ${before}` });
    expect(whole?.text).toBe(title);
    expect(summary?.text).toMatch(/^…\S.*the needle .*\S…$/);
    expect(summary?.text.length).toBeLessThanOrEqual(160);
    expect(marked(summary)).toEqual(['needle']);
  });

  it('shorten very long titles, however many matches they have', () => {
    const [snippet] = snippets('long', { title: 'A very long title. '.repeat(5_000) });
    expect(snippet?.text.length).toBeLessThanOrEqual(160);
    expect(new Set(marked(snippet))).toEqual(new Set(['long']));
  });

  it('never split a character', () => {
    for (let shift = 0; shift < 30; shift++) {
      const summary = `${'x'.repeat(shift)}${'👩‍💻𠮷'.repeat(60)}推理${'🇨🇳e\u0301'.repeat(60)}`;
      const [snippet] = snippets('推理', { summary });
      const inner = snippet?.text.replaceAll('…', '') ?? '';
      expect(snippet?.text.isWellFormed()).toBe(true);
      expect(inner).toMatch(/^(?:x|👩‍💻|𠮷)/u);
      expect(inner).toMatch(/(?:🇨🇳|e\u0301)$/u);
    }
  });

  it('of random matching items are never empty, and mark only matches', () => {
    const random = seededRandom(11);
    const items = Array.from({ length: 200 }, (_, key) => randomItem(random, key));
    for (let i = 0; i < 100; i++) {
      const search = parseSearch(randomQuery(random), 0);
      const phrases = parsePhrases(search);
      for (const item of items.filter((each) => matches(each, search))) {
        const found = snippetsFor(item, search);
        expect(found.length).toBeGreaterThan(0);
        for (const snippet of found) expect(marked(snippet).every((place) => phrases(place))).toBe(true);
      }
    }
  });
});

/** Returns true for a marked range that contains one of the phrases; a range at the end of an excerpt may be cut. */
function parsePhrases(search: ReturnType<typeof parseSearch>): (place: string) => boolean {
  const single = phrasesOf(search).map((phrase) => ({
    ...search,
    alternatives: [{ wanted: [phrase], excluded: [], conditions: [] }],
  }));
  return (place) => single.some((one) => matches(itemTitled(0, place), one));
}
