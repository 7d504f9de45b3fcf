import type { Citation, Report, ReportHeader, ReportKind, Section, StoredReport } from '../contract/model/report.ts';
import type { Json } from '../contract/model/model.ts';

type Fields = Record<string, Json>;
type CitationFields = Omit<Citation, 'extra'> & { extra: Fields };

export const LABEL_FIELD: Readonly<Record<ReportKind, string>> = { daily: 'date', weekly: 'week', monthly: 'month' };

const ENTRY_FIELDS: Readonly<Record<ReportKind, readonly string[]>> = {
  daily: ['title', 'summary', 'source', 'links', 'attribution'],
  weekly: ['title', 'summary', 'source', 'links', 'publishedAt'],
  monthly: ['title', 'summary', 'source', 'links', 'publishedAt'],
};
const FLASH_FIELDS = ['title', 'source', 'links', 'publishedAt', 'attribution'];

/** observed-5-daily, observed-5-weekly */
export function reportAsServed(report: Report | StoredReport): Fields {
  const { kind, label, sections, flashes } = report;
  const daily = kind === 'daily';
  return {
    [LABEL_FIELD[kind]]: label,
    ...(!daily && { periodStart: report.periodStart, periodEnd: report.periodEnd }),
    generatedAt: report.generatedAt,
    windowStart: report.windowStart,
    windowEnd: report.windowEnd,
    links: report.links,
    attribution: report.attribution,
    ...(daily ? { lead: leadAsServed(report) } : { headline: report.headline, overview: report.overview }),
    sections: sections.map((section) => sectionAsServed(kind, section)),
    ...(daily && { flashes: flashes.map((flash) => citationAsServed(FLASH_FIELDS, flash)) }),
    ...withoutLead(report.extra),
  };
}

export function lineAsServed(line: ReportHeader): Fields {
  const { kind, label, periodStart, periodEnd, generatedAt, headline, overview, links, attribution } = line;
  const fields =
    kind === 'daily'
      ? { generatedAt, leadTitle: headline, leadParagraph: overview, links, attribution }
      : { periodStart, periodEnd, generatedAt, headline, links, ...(attribution && { attribution }) };
  return { [LABEL_FIELD[kind]]: label, ...fields, ...line.extra };
}

/** Unknown members of a lead are stored under the report's `extra`. */
function leadAsServed({ headline, overview, extra }: Pick<Report, 'headline' | 'overview' | 'extra'>): Json {
  const more = extra['lead'] as Fields | undefined;
  if (headline === null && overview === null && more === undefined) return null;
  return { title: headline, leadParagraph: overview, ...more };
}

function withoutLead({ lead: _, ...extra }: Fields): Fields {
  return extra;
}

function sectionAsServed(kind: ReportKind, { label, summary, items, extra }: Section): Fields {
  const fields = kind === 'daily' && summary === null ? {} : { summary };
  return { label, ...fields, items: items.map((item) => citationAsServed(ENTRY_FIELDS[kind], item)), ...extra };
}

function citationAsServed(
  usual: readonly string[],
  { title, summary, source, links, publishedAt, attribution, extra }: CitationFields,
): Fields {
  const known: Fields = { title, summary, source, links, publishedAt, attribution };
  const fields = Object.entries(known).filter(([name, value]) => usual.includes(name) || value !== null);
  return { ...Object.fromEntries(fields), ...extra };
}
