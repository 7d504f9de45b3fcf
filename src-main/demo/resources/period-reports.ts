import { iso } from '../iso.ts';
import { overviewParagraph, reasonOf } from '../content/report-texts.ts';
import { REPORT_PHRASES, SECTION_LABELS } from '../content/texts.ts';
import type { ServedItem } from '../options.ts';
import { monthliesAt, weekliesAt, type PeriodReport } from '../reports.ts';
import type { DemoState } from '../state.ts';
import { resourcesOf, type ReportSeries } from './report-series.ts';

interface Period {
  name: 'weekly' | 'monthly';
  unit: 'week' | 'month';
  label: RegExp;
  example: string;
  placeholder: string;
  published: ReportSeries<PeriodReport>['published'];
}

export const weeklies = periodResources({
  name: 'weekly',
  unit: 'week',
  label: /^\d{4}-W\d{2}$/,
  example: '2026-W39',
  placeholder: '9999-W52',
  published: weekliesAt,
});

export const monthlies = periodResources({
  name: 'monthly',
  unit: 'month',
  label: /^\d{4}-\d{2}$/,
  example: '2026-09',
  placeholder: '9999-12',
  published: monthliesAt,
});

function periodResources(period: Period) {
  return resourcesOf<PeriodReport>({
    name: period.name,
    isLabel: (text) => period.label.test(text),
    labelRule: `${period.unit} must be a label like ${period.example}.`,
    placeholder: period.placeholder,
    listed: 12,
    mostListed: 60,
    lifetime: 300,
    published: period.published,
    indexEntry: (state, report) => headOf(period, state, report),
    body: (state, report) => bodyOf(period, state, report),
  });
}

function headOf({ name, unit }: Period, state: DemoState, report: PeriodReport): object {
  const best = report.sections.flatMap(({ records }) => records).reduce((a, b) => (b.score > a.score ? b : a));
  return {
    [unit]: report.label,
    periodStart: report.periodStart,
    periodEnd: report.periodEnd,
    generatedAt: iso(report.generatedAt),
    headline: state.served(best).title,
    links: { aihot: `${state.pages}/${name}/${report.label}` },
    ...(state.harsh && { attribution: creditOf(state) }),
  };
}

function bodyOf(period: Period, state: DemoState, report: PeriodReport): object {
  const sections = report.sections.map(({ category, records }) => {
    return { label: SECTION_LABELS[category], items: records.map((record) => state.served(record)) };
  });
  return {
    ...headOf(period, state, report),
    windowStart: iso(report.windowStart),
    windowEnd: iso(report.windowEnd),
    attribution: creditOf(state),
    overview: overviewParagraph(REPORT_PHRASES[period.unit], sections),
    sections: sections.map(({ label, items }) => ({ label, summary: reasonOf(items), items: items.map(entry) })),
  };
}

function creditOf({ pages }: DemoState): object {
  return { name: 'Broadsheet demo', url: `${pages}/` };
}

function entry({ title, summary, source, links, publishedAt }: ServedItem): object {
  return { title, summary, source, links, publishedAt };
}
