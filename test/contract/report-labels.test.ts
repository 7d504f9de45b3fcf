import { describe, expect, it } from 'vitest';
import { addDays, weekOf } from '../../src-main/common/time.ts';
import { isReportLabel } from '../../src-main/contract/model/report.ts';

describe('a label of a report', () => {
  it.each([
    ['daily', '2026-11-22'],
    ['daily', '2024-02-29'],
    ['weekly', '2026-W01'],
    ['weekly', '2026-W53'],
    ['weekly', '2020-W53'],
    ['monthly', '2026-12'],
  ] as const)('%s %s is in the calendar', (kind, label) => expect(isReportLabel(kind, label)).toBe(true));

  it.each([
    ['daily', '2026-13-45'],
    ['daily', '2026-02-29'],
    ['daily', '2026-00-10'],
    ['daily', '2026-11-00'],
    ['daily', '2026-11'],
    ['daily', '2026-11-22T00:00:00Z'],
    ['weekly', '2026-W99'],
    ['weekly', '2026-W00'],
    ['weekly', '2025-W53'],
    ['weekly', '2026-11-22'],
    ['monthly', '2026-13'],
    ['monthly', '2026-00'],
    ['monthly', '2026-W11'],
  ] as const)('%s %s is not', (kind, label) => expect(isReportLabel(kind, label)).toBe(false));

  // Holds: news-4.5-week
  it('of a week exists for each week of fifty years, and only for those', () => {
    const weeks = new Set(Array.from({ length: 50 * 366 }, (_, n) => weekOf(addDays('1999-06-01', n))));
    for (let year = 2000; year < 2045; year += 1) {
      const label = `${String(year)}-W53`;
      expect([label, isReportLabel('weekly', label)]).toEqual([label, weeks.has(label)]);
    }
  });
});
