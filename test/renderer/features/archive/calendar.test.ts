import { describe, expect, it } from 'vitest';
import { absenceOf, weeksOf } from '../../../../src-renderer/features/archive/calendar.ts';

describe('the calendar of a month', () => {
  it('has whole weeks from Monday to Sunday, each day once', () => {
    const weeks = weeksOf('2026-11');
    const days = weeks.flat();
    expect([weeks.length, days[0], days.at(-1), new Set(days).size]).toEqual([6, '2026-10-26', '2026-12-06', 42]);
  });

  it('has four weeks where a February fits them', () => {
    expect(weeksOf('2027-02')).toHaveLength(4);
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
