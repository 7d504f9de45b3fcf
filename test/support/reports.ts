import type { Citation, CitationWithStatus, Report, StoredReport } from '../../src-main/contract/model/report.ts';
import type { DemoContent } from '../../src-main/demo/service.ts';
import type { TestApp } from './test-app.ts';

/** 12 dailies (22 February to 5 March), 3 weeklies (W08 to W10) and 2 monthlies, as of 3 April. */
export const TWELVE_DAYS = {
  start: '2026-04-03T06:30:00Z',
  content: {
    selected: 120,
    unselected: 0,
    days: 12,
    until: Date.parse('2026-03-04T15:00:00Z'),
  } satisfies DemoContent,
};

export interface ServedCitation {
  title: string;
  summary?: string;
  links: { original: string; aihot: string | null };
  source: { name: string };
}

export interface ServedReport {
  [field: string]: unknown;
  sections: { label: string; items: ServedCitation[] }[];
  flashes: ServedCitation[];
  lead: { title: string; leadParagraph: string } | null;
}

/** The demo service's response for a path, requested directly. */
export async function served<T>(app: Pick<TestApp, 'service'>, path: string): Promise<T> {
  const response = await fetch(`${app.service.newsAddress}/api/v1${path}`);
  return (await response.json()) as T;
}

export async function servedReport(app: Pick<TestApp, 'service'>, path: string): Promise<ServedReport> {
  return (await served<{ report: ServedReport }>(app, path)).report;
}

export function citation(name: string, rest: Partial<Citation> = {}): Citation {
  return {
    title: `Title of ${name}`,
    summary: `What ${name} is about, in some words.`,
    source: { name: 'A source' },
    links: { aihot: null, original: `https://example.org/${name}` },
    publishedAt: null,
    attribution: null,
    extra: {},
    ...rest,
  };
}

/** A daily with sections of citations. */
export function daily(sections: Record<string, (string | Citation)[]>, rest: Partial<Report> = {}): Report {
  return {
    kind: 'daily',
    label: '2026-03-18',
    generatedAt: '2026-03-18T00:00:00Z',
    windowStart: null,
    windowEnd: null,
    periodStart: null,
    periodEnd: null,
    headline: 'A headline',
    overview: 'An overview',
    links: { aihot: 'https://news.example/daily/2026-03-18' },
    attribution: null,
    sections: Object.entries(sections).map(([label, items]) => ({
      label,
      summary: null,
      items: items.map((item) => (typeof item === 'string' ? citation(item) : item)),
      extra: {},
    })),
    flashes: [],
    extra: {},
    ...rest,
  };
}

/** A report as saved: unread, with nothing in its index entry. */
export function storedReport(report: Report, rest: Partial<StoredReport> = {}): StoredReport {
  const unread = (item: Citation): CitationWithStatus => ({
    ...item,
    itemId: null,
    readAt: null,
    key: item.links.original,
  });
  return {
    ...report,
    sections: report.sections.map((section) => ({ ...section, items: section.items.map(unread) })),
    flashes: report.flashes.map(unread),
    listed: { headline: null, overview: null, attribution: null },
    fetchedAt: '2026-03-18T06:30:00.000Z',
    checkedAt: '2026-03-18T06:30:00.000Z',
    freshUntil: '2026-03-18T06:35:00.000Z',
    goneAt: null,
    readAt: null,
    corrections: [],
    previous: null,
    next: null,
    ...rest,
  };
}
