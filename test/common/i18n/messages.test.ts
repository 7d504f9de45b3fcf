import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { argumentsOf } from '../../../scripts/setup/messages.mjs';
import { categories, errorMessages } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import en from '../../../src-main/common/i18n/messages/en.json' with { type: 'json' };
import zh from '../../../src-main/common/i18n/messages/zh-CN.json' with { type: 'json' };
import { ERROR_CODES } from '../../../src-main/contract/errors.ts';
import { KNOWN_CATEGORIES } from '../../../src-main/contract/model/item.ts';

type Message = Parameters<typeof argumentsOf>[0];
const english = en as unknown as Record<string, Message>;
const chinese = zh as unknown as Record<string, Message>;
const keys = Object.keys(english);

/** Every text of a message: one, or one for each of its forms. */
const textsOf = (message: Message): string[] =>
  typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match));
/** Arguments are named in a text as `{count}`, or as `{countText}` for one that is formatted. */
const filledIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Words of all English texts and their forms, without arguments. Lower it with what is said shorter. */
const MAX_ENGLISH_WORDS = 6_300;

describe('the message files', () => {
  it('have the same messages in the same order', () => {
    expect(Object.keys(chinese)).toEqual(keys);
  });

  it.each([
    ['en', english],
    ['zh-CN', chinese],
  ])('leave nothing empty: %s', (_locale, messages) => {
    const empty = keys.filter((key) => textsOf(messages[key]!).some((text) => text.trim() === ''));
    expect(empty).toEqual([]);
  });

  it('take the same arguments in both languages', () => {
    const differing = keys.filter((key) => {
      const [here, there] = [english[key]!, chinese[key]!].map((message) => [...argumentsOf(message).keys()].sort());
      return here!.join() !== there!.join();
    });
    expect(differing).toEqual([]);
  });

  it.each([
    ['en', english],
    ['zh-CN', chinese],
  ])('fill in nothing but what they declare: %s', (_locale, messages) => {
    const unknown = keys.flatMap((key) => {
      const message = messages[key]!;
      if (typeof message === 'string') return [];
      const declared = message.flatMap(({ declarations }) => declarations.map((line) => line.split(' ')[1]!));
      return textsOf(message).flatMap((text) => filledIn(text).filter((name) => !declared.includes(name)));
    });
    expect(unknown).toEqual([]);
  });

  it('are translated, not copied', () => {
    const same = keys.filter((key) => textsOf(english[key]!).join() === textsOf(chinese[key]!).join());
    expect(
      same.filter((key) =>
        /\p{L}/u.test(
          textsOf(english[key]!)
            .join()
            .replace(/\{\w+\}/g, ''),
        ),
      ),
    ).toEqual([
      'app_name',
      'window_title',
      'settings_version',
      'settings_appearance_languages_en',
      'settings_appearance_languages_zh_cn',
      'settings_ai_clients_vscode',
      'settings_ai_clients_claude_code',
    ]);
  });

  it('are all used by the code', () => {
    const code = globSync('src-{main,renderer}/**/*.{ts,svelte}', { exclude: ['**/compiled'] })
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const used = new Set([...code.matchAll(/\bm\.(\w+)/g)].map(([, key]) => key));
    expect(keys.filter((key) => !used.has(key))).toEqual([]);
  });

  it('say no more than a reader needs', () => {
    const texts = keys.flatMap((key) => textsOf(english[key]!));
    const words = texts.flatMap((text) => text.replaceAll(/\{\w+\}/g, ' ').match(/\S+/g) ?? []);
    expect(words.length).toBeLessThanOrEqual(MAX_ENGLISH_WORDS);
  });

  it('have a message for every error code and category', () => {
    expect(Object.keys(errorMessages).sort()).toEqual([...ERROR_CODES].sort());
    expect(Object.keys(categories)).toEqual([...KNOWN_CATEGORIES]);
  });
});

describe('plurals', () => {
  it.each([
    [0, '0 items'],
    [1, '1 item'],
    [2, '2 items'],
    [1204, '1,204 items'],
  ])('of %d in English', (count, text) => {
    expect(m.list_items({ count })).toBe(text);
  });

  it('have one form in Chinese', () => {
    expect([1, 1204].map((count) => m.list_items({ count }, { locale: 'zh-CN' }))).toEqual(['1 条', '1,204 条']);
  });
});
