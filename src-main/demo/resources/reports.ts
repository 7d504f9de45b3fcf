import { z } from 'zod';
import { latestPublication } from '../../common/publication-timetable.ts';
import {
  addDays,
  addMonths,
  isDay,
  mondayOf,
  monthOf,
  shanghaiDay,
  shanghaiMoment,
  weekOf,
} from '../../common/time.ts';
import { type Category, fill, type Language, REPORT_PHRASES, SECTION_LABELS } from '../content/texts.ts';
import { type ApiRequest, type ApiResponse, iso, json, Problem, readNoQuery, readQuery, wholeNumber } from '../http.ts';
import type { ServedItem } from '../options.ts';
import type { DemoRecord } from '../record.ts';
import type { DemoState } from '../state.ts';

/** Document 1 sections 4.4 to 4.6. */
interface ReportSeries<R extends { label: string }> {
  name: 'daily' | 'weekly' | 'monthly';
  isLabel: (text: string) => boolean;
  labelRule: string;
  /** Far in the future: the index of the harsh service lists it first. */
  placeholder: string;
  listed: number;
  mostListed: number;
  lifetime: number;
  published: (state: DemoState, now: number) => R[];
  indexEntry: (state: DemoState, report: R) => object;
  body: (state: DemoState, report: R) => object;
}

export type Resource = (state: DemoState, request: ApiRequest) => ApiResponse;

const REPORT_LIFETIME = 300;

function resourcesOf<R extends { label: string }>(
  series: ReportSeries<R>,
): Record<'index' | 'latest' | 'report', Resource> {
  const { name, lifetime, published, indexEntry, body } = series;
  const indexQuery = z.strictObject({ limit: wholeNumber(1, series.mostListed).default(series.listed) });
  const listedBy = (state: DemoState, now: number): R[] => {
    const all = published(state, now);
    const [newest] = all;
    return state.harsh && newest ? [{ ...newest, label: series.placeholder }, ...all] : all;
  };
  return {
    index(state, request) {
      const { limit } = readQuery(request.search, indexQuery);
      const items = listedBy(state, request.now)
        .slice(0, limit)
        .map((report) => indexEntry(state, report));
      return json({ count: items.length, items }, lifetime);
    },
    latest(state, request) {
      readNoQuery(request.search);
      const [newest] = published(state, request.now);
      if (!newest) throw new Problem('not_found', `No ${name} report has been published yet.`);
      return json({ report: body(state, newest) }, lifetime);
    },
    report(state, request) {
      readNoQuery(request.search);
      const [label = ''] = request.captured;
      if (!series.isLabel(label)) throw new Problem('invalid_request', series.labelRule);
      const found = listedBy(state, request.now).find((report) => report.label === label);
      if (!found) throw new Problem('not_found', `There is no ${name} report of ${label}.`);
      return json({ report: body(state, found) }, REPORT_LIFETIME);
    },
  };
}

export const dailies = resourcesOf<DailyReport>({
  name: 'daily',
  isLabel: isDay,
  labelRule: 'date must be a calendar date like 2026-09-27.',
  placeholder: '9999-12-31',
  listed: 30,
  mostListed: 180,
  lifetime: 60,
  published: dailiesAt,
  indexEntry: dailyIndexEntry,
  body: (state, report) => {
    const body = dailyBody(state, report);
    // As seen on a real service: only the index has the lead.
    return state.harsh && isLeadless(report.label) ? { ...body, lead: null } : body;
  },
});

interface ServedDaily {
  date: string;
  generatedAt: string;
  links: object;
  attribution: object;
  lead: { title: string; leadParagraph: string } | null;
}

function dailyIndexEntry(state: DemoState, report: DailyReport): object {
  const { date, generatedAt, links, lead, attribution } = dailyBody(state, report);
  const { title: leadTitle = null, leadParagraph = null } = lead ?? {};
  return { date, generatedAt, leadTitle, leadParagraph, links, attribution };
}

function dailyBody(state: DemoState, { label, sections, flashes, ...times }: DailyReport): ServedDaily {
  const items = sections.flatMap(({ records }) => records).map((record) => state.serve(record));
  const bestFirst = items.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const [best] = bestFirst;
  return {
    date: label,
    generatedAt: iso(times.generatedAt),
    windowStart: iso(times.windowStart),
    windowEnd: iso(times.windowEnd),
    links: { aihot: `${state.pages}/daily/${label}` },
    attribution: creditOf(state),
    lead: best && bestFirst.length >= 3 ? { title: best.title, leadParagraph: dailyParagraph(bestFirst) } : null,
    sections: sections.map(({ category, records }) => ({
      label: SECTION_LABELS[category][state.language],
      items: records.map((record) => dailyEntry(state, record)),
    })),
    flashes: flashes.map((record) => flash(state, record)),
    ...state.corrections.get(label),
  } as ServedDaily;
}

function isLeadless(label: string): boolean {
  return Number(label.slice(-2)) % 3 === 0;
}

/** Leaves out ids, and in some the page or the summary, as the real service does. */
function dailyEntry(state: DemoState, record: DemoRecord): object {
  const { title, summary, source, links, attribution } = state.serve(record);
  const aihot = record.slot % 37 === 0 ? null : links.aihot;
  return {
    title,
    summary: record.slot % 41 === 0 ? '' : summary,
    source,
    links: { aihot, original: links.original },
    attribution,
  };
}

function flash(state: DemoState, record: DemoRecord): object {
  const { title, source, links, publishedAt, discoveredAt, attribution } = state.serve(record);
  return { title, source, links, publishedAt: publishedAt ?? discoveredAt, attribution };
}

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
    indexEntry: (state, report) => periodHead(period, state, report),
    body: (state, report) => periodBody(period, state, report),
  });
}

function periodHead({ name, unit }: Period, state: DemoState, report: PeriodReport): object {
  const best = report.sections.flatMap(({ records }) => records).reduce((a, b) => (b.score > a.score ? b : a));
  return {
    [unit]: report.label,
    periodStart: report.periodStart,
    periodEnd: report.periodEnd,
    generatedAt: iso(report.generatedAt),
    headline: state.serve(best).title,
    links: { aihot: `${state.pages}/${name}/${report.label}` },
    ...(state.harsh && { attribution: creditOf(state) }),
  };
}

function periodBody(period: Period, state: DemoState, report: PeriodReport): object {
  const sections = report.sections.map(({ category, records }) => {
    return { label: SECTION_LABELS[category][state.language], items: records.map((record) => state.serve(record)) };
  });
  return {
    ...periodHead(period, state, report),
    windowStart: iso(report.windowStart),
    windowEnd: iso(report.windowEnd),
    attribution: creditOf(state),
    overview: overviewParagraph(state.language, REPORT_PHRASES[period.unit][state.language], sections),
    sections: sections.map(({ label, items }) => ({ label, summary: reasonOf(items), items: items.map(periodEntry) })),
  };
}

function creditOf({ pages }: DemoState): object {
  return { name: 'Broadsheet demo', url: `${pages}/` };
}

function periodEntry({ title, summary, source, links, publishedAt }: ServedItem): object {
  return { title, summary, source, links, publishedAt };
}

/** Days are labels of the Shanghai calendar. */
interface DailyReport {
  label: string;
  generatedAt: number;
  windowStart: number;
  windowEnd: number;
  sections: Section[];
  flashes: DemoRecord[];
}

interface Section {
  category: Category;
  records: DemoRecord[];
}

interface PeriodReport {
  label: string;
  periodStart: string;
  periodEnd: string;
  generatedAt: number;
  windowStart: number;
  windowEnd: number;
  sections: Section[];
}

const SHARE_OF_DAILY: readonly [Category, number][] = [
  ['ai-models', 5],
  ['ai-products', 5],
  ['industry', 4],
  ['paper', 3],
  ['tip', 2],
  ['opinion', 2],
];
const DAY = 86_400_000;
const FLASHES = 8;
const PERIOD_SECTION = 5;
const COMPILING_MS = 140_000;

/** Newest first. A daily is published at 08:00 and covers the day before (Asia/Shanghai). */
function dailiesAt(state: DemoState, now: number): DailyReport[] {
  const last = latestPublication('daily', now).label;
  const dailies: DailyReport[] = [];
  for (let day = addDays(shanghaiDay(state.startsAt), 1); day <= last; day = addDays(day, 1)) {
    const daily = dailyOf(state, day);
    if (daily) dailies.unshift(daily);
  }
  return dailies;
}

/** Newest first. A weekly is published on Monday and covers the week before. */
function weekliesAt(state: DemoState, now: number): PeriodReport[] {
  return periodReports(dailiesAt(state, now), now, weekOf, '10:00', (week) => {
    return { start: mondayOf(week), end: addDays(mondayOf(week), 6) };
  });
}

/** Newest first. A monthly is published on the 1st and covers the month before. */
function monthliesAt(state: DemoState, now: number): PeriodReport[] {
  return periodReports(dailiesAt(state, now), now, monthOf, '10:30', (month) => {
    return { start: `${month}-01`, end: addDays(`${addMonths(month, 1)}-01`, -1) };
  });
}

function dailyOf(state: DemoState, label: string): DailyReport | null {
  const windowStart = shanghaiMoment(addDays(label, -1), '00:00');
  const windowEnd = shanghaiMoment(label, '00:00');
  const records = onePerEvent(
    state.itemIndex
      .listDiscovered(windowStart, windowEnd)
      .filter((record) => record.selected || isNotable(state, record)),
  );
  if (records.length === 0) return null;
  const sections = SHARE_OF_DAILY.map(([category, share]) => ({
    category,
    records: records.filter((record) => record.category === category).slice(0, share),
  }));
  if (state.harsh) bestFirst(sections);
  const placed = new Set(sections.flatMap((section) => section.records));
  const flashes = records.filter((record) => !placed.has(record)).slice(0, FLASHES);
  const generatedAt = shanghaiMoment(label, '08:00') - COMPILING_MS;
  return { label, generatedAt, windowStart, windowEnd, sections, flashes };
}

/** Admits the better half of what is new, because the harsh service selects too little to fill a daily. */
function isNotable({ harsh }: DemoState, { score, discoveredAt, publishedAt }: DemoRecord): boolean {
  return harsh && score >= 45 && discoveredAt - (publishedAt ?? discoveredAt) < 3 * DAY;
}

/** Puts the section with the best item first, so that the first item repeats the lead, as seen on a real service. */
function bestFirst(sections: Section[]): void {
  sections.sort((a, b) => (b.records[0]?.score ?? 0) - (a.records[0]?.score ?? 0));
}

function onePerEvent(records: DemoRecord[]): DemoRecord[] {
  const seen = new Set<number>();
  return records
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
    .filter(({ newsEvent }) => newsEvent === null || (!seen.has(newsEvent) && seen.add(newsEvent)));
}

function periodReports(
  dailies: DailyReport[],
  now: number,
  labelOf: (day: string) => string,
  time: string,
  periodOf: (label: string) => { start: string; end: string },
): PeriodReport[] {
  const groups = Map.groupBy(dailies, (daily) => labelOf(daily.label));
  return [...groups].flatMap(([label, group]) => {
    const newest = group[0] as DailyReport;
    const { start, end } = periodOf(label);
    const publishedAt = shanghaiMoment(addDays(end, 1), time);
    if (now < publishedAt) return [];
    const { windowStart } = group.at(-1) as DailyReport;
    const { windowEnd } = newest;
    const period = {
      periodStart: start,
      periodEnd: end,
      generatedAt: publishedAt - COMPILING_MS,
      windowStart,
      windowEnd,
    };
    return [{ label, ...period, sections: sectionsOf(group) }];
  });
}

function sectionsOf(dailies: DailyReport[]): Section[] {
  const all = dailies.flatMap((daily) => daily.sections);
  return SHARE_OF_DAILY.map(([category]) => {
    const records = all.filter((section) => section.category === category).flatMap((section) => section.records);
    return { category, records: onePerEvent(records).slice(0, PERIOD_SECTION) };
  }).filter(({ records }) => records.length > 0);
}

/** Writes in the language of the lead: why it was chosen, and two more titles. Its own summary follows below. */
function dailyParagraph(items: ServedItem[]): string {
  const language = languageOf(items[0]?.title ?? '');
  const { title, and, also } = REPORT_PHRASES.daily[language];
  const others = [...new Set(items.map((item) => item.title))]
    .slice(1)
    .filter((other) => languageOf(other) === language)
    .slice(0, 2)
    .map((other) => fill(title, { title: other }));
  const more = others.length > 0 ? fill(also, { titles: others.join(and) }) : '';
  return [reasonOf(items), more].filter((sentence) => sentence !== '').join(language === 'zh' ? '' : ' ');
}

function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}

/** Writes the paragraph above a weekly or a monthly. `span` is 本周 or 本月. */
function overviewParagraph(
  language: Language,
  span: string,
  sections: { label: string; items: ServedItem[] }[],
): string {
  const largest = sections.toSorted((a, b) => b.items.length - a.items.length).slice(0, 3);
  const themes = largest.map(({ label, items }) =>
    fill(REPORT_PHRASES.theme[language], { label, title: withoutStop(items[0]?.title ?? '') }),
  );
  const labels = largest.map(({ label }) => label).join(REPORT_PHRASES.comma[language]);
  return fill(REPORT_PHRASES.overview[language], {
    span,
    labels,
    themes: themes.join(REPORT_PHRASES.semicolon[language]),
  });
}

function reasonOf([first]: ServedItem[]): string {
  return first?.reason ?? '';
}

function withoutStop(text: string): string {
  return text.replace(/[。.!！？?]$/, '');
}
