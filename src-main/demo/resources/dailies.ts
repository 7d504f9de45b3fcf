import { z } from 'zod';
import { iso, parseDate } from '../calendar.ts';
import { dailyParagraph } from '../content/report-texts.ts';
import { SECTION_LABELS } from '../content/texts.ts';
import { PAGES } from '../content/item-texts.ts';
import { dailiesAt } from '../reports.ts';
import type { DailyReport } from '../reports.ts';
import { json } from '../http/response.ts';
import type { ApiResponse } from '../http/response.ts';
import { Problem } from '../http/problem.ts';
import { readQuery, wholeNumber } from '../http/query.ts';
import type { ApiRequest } from '../http/router.ts';
import type { DemoRecord } from '../record.ts';
import type { DemoState } from '../state.ts';

const indexQuery = z.strictObject({ limit: wholeNumber(1, 180).default(30) });

/** `GET /dailies`: which dailies there are, newest first (document 1 section 4.4). */
export function dailies(state: DemoState, request: ApiRequest): ApiResponse {
  const { limit } = readQuery(request.search, indexQuery);
  const shown = dailiesAt(state, request.now).slice(0, limit);
  const items = shown.map((daily) => {
    const { date, generatedAt, links, lead, attribution } = reportOf(state, daily);
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
export function latestDaily(state: DemoState, request: ApiRequest): ApiResponse {
  readQuery(request.search, z.strictObject({}));
  const [newest] = dailiesAt(state, request.now);
  if (!newest) throw new Problem('not_found', 'No daily report has been published yet.');
  return json({ report: reportOf(state, newest) }, 60);
}

/** `GET /dailies/{date}`. Errors: `invalid_request` for what is no date, `not_found`. */
export function daily(state: DemoState, request: ApiRequest): ApiResponse {
  readQuery(request.search, z.strictObject({}));
  const [label = ''] = request.captured;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(label) || !parseDate(label)) {
    throw new Problem('invalid_request', 'date must be a calendar date like 2026-09-27.');
  }
  const found = dailiesAt(state, request.now).find(({ date }) => date.toString() === label);
  if (!found) throw new Problem('not_found', `There is no daily report of ${label}.`);
  return json({ report: reportOf(state, found) }, 300);
}

interface ServedDaily {
  date: string;
  generatedAt: string;
  links: object;
  attribution: object;
  lead: { title: string; leadParagraph: string } | null;
}

function reportOf(state: DemoState, { date, sections, flashes, ...times }: DailyReport): ServedDaily {
  const label = date.toString();
  const items = sections.flatMap(({ records }) => records).map((record) => state.served(record));
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
      items: records.map((record) => entry(state, record)),
    })),
    flashes: flashes.map((record) => flash(state, record)),
    ...state.corrections.get(label),
  } as ServedDaily;
}

/** Dailies tell no ids, and now and then a page or a summary is missing, as in the real ones. */
function entry(state: DemoState, record: DemoRecord): object {
  const { title, summary, source, links, attribution } = state.served(record);
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
  const { title, source, links, publishedAt, discoveredAt, attribution } = state.served(record);
  return { title, source, links, publishedAt: publishedAt ?? discoveredAt, attribution };
}
