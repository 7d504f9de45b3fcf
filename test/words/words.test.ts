import { describe, expect, it } from 'vitest';
import type { Locale } from '../../src-main/common/i18n/locale.ts';
import { shortTime, timeStyle } from '../../src-main/words/times.ts';

describe('a time in a few words', () => {
  const NOON = new Date(2026, 2, 18, 12, 0).getTime();
  const at = (hour: number, day = 18) => new Date(2026, 2, day, hour, 5).getTime();
  const written = (ms: number, tag: string, timeFormat: 'system' | '12h' | '24h', locale: Locale = 'en') =>
    // Some languages put a narrow blank before "pm".
    shortTime(ms, NOON, timeStyle(locale, tag, timeFormat)).replace(/\u202f/g, ' ');

  it.each([
    [at(14), 'en-GB', 'system', 'en', '14:05'],
    [at(14), 'en-US', 'system', 'en', '02:05 PM'],
    [at(14), 'en-US', '24h', 'en', '14:05'],
    [at(14), 'en-GB', '12h', 'en', '2:05 pm'],
    [at(0), 'en-US', '24h', 'en', '00:05'],
    [at(9, 17), 'en-GB', '24h', 'en', '17 Mar, 09:05'],
    [at(9, 17), 'zh-CN', '24h', 'zh-CN', '3月17日 09:05'],
    [at(14), 'zh-CN', '12h', 'zh-CN', '下午2:05'],
    // A German system that shows English words has English times.
    [at(14), 'de-DE', '24h', 'en', '14:05'],
    [at(14), 'en-not a tag', '24h', 'en', '14:05'],
  ] as const)('is, for %i in %s by %s', (ms, tag, timeFormat, locale, text) => {
    expect(written(ms, tag, timeFormat, locale)).toBe(text);
  });
});
