import { describe, expect, it } from 'vitest';
import { absoluteTime, instant, relativeTime } from '../../../src-renderer/lib/times.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const MINUTE = 60_000;

describe('a relative time', () => {
  it.each([
    [0, 'just now', '刚刚'],
    [59_000, 'just now', '刚刚'],
    [MINUTE, '1 minute ago', '1分钟前'],
    [59 * MINUTE, '59 minutes ago', '59分钟前'],
    [60 * MINUTE, '1 hour ago', '1小时前'],
    [24 * 60 * MINUTE, 'yesterday', '昨天'],
    [3 * 24 * 60 * MINUTE, '3 days ago', '3天前'],
    [400 * 24 * 60 * MINUTE, 'last year', '去年'],
    [-2 * MINUTE, 'in 2 minutes', '2分钟后'],
  ])('of %d ms is "%s"', (age, english, chinese) => {
    expect(relativeTime(NOW - age, NOW, 'en')).toBe(english);
    expect(relativeTime(NOW - age, NOW, 'zh-CN')).toBe(chinese);
  });
});

describe('an instant', () => {
  it('is read from RFC 3339', () => {
    expect(instant('2026-11-20T12:00:00Z')).toBe(NOW);
  });

  it.each([null, undefined, '', 'soon'])('is null for %j', (time) => {
    expect(instant(time)).toBeNull();
  });
});

describe('a date with its time', () => {
  const zone = (locale: string, ms: number): string =>
    new Intl.DateTimeFormat(locale, { timeZoneName: 'short' })
      .formatToParts(ms)
      .find(({ type }) => type === 'timeZoneName')!.value;

  it.each(['en-GB', 'en-US', 'zh-CN'])('ends with the zone: %s', (locale) => {
    const noon = Date.parse('2026-03-18T12:00:00Z');
    const text = absoluteTime(noon, locale);
    expect(text.endsWith(` ${zone(locale, noon)}`)).toBe(true);
    expect(text.split(zone(locale, noon))).toHaveLength(2);
    expect(text).toMatch(/2026.*\d{2}:\d{2}/);
  });
});
