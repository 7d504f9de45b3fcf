import { describe, expect, it } from 'vitest';
import { chipsOf } from '../../../../src-renderer/features/search/search-text.ts';
import { withSearch } from '../../../../src-renderer/features/search/search-text.ts';

const texts = (query: string): string[] => chipsOf(query).map(({ text, or }) => (or ? `or ${text}` : text));

describe('the parts of a query', () => {
  it.each([
    ['source:Eval is:unread new model', ['source:Eval', 'is:unread', 'new', 'model']],
    ['-"old news" score:>80', ['-"old news"', 'score:>80']],
    ['a OR is:starred b', ['a', 'or is:starred', 'b']],
    ['source：评测', ['source：评测']],
    ['source:', []],
    ['', []],
  ])('%s: %j', (query, parts) => {
    expect(texts(query)).toEqual(parts);
  });

  it('tell operators from words', () => {
    expect(chipsOf('is:unread weights').map(({ operator }) => operator)).toEqual([true, false]);
  });

  it.each([
    ['source:Eval weights', ['weights', 'source:Eval']],
    ['a OR b', ['b', 'a']],
    ['a OR b OR c', ['b OR c', 'a OR c', 'a OR b']],
    ['a b OR c', ['b OR c', 'a OR c', 'a b']],
    ['weights', ['']],
  ])('%s without each of them: %j', (query, left) => {
    expect(chipsOf(query).map(({ without }) => without)).toEqual(left);
  });
});

describe('the recent searches', () => {
  it('have the newest first, each once, and ten at most', () => {
    const ten = Array.from({ length: 10 }, (_, n) => `search ${n}`);
    expect(withSearch(ten, '  another   one ')).toEqual(['another one', ...ten.slice(0, 9)]);
    expect(withSearch(ten, 'search 3')).toEqual(['search 3', ...ten.filter((text) => text !== 'search 3')]);
  });

  it.each(['', '   ', 'x'.repeat(201)])('leave out %j', (text) => {
    expect(withSearch(['a'], text)).toEqual(['a']);
  });
});
