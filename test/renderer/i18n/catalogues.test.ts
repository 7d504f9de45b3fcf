import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src-main/contract/errors.ts';
import { KNOWN_CATEGORIES } from '../../../src-main/contract/model/item.ts';
import { en } from '../../../src-renderer/i18n/en.ts';
import { CATALOGUES, categoryName, localeOf } from '../../../src-renderer/i18n/language.svelte.ts';
import { plural } from '../../../src-renderer/i18n/plural.ts';
import { zh } from '../../../src-renderer/i18n/zh.ts';

type Leaf = [path: string, value: unknown];

function leaves(tree: object, path = ''): Leaf[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]): Leaf[] =>
    typeof value === 'object' && value !== null ? leaves(value, `${path}${key}.`) : [[path + key, value]],
  );
}

describe('the catalogues', () => {
  it('have the same words', () => {
    expect(leaves(zh).map(([path]) => path)).toEqual(leaves(en).map(([path]) => path));
  });

  it.each(Object.entries(CATALOGUES))('leave nothing empty: %s', (_, words) => {
    const empty = leaves(words).filter(([, value]) => typeof value === 'string' && value.trim() === '');
    expect(empty).toEqual([]);
  });

  it('take as many arguments for each word', () => {
    const arity = (words: object): Leaf[] =>
      leaves(words).map(([path, value]) => [path, typeof value === 'function' ? value.length : 0]);
    expect(arity(zh)).toEqual(arity(en));
  });

  it('are translated, not copied', () => {
    const english = new Map(leaves(en));
    const same = leaves(zh).filter(([path, value]) => typeof value === 'string' && english.get(path) === value);
    expect(same.map(([path]) => path)).toEqual([
      'appName',
      'settings.appearance.languages.en',
      'settings.appearance.languages.zh-CN',
    ]);
  });

  it.each(Object.entries(CATALOGUES))('have words for every error code and category: %s', (_, words) => {
    expect(Object.keys(words.failures).sort()).toEqual([...ERROR_CODES].sort());
    expect(Object.keys(words.categories)).toEqual([...KNOWN_CATEGORIES]);
  });
});

describe('plurals', () => {
  it.each([
    [0, '0 items'],
    [1, '1 item'],
    [2, '2 items'],
    [1204, '1,204 items'],
  ])('of %d in English', (n, text) => {
    expect(en.list.items(n)).toBe(text);
  });

  it('have one form in Chinese', () => {
    expect([1, 1204].map(zh.list.items)).toEqual(['1 条', '1,204 条']);
  });

  it('fall back to "other" where a form is missing', () => {
    expect(plural('ru', 3, { other: '#' })).toBe('3');
  });
});

describe('the language', () => {
  it.each([
    ['system', 'zh-CN', 'zh-CN'],
    ['system', 'zh', 'zh-CN'],
    ['system', 'zh-Hans-SG', 'zh-CN'],
    ['system', 'de-CH', 'en'],
    ['system', '', 'en'],
    ['en', 'zh-CN', 'en'],
    ['zh-CN', 'en-GB', 'zh-CN'],
  ] as const)('of setting %s under %s is %s', (setting, tag, locale) => {
    expect(localeOf(setting, tag)).toBe(locale);
  });

  it('names categories, and shows unknown ones as they are', () => {
    expect(categoryName(zh, 'paper')).toBe('论文');
    expect(categoryName(en, 'robotics')).toBe('robotics');
    expect(categoryName(en, 'constructor')).toBe('constructor');
    expect(categoryName(en, null)).toBe('Other');
  });
});
