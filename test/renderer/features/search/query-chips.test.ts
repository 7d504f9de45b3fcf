import { beforeEach, describe, expect, it } from 'vitest';
import { chipsOf } from '../../../../src-renderer/features/search/search-text.ts';
import { language } from '../../../../src-renderer/ui/language.svelte.ts';
import { queryName, ruleName } from '../../../../src-renderer/ui/text/query-name.ts';
import { withSearch } from '../../../../src-renderer/features/search/search-text.ts';

const texts = (query: string): string[] => chipsOf(query).map(({ text, or }) => (or ? `or ${text}` : text));

beforeEach(() => language.use('en', 'en-US'));

describe('the words for a query', () => {
  it.each([
    ['source:"Qwen Blog"', 'Source: Qwen Blog', '来源：Qwen Blog'],
    ['-source:"Qwen Blog"', 'Not Qwen Blog', '不含 Qwen Blog'],
    ['分类:论文', 'Papers', '论文'],
    ['category:other-things', 'other-things', 'other-things'],
    ['is:selected has:story -is:read', 'Picks, In a topic, Not Read', '精选，属于热点，不含 已读'],
    ['after:7d', 'Last 7 days', '最近 7 天'],
    ['after:2026-11-20 before:10d', 'Since Nov 20, 2026, Before 10 days ago', '2026年11月20日起，10天前之前'],
    ['score:>=80', 'Score ≥ 80', '评分 ≥ 80'],
    ['new "open model" -gpt OR -"old news" is:unread', 'new "open model" Not gpt or Not "old news", Unread', null],
    ['source:', 'source:', 'source:'],
  ])('%s', (query, english, chinese) => {
    expect(queryName(query)).toBe(english);
    language.use('zh-CN', 'zh-CN');
    if (chinese !== null) expect(queryName(query)).toBe(chinese);
  });

  it('leave out that a rule is about a source', () => {
    expect(ruleName('source:"Qwen Blog"')).toBe('Qwen Blog');
    expect(ruleName('source:"Qwen Blog" is:read')).toBe('Source: Qwen Blog, Read');
  });
});

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
    expect(chipsOf('is:unread weights').map(({ word }) => word)).toEqual([false, true]);
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
