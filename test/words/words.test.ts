import { describe, expect, it } from 'vitest';
import { shortTime, timeStyle } from '../../src-main/words/times.ts';
import { wordsFor } from '../../src-main/words/words.ts';

const en = wordsFor('en', '');
const zh = wordsFor('zh-CN', '');

/** The names of all words, with their sentences' arguments counted. */
function namesOf(words: object, path = ''): string[] {
  return Object.entries(words).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return namesOf(value, `${path}${name}.`);
    return [`${path}${name}:${typeof value}`];
  });
}

describe('the words of a host', () => {
  it.each([
    ['en', 'zh-CN', 'en'],
    ['zh-CN', 'en-US', 'zh-CN'],
    ['system', 'zh-CN', 'zh-CN'],
    ['system', 'zh-Hant-TW', 'zh-CN'],
    ['system', 'ZH', 'zh-CN'],
    ['system', 'en-GB', 'en'],
    ['system', 'fr-FR', 'en'],
    ['system', 'zhx', 'en'],
    ['system', '', 'en'],
  ] as const)('are, for the setting %s on a system of %j, those of %s', (setting, tag, locale) => {
    expect(wordsFor(setting, tag).locale).toBe(locale);
  });

  it('are all there in both languages', () => {
    expect(namesOf(zh)).toEqual(namesOf(en));
  });

  it('are translated, save what is the same everywhere', () => {
    const textsOf = (words: object): [string, string][] =>
      Object.entries(words).flatMap(([name, value]: [string, unknown]) =>
        typeof value === 'string'
          ? [[name, value] as [string, string]]
          : typeof value === 'object'
            ? textsOf(value!)
            : [],
      );
    const chinese = new Map(textsOf({ ...zh, locale: {}, appName: {} }));
    for (const [name, text] of textsOf({ ...en, locale: {}, appName: {} })) {
      expect(chinese.get(name)).not.toBe(text);
      expect(chinese.get(name)).toMatch(/\p{Script=Han}/u);
    }
  });
});

describe('a time in a few words', () => {
  const NOON = new Date(2026, 2, 18, 12, 0).getTime();
  const at = (hour: number, day = 18) => new Date(2026, 2, day, hour, 5).getTime();
  const written = (ms: number, tag: string, timeFormat: 'system' | '12h' | '24h', words = en) =>
    // Some languages put a narrow blank before "pm".
    shortTime(ms, NOON, timeStyle(words, tag, timeFormat)).replace(/\u202f/g, ' ');

  it.each([
    [at(14), 'en-GB', 'system', en, '14:05'],
    [at(14), 'en-US', 'system', en, '02:05 PM'],
    [at(14), 'en-US', '24h', en, '14:05'],
    [at(14), 'en-GB', '12h', en, '2:05 pm'],
    [at(0), 'en-US', '24h', en, '00:05'],
    [at(9, 17), 'en-GB', '24h', en, '17 Mar, 09:05'],
    [at(9, 17), 'zh-CN', '24h', zh, '3月17日 09:05'],
    [at(14), 'zh-CN', '12h', zh, '下午2:05'],
    // A German system that shows English words has English times.
    [at(14), 'de-DE', '24h', en, '14:05'],
    [at(14), 'en-not a tag', '24h', en, '14:05'],
  ] as const)('is, for %i in %s by %s', (ms, tag, timeFormat, words, text) => {
    expect(written(ms, tag, timeFormat, words)).toBe(text);
  });
});
