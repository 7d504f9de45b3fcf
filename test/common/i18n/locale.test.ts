import { afterEach, describe, expect, it } from 'vitest';
import { firstLanguage, followLocale, getLocale, localeOf, type Locale } from '../../../src-main/common/i18n/locale.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';

describe('the language', () => {
  it.each([
    ['system', 'zh-CN', 'zh-CN'],
    ['system', 'zh', 'zh-CN'],
    ['system', 'ZH', 'zh-CN'],
    ['system', 'zh-Hans-SG', 'zh-CN'],
    ['system', 'zh-Hant-TW', 'zh-CN'],
    ['system', 'zhx', 'en'],
    ['system', 'en-GB', 'en'],
    ['system', 'de-CH', 'en'],
    ['system', 'fr-FR', 'en'],
    ['system', '', 'en'],
    ['en', 'zh-CN', 'en'],
    ['zh-CN', 'en-GB', 'zh-CN'],
    ['zh-CN', 'en-US', 'zh-CN'],
  ] as const)('of setting %s under %j is %s', (setting, tag, locale) => {
    expect(localeOf(setting, tag)).toBe(locale);
  });
});

describe('the language of the system', () => {
  it.each([
    [['en-GB', 'de'], 'en-GB'],
    [['c'], 'en'],
    [['c', 'zh-CN'], 'zh-CN'],
    [['en_US', 'fr'], 'fr'],
    [[], 'en'],
  ])('out of %j is %s', (tags, language) => {
    expect(firstLanguage(tags)).toBe(language);
  });
});

describe('the language in force', () => {
  afterEach(() => followLocale(() => 'en'));

  it('is English until somebody says otherwise', () => {
    expect(getLocale()).toBe('en');
  });

  it('is asked for at every message', () => {
    let now: Locale = 'en';
    followLocale(() => now);
    const texts = [m.cancel()];
    now = 'zh-CN';
    texts.push(m.cancel(), m.cancel({}, { locale: 'en' }));
    expect(texts).toEqual(['Cancel', '取消', 'Cancel']);
  });
});
