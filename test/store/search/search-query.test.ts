import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { parseSearch, phrasesOf } from '../../../src-main/store/search/search-query.ts';
import { findKeys, openIndex } from './plain-search.ts';
import { itemTitled, randomText, seededRandom } from './search-items.ts';

describe('a query', () => {
  it.each([
    ['model ', '("model")'],
    ['mod', '("mod"*)'],
    ['推理', '("推 理")'],
    ['gpt-5', '("gpt 5")'],
    ['open-wei', '("open wei"*)'],
    ['模*', '("模")'],
    ['"a b" c* ', '("a b") AND ("c"*)'],
    ['a OR -b c ', '(("a")) OR ((("c")) NOT ("b"))'],
    ['model -old -"very old"', '(("model")) NOT ("old" OR "very old")'],
    ['model NOT new AND NEAR ', '("model") AND ("not") AND ("new") AND ("and") AND ("near")'],
    ['title:model ', '("title model")'],
  ])('%j becomes %s', (text, match) => {
    expect(parseSearch(text, 0)).toMatchObject({ match, blank: false });
  });

  it.each(['-only', '-"only this" -that', '"', '""', '* - : ^ ()', '。！', '-', 'OR', '\0', '\ud800', '🚀'])(
    '%j has nothing to search for',
    (text) => {
      expect(parseSearch(text, 0)).toMatchObject({ match: null, alternatives: [], blank: false });
    },
  );

  it.each(['', '  ', '\u3000\n'])('%j means no search', (text) => {
    expect(parseSearch(text, 0)).toMatchObject({ match: null, blank: true });
  });

  it('is bounded, however long the pasted text is', () => {
    const many = parseSearch('word '.repeat(5_000), 0);
    const long = parseSearch('模'.repeat(5_000), 0);
    expect(phrasesOf(many)).toHaveLength(32);
    expect(phrasesOf(long).map((phrase) => phrase.tokens.length)).toEqual([128]);
  });
});

describe('the text of the search box', () => {
  const database = new Database(':memory:');
  openIndex(database).apply([itemTitled(1, 'model')]);
  const find = (text: string): number[] => findKeys(database, parseSearch(text, 0), { limit: 9 });

  it('is safe, whatever was pasted', () => {
    const random = seededRandom(7);
    for (let i = 0; i < 2_000; i++) find(randomText(random, 1 + Math.floor(random() * 8)));
  });
});
