import { z } from 'zod';
import { iso } from '../calendar.ts';
import { overviewParagraph, sectionSummary } from '../content/editorial.ts';
import { REPORT_PHRASES, SECTION_LABELS } from '../content/texts.ts';
import { PAGES } from '../content/writing.ts';
import { monthliesAt, weekliesAt } from '../editions.ts';
import type { Periodical } from '../editions.ts';
import { json } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { Problem } from '../http/problem.ts';
import { readQuery, wholeNumber } from '../http/query.ts';
import type { Asked } from '../http/router.ts';
import type { ServedItem } from '../options.ts';
import type { World } from '../world.ts';

/** Weeklies and monthlies are one thing under two names (document 1 sections 4.5 and 4.6). */
interface Series {
  unit: 'week' | 'month';
  span: string;
  label: RegExp;
  example: string;
  editions: (world: World, now: number) => Periodical[];
}

const SERIES: Record<'weekly' | 'monthly', Series> = {
  weekly: {
    unit: 'week',
    span: REPORT_PHRASES.week,
    label: /^\d{4}-W\d{2}$/,
    example: '2026-W39',
    editions: weekliesAt,
  },
  monthly: {
    unit: 'month',
    span: REPORT_PHRASES.month,
    label: /^\d{4}-\d{2}$/,
    example: '2026-09',
    editions: monthliesAt,
  },
};

const LIFETIME = 300;
const indexQuery = z.strictObject({ limit: wholeNumber(1, 60).default(12) });

export type SeriesName = keyof typeof SERIES;

/** `GET /weeklies`, `GET /monthlies`: newest first. */
export function periodicalIndex(name: SeriesName, world: World, asked: Asked): Answer {
  const { limit } = readQuery(asked.search, indexQuery);
  const shown = SERIES[name].editions(world, asked.now).slice(0, limit);
  return json({ count: shown.length, items: shown.map((edition) => headOf(name, world, edition)) }, LIFETIME);
}

/** `GET /weeklies/latest`, `GET /monthlies/latest`. Errors: `not_found` before the first one. */
export function latestPeriodical(name: SeriesName, world: World, asked: Asked): Answer {
  readQuery(asked.search, z.strictObject({}));
  const [newest] = SERIES[name].editions(world, asked.now);
  if (!newest) throw new Problem('not_found', `No ${name} report has been published yet.`);
  return json({ report: reportOf(name, world, newest) }, LIFETIME);
}

/** `GET /weeklies/{week}`, `GET /monthlies/{month}`. Errors: `invalid_request` for what is no label, `not_found`. */
export function periodical(name: SeriesName, world: World, asked: Asked): Answer {
  readQuery(asked.search, z.strictObject({}));
  const { unit, label, example, editions } = SERIES[name];
  const [wanted = ''] = asked.captured;
  if (!label.test(wanted)) throw new Problem('invalid_request', `${unit} must be a label like ${example}.`);
  const found = editions(world, asked.now).find((edition) => edition.label === wanted);
  if (!found) throw new Problem('not_found', `There is no ${name} report of ${wanted}.`);
  return json({ report: reportOf(name, world, found) }, LIFETIME);
}

function headOf(name: SeriesName, world: World, edition: Periodical): object {
  const best = edition.sections.flatMap(({ records }) => records).reduce((a, b) => (b.score > a.score ? b : a));
  return {
    [SERIES[name].unit]: edition.label,
    periodStart: edition.periodStart.toString(),
    periodEnd: edition.periodEnd.toString(),
    generatedAt: iso(edition.generatedAt),
    headline: world.served(best).title,
    links: { aihot: `${PAGES}/${name}/${edition.label}` },
  };
}

function reportOf(name: SeriesName, world: World, edition: Periodical): object {
  const sections = edition.sections.map(({ category, records }) => {
    return { label: SECTION_LABELS[category], items: records.map((record) => world.served(record)) };
  });
  return {
    ...headOf(name, world, edition),
    windowStart: iso(edition.windowStart),
    windowEnd: iso(edition.windowEnd),
    attribution: { name: 'Broadsheet demo', url: `${PAGES}/` },
    overview: overviewParagraph(SERIES[name].span, sections),
    sections: sections.map(({ label, items }) => ({ label, summary: sectionSummary(items), items: items.map(entry) })),
  };
}

function entry({ title, summary, source, links, publishedAt }: ServedItem): object {
  return { title, summary, source, links, publishedAt };
}
