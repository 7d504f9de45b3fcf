import { afterEach, describe, expect, it } from 'vitest';
import type { ReportKind } from '../../src-main/contract/model/report.ts';
import {
  newestPublished,
  latestPublication,
  nextReportAt,
  nextCheckAt,
  nextPublication,
  labelAfter,
} from '../../src-main/common/publication-timetable.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Times in Shanghai. */
const shanghai = (time: string): number => Date.parse(`${time}+08:00`);

const PUBLICATIONS: [ReportKind, now: string, at: string, label: string, next: string][] = [
  ['daily', '2026-03-18T07:59:59', '2026-03-17T08:00', '2026-03-17', '2026-03-18T08:00'],
  ['daily', '2026-03-18T08:00:00', '2026-03-18T08:00', '2026-03-18', '2026-03-19T08:00'],
  ['daily', '2026-03-18T23:59:59', '2026-03-18T08:00', '2026-03-18', '2026-03-19T08:00'],
  ['daily', '2026-01-01T00:30:00', '2025-12-31T08:00', '2025-12-31', '2026-01-01T08:00'],
  ['daily', '2028-02-29T09:00:00', '2028-02-29T08:00', '2028-02-29', '2028-03-01T08:00'],
  ['weekly', '2026-03-16T09:59:59', '2026-03-09T10:00', '2026-W10', '2026-03-16T10:00'],
  ['weekly', '2026-03-16T10:00:00', '2026-03-16T10:00', '2026-W11', '2026-03-23T10:00'],
  ['weekly', '2026-03-22T23:00:00', '2026-03-16T10:00', '2026-W11', '2026-03-23T10:00'],
  ['weekly', '2027-01-04T12:00:00', '2027-01-04T10:00', '2026-W53', '2027-01-11T10:00'],
  ['weekly', '2027-01-11T12:00:00', '2027-01-11T10:00', '2027-W01', '2027-01-18T10:00'],
  ['monthly', '2026-03-01T10:29:59', '2026-02-01T10:30', '2026-01', '2026-03-01T10:30'],
  ['monthly', '2026-03-01T10:30:00', '2026-03-01T10:30', '2026-02', '2026-04-01T10:30'],
  ['monthly', '2026-01-31T12:00:00', '2026-01-01T10:30', '2025-12', '2026-02-01T10:30'],
];

describe('the timetable of reports', () => {
  // Holds: news-4.4-published-at, news-4.5-published-at, news-4.6-published-at
  it.each(PUBLICATIONS)('of the %s, at %s in Shanghai', (kind, now, at, label, next) => {
    expect(latestPublication(kind, shanghai(now))).toEqual({ at: shanghai(at), label });
    expect(nextPublication(kind, shanghai(now)).at).toBe(shanghai(next));
  });

  describe.each(['UTC', 'Asia/Shanghai', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia'])(
    'for a user in %s',
    (zone) => {
      const before = process.env['TZ'];
      afterEach(() => {
        if (before === undefined) delete process.env['TZ'];
        else process.env['TZ'] = before;
      });

      // Holds: news-4.4-date-shanghai
      it('is the same during daylight saving time', () => {
        process.env['TZ'] = zone;
        for (let day = 0; day < 366; day += 1) {
          const midnight = shanghai('2026-01-01T00:00') + day * 24 * HOUR;
          expect(nextPublication('daily', midnight).at).toBe(midnight + 8 * HOUR);
          expect(latestPublication('daily', midnight).at).toBe(midnight - 16 * HOUR);
        }
      });
    },
  );
});

const EIGHT = shanghai('2026-03-18T08:00');
const TEN = shanghai('2026-03-16T10:00');
const HALF_PAST_TEN = shanghai('2026-03-01T10:30');

/** `after` and `wait` count from the publication, and from the check. */
const LOOKS: [string, ReportKind, publishedAt: number, after: number, newest: string | null, wait: number][] = [
  ['available: a few times a day', 'daily', EIGHT, MINUTE, '2026-03-18', 8 * HOUR],
  ['late: in a few minutes', 'daily', EIGHT, MINUTE, '2026-03-17', 3 * MINUTE],
  ['no report at all: in a few minutes', 'daily', EIGHT, MINUTE, null, 3 * MINUTE],
  ['still late after 29 minutes', 'daily', EIGHT, 29 * MINUTE, '2026-03-17', 3 * MINUTE],
  ['late by half an hour: every half hour', 'daily', EIGHT, 30 * MINUTE, '2026-03-17', 30 * MINUTE],
  ['late in the evening: every half hour', 'daily', EIGHT, 12 * HOUR, '2026-03-16', 30 * MINUTE],
  ['newer than expected', 'daily', EIGHT, MINUTE, '2026-03-19', 8 * HOUR],
  ['the next morning is earlier', 'daily', EIGHT, 23 * HOUR, '2026-03-18', HOUR + 15 * SECOND],
  ['available: once a day', 'weekly', TEN, MINUTE, '2026-W11', 24 * HOUR],
  ['late: in a few minutes', 'weekly', TEN, MINUTE, '2026-W10', 3 * MINUTE],
  ['late by half an hour: every half hour', 'weekly', TEN, HOUR, '2026-W10', 30 * MINUTE],
  ['late by a day: once a day', 'weekly', TEN, 24 * HOUR, '2026-W10', 24 * HOUR],
  ['available: once a day', 'monthly', HALF_PAST_TEN, MINUTE, '2026-02', 24 * HOUR],
  ['late: in a few minutes', 'monthly', HALF_PAST_TEN, MINUTE, '2026-01', 3 * MINUTE],
  ['late by half an hour: every half hour', 'monthly', HALF_PAST_TEN, HOUR, '2026-01', 30 * MINUTE],
  ['late by a day: once a day', 'monthly', HALF_PAST_TEN, 5 * 24 * HOUR, '2026-01', 24 * HOUR],
];

describe('the next check of an index', () => {
  // Holds: news-4.5-one-check
  it.each(LOOKS)('%s (%s)', (_, kind, publishedAt, after, newest, wait) => {
    const now = publishedAt + after;
    expect(nextCheckAt(kind, now, newest, 0) - now).toBe(wait);
    const latest = nextCheckAt(kind, now, newest, 0.999) - now;
    expect(latest).toBeGreaterThanOrEqual(wait);
    expect(latest).toBeLessThanOrEqual(Math.max(wait * 1.1, wait + 165 * SECOND));
  });

  // Holds: news-4.4-wakes
  it('is just after the hour, spread so that not all installations send a request in one second', () => {
    expect(nextReportAt('daily', EIGHT - HOUR, 0)).toBe(EIGHT + 15 * SECOND);
    expect(nextReportAt('daily', EIGHT - HOUR, 0.999)).toBeLessThanOrEqual(EIGHT + 180 * SECOND);
  });

  it('finds a report that is late by up to half an hour within five minutes', () => {
    for (let slip = 0; slip < 30 * MINUTE; slip += 10 * SECOND) {
      const appearsAt = EIGHT + slip;
      let look = nextReportAt('daily', EIGHT - HOUR, 0.999);
      while (look < appearsAt) look = nextCheckAt('daily', look, '2026-03-17', 0.999);
      expect(look - appearsAt).toBeLessThanOrEqual(5 * MINUTE);
    }
  });

  // Holds: news-4.4-few-checks
  it('is only a few times on a normal day', () => {
    let looks = 0;
    for (let at = EIGHT + MINUTE; at < EIGHT + 24 * HOUR; looks += 1) at = nextCheckAt('daily', at, '2026-03-18', 0.5);
    expect(looks).toBeLessThanOrEqual(3);
  });
});

it.each([
  ['daily', '2026-02-28', '2026-03-01'],
  ['daily', '2026-12-31', '2027-01-01'],
  ['weekly', '2026-W46', '2026-W47'],
  ['weekly', '2026-W53', '2027-W01'],
  ['monthly', '2026-12', '2027-01'],
] as const)('the %s after %s is %s', (kind, label, next) => {
  expect(labelAfter(kind, label)).toBe(next);
});

describe('the newest report that should be out', () => {
  it.each([
    ['daily', '2026-11-19T23:59:00Z', '2026-11-19'],
    ['daily', '2026-11-20T00:00:00Z', '2026-11-20'],
    ['weekly', '2026-11-23T01:59:00Z', '2026-W46'],
    ['weekly', '2026-11-23T02:00:00Z', '2026-W47'],
    ['weekly', '2026-11-29T12:00:00Z', '2026-W47'],
    ['monthly', '2026-12-01T02:29:00Z', '2026-10'],
    ['monthly', '2026-12-01T02:30:00Z', '2026-11'],
    ['monthly', '2026-12-31T02:30:00Z', '2026-11'],
  ] as const)('of kind %s at %s is %s', (kind, time, label) => {
    expect(latestPublication(kind, Date.parse(time)).label).toBe(label);
  });
});

describe('the newest report', () => {
  const NOW = Date.parse('2026-11-22T04:00:00Z');
  const newest = (labels: string[], now = NOW) =>
    newestPublished(
      'daily',
      labels.map((label) => ({ label })),
      now,
    )?.label;

  it('is the first that can be out by now or next', () => {
    expect(newest(['2026-11-22', '2026-11-21'])).toBe('2026-11-22');
    expect(newest(['9999-12-31', '2026-11-24', '2026-11-23', '2026-11-22'])).toBe('2026-11-23');
    expect(newest([])).toBeUndefined();
  });

  it('is the first of all if this clock is behind', () => {
    expect(newest(['2026-11-22', '2026-11-21'], 0)).toBe('2026-11-22');
  });
});
