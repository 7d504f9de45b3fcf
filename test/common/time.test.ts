import { describe, expect, it } from 'vitest';
import { reportPeriod } from '../../src-main/common/i18n/labels.ts';
import type { Locale } from '../../src-main/common/i18n/locale.ts';
import {
  absoluteTime,
  dateLocaleOf,
  instantRange,
  labelDay,
  relativeTime,
  shortTime,
  calendarTime,
  timeOfDay,
} from '../../src-main/common/time-text.ts';
import { instant, lastWeek } from '../../src-main/common/time.ts';
import type { ReportKind } from '../../src-main/contract/model/report.ts';

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

it('is short where there is little room: "just now" within a minute, then "5m ago"', () => {
  const ages = [0, 5 * MINUTE, 24 * 60 * MINUTE];
  expect(ages.map((age) => relativeTime(NOW - age, NOW, 'en', 'short'))).toEqual(['just now', '5m ago', '1d ago']);
});

describe('a time as people say it', () => {
  /** Thursday, November 26, 2026, 9:30 PM in the app's zone. */
  const now = new Date(2026, 10, 26, 21, 30);
  const january = new Date(2027, 0, 2, 9, 0);
  const at = (month: number, day: number, hour: number, minute: number, year = 2026) =>
    new Date(year, month - 1, day, hour, minute);
  const both = (ms: Date, reference: Date, locale: string): string[] =>
    // Some languages put a narrow blank before "PM".
    (['list', 'article'] as const).map((form) =>
      calendarTime(ms.getTime(), reference.getTime(), locale, form).replace(/\u202f/g, ' '),
    );

  it.each([
    ['this minute', now, now, '9:30 PM', 'Today, 9:30 PM', '21:30', '今天 21:30'],
    ['first minutes of today', at(11, 26, 0, 5), now, '12:05 AM', 'Today, 12:05 AM', '00:05', '今天 00:05'],
    ['last minute of yesterday', at(11, 25, 23, 59), now, 'Yesterday', 'Yesterday, 11:59 PM', '昨天', '昨天 23:59'],
    ['yesterday at 00:05', at(11, 25, 0, 5), now, 'Yesterday', 'Yesterday, 12:05 AM', '昨天', '昨天 00:05'],
    ['two days ago', at(11, 24, 7, 19), now, 'Tuesday', 'Tuesday, 7:19 AM', '星期二', '星期二 07:19'],
    ['six days ago', at(11, 20, 0, 5), now, 'Friday', 'Friday, 12:05 AM', '星期五', '星期五 00:05'],
    ['seven days ago', at(11, 19, 19, 19), now, 'Nov 19', 'Nov 19, 7:19 PM', '11月19日', '11月19日 19:19'],
    [
      'another year',
      at(11, 14, 19, 19, 2024),
      now,
      'Nov 14, 2024',
      'Nov 14, 2024, 7:19 PM',
      '2024年11月14日',
      '2024年11月14日 19:19',
    ],
    [
      'New Year’s Eve, two days on',
      at(12, 31, 8, 0),
      january,
      'Thursday',
      'Thursday, 8:00 AM',
      '星期四',
      '星期四 08:00',
    ],
    [
      'last year, eight days ago',
      at(12, 25, 8, 0),
      january,
      'Dec 25, 2026',
      'Dec 25, 2026, 8:00 AM',
      '2026年12月25日',
      '2026年12月25日 08:00',
    ],
    ['later today', at(11, 26, 23, 59), now, '11:59 PM', 'Today, 11:59 PM', '23:59', '今天 23:59'],
    ['tomorrow', at(11, 27, 0, 0), now, 'Nov 27', 'Nov 27, 12:00 AM', '11月27日', '11月27日 00:00'],
    [
      'next year',
      at(1, 1, 0, 0, 2027),
      now,
      'Jan 1, 2027',
      'Jan 1, 2027, 12:00 AM',
      '2027年1月1日',
      '2027年1月1日 00:00',
    ],
  ])('%s', (_, ms, reference, list, article, listZh, articleZh) => {
    expect(both(ms, reference, 'en-US')).toEqual([list, article]);
    expect(both(ms, reference, 'zh-CN')).toEqual([listZh, articleZh]);
  });

  it('has no capital after other words, but for names', () => {
    const said = (ms: Date, locale: string): string =>
      calendarTime(ms.getTime(), now.getTime(), locale, 'sentence').replace(/\u202f/g, ' ');
    expect([now, at(11, 25, 23, 59), at(11, 24, 7, 19), at(11, 14, 7, 19)].map((ms) => said(ms, 'en-US'))).toEqual([
      'today, 9:30 PM',
      'yesterday, 11:59 PM',
      'Tuesday, 7:19 AM',
      'Nov 14, 7:19 AM',
    ]);
    expect(said(at(11, 25, 23, 59), 'zh-CN')).toBe('昨天 23:59');
  });

  it.each([
    ['en-US', ['9:05 AM', 'Today, 9:05 AM']],
    ['en-GB', ['09:05', 'Today, 09:05']],
    ['zh-CN', ['09:05', '今天 09:05']],
  ] as const)('%s', (tag, texts) => {
    const locale = dateLocaleOf(tag.startsWith('zh') ? 'zh-CN' : 'en', tag);
    expect(both(at(11, 26, 9, 5), now, locale)).toEqual(texts);
  });

  it('changes at midnight', () => {
    const published = at(11, 26, 23, 58);
    const midnight = at(11, 27, 0, 0);
    expect(both(published, new Date(midnight.getTime() - 1), 'en-US')).toEqual(['11:58 PM', 'Today, 11:58 PM']);
    expect(both(published, midnight, 'en-US')).toEqual(['Yesterday', 'Yesterday, 11:58 PM']);
  });
});

describe('the days of a report as people say them', () => {
  const now = new Date(2026, 10, 26, 21, 30).getTime();
  const of = (kind: ReportKind, label: string): string[] =>
    ['en-GB', 'en-US', 'zh-CN'].map((locale) => reportPeriod(kind, label, now, locale).replace(/\u2009/g, ' '));

  it.each([
    ['daily', '2026-11-21', 'Saturday 21 November', 'Saturday, November 21', '11月21日星期六'],
    ['daily', '2025-12-31', 'Wednesday, 31 December 2025', 'Wednesday, December 31, 2025', '2025年12月31日星期三'],
    ['weekly', '2026-W46', '9–15 November', 'November 9–15', '11月9日至15日'],
    ['weekly', '2026-W44', '26 October – 1 November', 'October 26 – November 1', '10月26日至11月1日'],
    [
      'weekly',
      '2026-W01',
      '29 December 2025 – 4 January 2026',
      'December 29, 2025 – January 4, 2026',
      '2025年12月29日至2026年1月4日',
    ],
    ['monthly', '2026-10', 'October 2026', 'October 2026', '2026年10月'],
  ] as const)('%s %s', (kind, label, ...names) => {
    expect(of(kind, label)).toEqual(names);
  });

  it('has the days of today and yesterday as words in the list of dailies', () => {
    const names = ['2026-11-26', '2026-11-25', '2026-11-24'].map((label) => labelDay(label, '2026-11-26', 'en-GB'));
    expect(names).toEqual(['Today', 'Yesterday', 'Tuesday 24 November']);
  });
});

describe('the last week', () => {
  it.each([
    ['on its Monday', new Date(2026, 10, 23, 0, 0), '2026-11-16', '2026-11-23'],
    ['on its Sunday', new Date(2026, 10, 29, 23, 59), '2026-11-16', '2026-11-23'],
    ['after New Year', new Date(2027, 0, 5, 12, 0), '2026-12-28', '2027-01-04'],
  ])('ended before the current one: %s', (_, now, from, to) => {
    expect(lastWeek(now.getTime())).toEqual({ from, to });
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
    expect(text).toMatch(/2026.*\d{1,2}:\d{2}/);
  });
});

describe('the locale of dates', () => {
  it.each([
    ['en', 'en-GB', 'en-GB'],
    ['en', 'en-US', 'en-US'],
    ['zh-CN', 'zh-Hans-SG', 'zh-Hans-SG'],
    ['en', 'EN-gb', 'EN-gb'],
    // Another language: only a 24-hour clock is taken over.
    ['en', 'de-CH', 'en-u-hc-h23'],
    ['zh-CN', 'en-GB', 'zh-CN-u-hc-h23'],
    ['zh-CN', 'en-US', 'zh-CN'],
    ['en', '', 'en'],
    ['en', 'not a tag', 'en'],
  ] as const)('of %s on a system in "%s" is %s', (language, system, locale) => {
    expect(dateLocaleOf(language, system)).toBe(locale);
  });
});

describe('a time of day', () => {
  const at = new Date(2026, 10, 20, 15, 4).getTime();
  const midnight = new Date(2026, 10, 20, 0, 30).getTime();
  const written = (language: string, system: string, ms: number): string[] => {
    const locale = dateLocaleOf(language, system);
    const later = new Date(ms + 5 * MINUTE).toISOString();
    return [
      absoluteTime(ms, locale),
      timeOfDay(ms, locale),
      shortTime(ms, ms, locale),
      instantRange(new Date(ms).toISOString(), later, locale) ?? '',
    ];
  };

  it.each([
    ['en', 'en-US', /\b0?3:04\s(PM|–)/, /12:30/],
    ['en', 'en-GB', /15:04/, /00:30/],
    ['en', 'de-DE', /15:04/, /00:30/],
    ['zh-CN', 'zh-CN', /15:04/, /00:30/],
  ] as const)('in %s (%s) keeps to its clock wherever it is written', (language, system, day, night) => {
    for (const text of written(language, system, at)) expect(text).toMatch(day);
    for (const text of written(language, system, midnight)) expect(text).toMatch(night);
  });

  it('changes nothing in how long ago something was, in either language', () => {
    for (const locale of ['en', 'zh-CN']) {
      const clocked = dateLocaleOf(locale, 'de-DE');
      expect(relativeTime(NOW - 5 * MINUTE, NOW, clocked)).toBe(relativeTime(NOW - 5 * MINUTE, NOW, locale));
      expect(relativeTime(NOW, NOW, clocked)).toBe(relativeTime(NOW, NOW, locale));
    }
  });
});

describe('a time in a few words', () => {
  const NOON = new Date(2026, 2, 18, 12, 0).getTime();
  const at = (hour: number, day = 18) => new Date(2026, 2, day, hour, 5).getTime();
  const written = (ms: number, tag: string, locale: Locale = 'en') =>
    // Some languages put a narrow blank before "pm".
    shortTime(ms, NOON, dateLocaleOf(locale, tag)).replace(/\u202f/g, ' ');

  it.each([
    [at(14), 'en-GB', 'en', '14:05'],
    [at(14), 'en-US', 'en', '2:05 PM'],
    [at(9, 17), 'en-GB', 'en', 'yesterday, 09:05'],
    [at(9, 17), 'zh-CN', 'zh-CN', '昨天 09:05'],
    // A German system that shows English words keeps its clock.
    [at(14), 'de-DE', 'en', '14:05'],
    [at(0), 'de-DE', 'en', '00:05'],
    [at(14), 'en-not a tag', 'en', '2:05 PM'],
  ] as const)('is, for %i in %s by %s', (ms, tag, locale, text) => {
    expect(written(ms, tag, locale)).toBe(text);
  });
});
