import { describe, expect, it } from 'vitest';
import {
  absenceOf,
  addDays,
  addMonths,
  lastDue,
  mondayOf,
  monthOfReport,
  shanghaiDay,
  weekOf,
  weeksOf,
} from '../../../../src-renderer/features/archive/calendar.ts';

const at = (time: string): number => Date.parse(time);

describe('the day in Shanghai', () => {
  it.each([
    ['2026-11-20T15:59:59Z', '2026-11-20'],
    ['2026-11-20T16:00:00Z', '2026-11-21'],
    ['2026-12-31T16:00:00Z', '2027-01-01'],
  ])('at %s is %s, whatever the zone of the app', (time, day) => {
    expect(shanghaiDay(at(time))).toBe(day);
  });
});

describe('ISO weeks', () => {
  it.each([
    ['2026-01-01', '2026-W01'],
    ['2026-11-20', '2026-W47'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2024-12-30', '2025-W01'],
  ])('%s is in %s', (day, week) => {
    expect(weekOf(day)).toBe(week);
  });

  it.each(['2020-W53', '2025-W01', '2026-W01', '2026-W47', '2026-W53'])('%s starts on its Monday', (week) => {
    expect(weekOf(mondayOf(week))).toBe(week);
    expect(weekOf(addDays(mondayOf(week), 6))).toBe(week);
    expect(weekOf(addDays(mondayOf(week), -1))).not.toBe(week);
  });
});

describe('the calendar of a month', () => {
  it('has whole weeks from Monday to Sunday, each day once', () => {
    const weeks = weeksOf('2026-11');
    expect(weeks.map(({ week }) => week)).toEqual([
      '2026-W44',
      '2026-W45',
      '2026-W46',
      '2026-W47',
      '2026-W48',
      '2026-W49',
    ]);
    const days = weeks.flatMap(({ days }) => days);
    expect([days[0], days.at(-1), new Set(days).size]).toEqual(['2026-10-26', '2026-12-06', 42]);
  });

  it('has four weeks where a February fits them', () => {
    expect(weeksOf('2027-02')).toHaveLength(4);
  });

  it('crosses the ends of years', () => {
    expect([addMonths('2026-12', 1), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
  });

  it.each([
    ['daily', '2026-11-20', '2026-11'],
    ['weekly', '2026-W44', '2026-10'],
    ['weekly', '2026-W53', '2026-12'],
    ['monthly', '2026-10', '2026-10'],
  ] as const)('shows the %s %s in %s', (kind, label, month) => {
    expect(monthOfReport(kind, label)).toBe(month);
  });
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
    expect(lastDue(kind, at(time))).toBe(label);
  });
});

describe('a label without a report', () => {
  it.each([
    ['2026-11-20', 'awaited'],
    ['2026-11-19', 'gap'],
    ['2026-11-21', 'none'],
    ['2026-10-01', 'none'],
    ['2026-09-30', 'none'],
  ])('%s: %s', (label, absence) => {
    expect(absenceOf(label, '2026-10-01', '2026-11-20')).toBe(absence);
  });

  it('is no gap in an empty archive', () => {
    expect(absenceOf('2026-11-19', null, '2026-11-20')).toBe('none');
  });
});
