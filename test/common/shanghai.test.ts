import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  isDay,
  mondayOf,
  shanghaiDay,
  shanghaiMoment,
  shanghaiTime,
  weekOf,
} from '../../src-main/common/time.ts';

const at = (time: string): number => Date.parse(time);

describe('the day in Shanghai', () => {
  // Holds: news-2-daily-label, news-4.4-date-shanghai
  it.each([
    ['2026-11-20T15:59:59Z', '2026-11-20'],
    ['2026-11-20T16:00:00Z', '2026-11-21'],
    ['2026-12-31T16:00:00Z', '2027-01-01'],
  ])('at %s is %s, whatever the zone of the app', (time, day) => {
    expect(shanghaiDay(at(time))).toBe(day);
  });
});

describe('ISO weeks', () => {
  // Holds: news-2-weekly-label
  it.each([
    ['2026-01-01', '2026-W01'],
    ['2026-11-20', '2026-W47'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2024-12-30', '2025-W01'],
  ])('%s is in %s', (day, week) => {
    expect(weekOf(day)).toBe(week);
  });

  // Holds: news-2-weekly-days
  it.each(['2020-W53', '2025-W01', '2026-W01', '2026-W47', '2026-W53'])('%s starts on its Monday', (week) => {
    expect(weekOf(mondayOf(week))).toBe(week);
    expect(weekOf(addDays(mondayOf(week), 6))).toBe(week);
    expect(weekOf(addDays(mondayOf(week), -1))).not.toBe(week);
  });
});

describe('labels', () => {
  it('of months go over the ends of years', () => {
    expect([addMonths('2026-12', 1), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
  });

  // Holds: news-2-daily-label, news-4.4-date
  it.each([
    ['2028-02-29', true],
    ['2026-02-29', false],
    ['2026-11-31', false],
    ['2026-11', false],
    ['soon', false],
  ])('%s is a day of the calendar: %s', (label, expected) => {
    expect(isDay(label)).toBe(expected);
  });
});

describe('times in Shanghai', () => {
  it('are eight hours ahead of UTC', () => {
    expect(shanghaiMoment('2026-11-20', '08:00')).toBe(at('2026-11-20T00:00:00Z'));
    expect(shanghaiTime('2026-11-20T16:05:59Z')).toBe('2026-11-21 00:05');
  });

  it('are returned unchanged where they are invalid', () => {
    expect([shanghaiTime('soon'), shanghaiTime(null)]).toEqual(['soon', null]);
  });

  it('stay in the range of dates', () => {
    expect(shanghaiTime('+275760-09-13T00:00:00Z')).toBe('+275760-09-13 00:00');
  });
});
