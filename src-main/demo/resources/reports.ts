import { z } from 'zod';
import { iso } from '../calendar.ts';
import { overviewParagraph, sectionSummary } from '../content/report-texts.ts';
import { REPORT_PHRASES, SECTION_LABELS } from '../content/texts.ts';
import { PAGES } from '../content/item-texts.ts';
import { monthliesAt, weekliesAt } from '../reports.ts';
import type { PeriodReport } from '../reports.ts';
import { json } from '../http/response.ts';
import type { ApiResponse } from '../http/response.ts';
import { Problem } from '../http/problem.ts';
import { readQuery, wholeNumber } from '../http/query.ts';
import type { ApiRequest } from '../http/router.ts';
import type { ServedItem } from '../options.ts';
import type { DemoState } from '../state.ts';

/** Weeklies and monthlies are one thing under two names (document 1 sections 4.5 and 4.6). */
interface Series {
  unit: 'week' | 'month';
  span: string;
  label: RegExp;
  example: string;
  list: (state: DemoState, now: number) => PeriodReport[];
}

const SERIES: Record<'weekly' | 'monthly', Series> = {
  weekly: {
    unit: 'week',
    span: REPORT_PHRASES.week,
    label: /^\d{4}-W\d{2}$/,
    example: '2026-W39',
    list: weekliesAt,
  },
  monthly: {
    unit: 'month',
    span: REPORT_PHRASES.month,
    label: /^\d{4}-\d{2}$/,
    example: '2026-09',
    list: monthliesAt,
  },
};

const LIFETIME = 300;
const indexQuery = z.strictObject({ limit: wholeNumber(1, 60).default(12) });

export type SeriesName = keyof typeof SERIES;

/** `GET /weeklies`, `GET /monthlies`: newest first. */
export function periodicalIndex(name: SeriesName, state: DemoState, request: ApiRequest): ApiResponse {
  const { limit } = readQuery(request.search, indexQuery);
  const shown = SERIES[name].list(state, request.now).slice(0, limit);
  return json({ count: shown.length, items: shown.map((report) => headOf(name, state, report)) }, LIFETIME);
}

/** `GET /weeklies/latest`, `GET /monthlies/latest`. Errors: `not_found` before the first one. */
export function latestPeriodical(name: SeriesName, state: DemoState, request: ApiRequest): ApiResponse {
  readQuery(request.search, z.strictObject({}));
  const [newest] = SERIES[name].list(state, request.now);
  if (!newest) throw new Problem('not_found', `No ${name} report has been published yet.`);
  return json({ report: reportOf(name, state, newest) }, LIFETIME);
}

/** `GET /weeklies/{week}`, `GET /monthlies/{month}`. Errors: `invalid_request` for what is no label, `not_found`. */
export function periodical(name: SeriesName, state: DemoState, request: ApiRequest): ApiResponse {
  readQuery(request.search, z.strictObject({}));
  const { unit, label, example, list } = SERIES[name];
  const [wanted = ''] = request.captured;
  if (!label.test(wanted)) throw new Problem('invalid_request', `${unit} must be a label like ${example}.`);
  const found = list(state, request.now).find((report) => report.label === wanted);
  if (!found) throw new Problem('not_found', `There is no ${name} report of ${wanted}.`);
  return json({ report: reportOf(name, state, found) }, LIFETIME);
}

function headOf(name: SeriesName, state: DemoState, report: PeriodReport): object {
  const best = report.sections.flatMap(({ records }) => records).reduce((a, b) => (b.score > a.score ? b : a));
  return {
    [SERIES[name].unit]: report.label,
    periodStart: report.periodStart.toString(),
    periodEnd: report.periodEnd.toString(),
    generatedAt: iso(report.generatedAt),
    headline: state.served(best).title,
    links: { aihot: `${PAGES}/${name}/${report.label}` },
  };
}

function reportOf(name: SeriesName, state: DemoState, report: PeriodReport): object {
  const sections = report.sections.map(({ category, records }) => {
    return { label: SECTION_LABELS[category], items: records.map((record) => state.served(record)) };
  });
  return {
    ...headOf(name, state, report),
    windowStart: iso(report.windowStart),
    windowEnd: iso(report.windowEnd),
    attribution: { name: 'Broadsheet demo', url: `${PAGES}/` },
    overview: overviewParagraph(SERIES[name].span, sections),
    sections: sections.map(({ label, items }) => ({ label, summary: sectionSummary(items), items: items.map(entry) })),
  };
}

function entry({ title, summary, source, links, publishedAt }: ServedItem): object {
  return { title, summary, source, links, publishedAt };
}
