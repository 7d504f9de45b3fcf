import type { ReportKind } from './model/report.ts';

const SHAPES: Readonly<Record<ReportKind, RegExp>> = {
  daily: /^\d{4}-\d{2}-\d{2}$/,
  weekly: /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/,
  monthly: /^\d{4}-(?:0[1-9]|1[0-2])$/,
};
const THURSDAY = 4;

/**
 * Checks that a text labels a report of a kind: a day, an ISO week or a month of the calendar (document 1 sections 4.4 to
 * 4.6; observed-5-labels). `2026-02-30`, `2025-W53` and `2026-13` have the form of labels and are none.
 */
export function isReportLabel(kind: ReportKind, label: string): boolean {
  if (!SHAPES[kind].test(label)) return false;
  if (kind === 'daily') return isDay(label);
  return kind === 'monthly' || !label.endsWith('W53') || hasWeek53(label.slice(0, 4));
}

/** `Date` turns 2026-02-30 into a day in March. */
function isDay(label: string): boolean {
  const ms = Date.parse(`${label}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(label);
}

/** A year has 53 weeks if it starts or ends on a Thursday. */
function hasWeek53(year: string): boolean {
  return ['01-01', '12-31'].some((day) => new Date(`${year}-${day}T00:00:00Z`).getUTCDay() === THURSDAY);
}
