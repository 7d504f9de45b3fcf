import { z } from 'zod';
import { iso, parseDate } from '../calendar.ts';
import { dailyParagraph } from '../content/editorial.ts';
import { SECTION_LABELS } from '../content/texts.ts';
import { PAGES } from '../content/writing.ts';
import { dailiesAt } from '../editions.ts';
import type { Daily } from '../editions.ts';
import { json } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { Problem } from '../http/problem.ts';
import { readQuery, wholeNumber } from '../http/query.ts';
import type { Asked } from '../http/router.ts';
import type { DemoRecord } from '../record.ts';
import type { World } from '../world.ts';

const indexQuery = z.strictObject({ limit: wholeNumber(1, 180).default(30) });

/** `GET /dailies`: which dailies there are, newest first (document 1 section 4.4). */
export function dailies(world: World, asked: Asked): Answer {
  const { limit } = readQuery(asked.search, indexQuery);
  const shown = dailiesAt(world, asked.now).slice(0, limit);
  const items = shown.map((daily) => {
    const { date, generatedAt, links, lead, attribution } = reportOf(world, daily);
    return {
      date,
      generatedAt,
      leadTitle: lead?.title ?? null,
      leadParagraph: lead?.leadParagraph ?? null,
      links,
      attribution,
    };
  });
  return json({ count: items.length, items }, 60);
}

/** `GET /dailies/latest`. Errors: `not_found` before the first one. */
export function latestDaily(world: World, asked: Asked): Answer {
  readQuery(asked.search, z.strictObject({}));
  const [newest] = dailiesAt(world, asked.now);
  if (!newest) throw new Problem('not_found', 'No daily report has been published yet.');
  return json({ report: reportOf(world, newest) }, 60);
}

/** `GET /dailies/{date}`. Errors: `invalid_request` for what is no date, `not_found`. */
export function daily(world: World, asked: Asked): Answer {
  readQuery(asked.search, z.strictObject({}));
  const [label = ''] = asked.captured;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(label) || !parseDate(label)) {
    throw new Problem('invalid_request', 'date must be a calendar date like 2026-09-27.');
  }
  const found = dailiesAt(world, asked.now).find(({ date }) => date.toString() === label);
  if (!found) throw new Problem('not_found', `There is no daily report of ${label}.`);
  return json({ report: reportOf(world, found) }, 300);
}

interface DailyReport {
  date: string;
  generatedAt: string;
  links: object;
  attribution: object;
  lead: { title: string; leadParagraph: string } | null;
}

function reportOf(world: World, { date, sections, flashes, ...times }: Daily): DailyReport {
  const label = date.toString();
  const items = sections.flatMap(({ records }) => records).map((record) => world.served(record));
  const leading = items.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const [first] = leading;
  return {
    date: label,
    generatedAt: iso(times.generatedAt),
    windowStart: iso(times.windowStart),
    windowEnd: iso(times.windowEnd),
    links: { aihot: `${PAGES}/daily/${label}` },
    attribution: { name: 'Broadsheet demo', url: `${PAGES}/` },
    lead: first && leading.length >= 3 ? { title: first.title, leadParagraph: dailyParagraph(leading) } : null,
    sections: sections.map(({ category, records }) => ({
      label: SECTION_LABELS[category],
      items: records.map((record) => entry(world, record)),
    })),
    flashes: flashes.map((record) => flash(world, record)),
    ...world.corrections.get(label),
  } as DailyReport;
}

/** Dailies tell no ids, and now and then a page or a summary is missing, as in the real ones. */
function entry(world: World, record: DemoRecord): object {
  const { title, summary, source, links, attribution } = world.served(record);
  const aihot = record.slot % 37 === 0 ? null : links.aihot;
  return {
    title,
    summary: record.slot % 41 === 0 ? '' : summary,
    source,
    links: { aihot, original: links.original },
    attribution,
  };
}

function flash(world: World, record: DemoRecord): object {
  const { title, source, links, publishedAt, discoveredAt, attribution } = world.served(record);
  return { title, source, links, publishedAt: publishedAt ?? discoveredAt, attribution };
}
