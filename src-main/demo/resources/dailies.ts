import { isDay } from '../../common/time.ts';
import { iso } from '../iso.ts';
import { dailyParagraph } from '../content/report-texts.ts';
import { SECTION_LABELS } from '../content/texts.ts';
import type { DemoRecord } from '../record.ts';
import { dailiesAt, type DailyReport } from '../reports.ts';
import type { DemoState } from '../state.ts';
import { resourcesOf } from './report-series.ts';

export const dailies = resourcesOf<DailyReport>({
  name: 'daily',
  isLabel: isDay,
  labelRule: 'date must be a calendar date like 2026-09-27.',
  placeholder: '9999-12-31',
  listed: 30,
  mostListed: 180,
  lifetime: 60,
  published: dailiesAt,
  indexEntry,
  body: (state, report) => {
    const body = bodyOf(state, report);
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

function indexEntry(state: DemoState, report: DailyReport): object {
  const { date, generatedAt, links, lead, attribution } = bodyOf(state, report);
  const { title: leadTitle = null, leadParagraph = null } = lead ?? {};
  return { date, generatedAt, leadTitle, leadParagraph, links, attribution };
}

function bodyOf(state: DemoState, { label, sections, flashes, ...times }: DailyReport): ServedDaily {
  const items = sections.flatMap(({ records }) => records).map((record) => state.served(record));
  const bestFirst = items.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const [best] = bestFirst;
  return {
    date: label,
    generatedAt: iso(times.generatedAt),
    windowStart: iso(times.windowStart),
    windowEnd: iso(times.windowEnd),
    links: { aihot: `${state.pages}/daily/${label}` },
    attribution: { name: 'Broadsheet demo', url: `${state.pages}/` },
    lead: best && bestFirst.length >= 3 ? { title: best.title, leadParagraph: dailyParagraph(bestFirst) } : null,
    sections: sections.map(({ category, records }) => ({
      label: SECTION_LABELS[category],
      items: records.map((record) => entry(state, record)),
    })),
    flashes: flashes.map((record) => flash(state, record)),
    ...state.corrections.get(label),
  } as ServedDaily;
}

function isLeadless(label: string): boolean {
  return Number(label.slice(-2)) % 3 === 0;
}

/** Leaves out ids, and in some the page or the summary, as the real service does. */
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
