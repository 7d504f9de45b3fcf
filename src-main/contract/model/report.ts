import type { Json } from './json.ts';

export const REPORT_KINDS = ['daily', 'weekly', 'monthly'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The resource of a kind: its name in reports, on the command line and in the service's paths. */
export const REPORT_RESOURCE = { daily: 'dailies', weekly: 'weeklies', monthly: 'monthlies' } as const;

/**
 * A citation in a report. It has no id: it is known by its canonical original address and its place (sheet 3, "Dailies").
 */
export interface Citation {
  title: string;
  summary: string | null;
  source: { name: string | null; [unknown: string]: Json };
  links: { aihot: string | null; original: string | null; [unknown: string]: Json };
  publishedAt: string | null;
  attribution: { name: string | null; url: string | null; [unknown: string]: Json } | null;
  extra: { [field: string]: Json };
}

export interface Section {
  label: string;
  summary: string | null;
  items: Citation[];
  extra: { [field: string]: Json };
}

/**
 * A daily, weekly or monthly report under one shape (document 1 sections 4.4 to 4.6). `label` is its Asia/Shanghai date
 * (YYYY-MM-DD), ISO week (YYYY-Www) or month (YYYY-MM).
 */
export interface Report {
  kind: ReportKind;
  label: string;
  generatedAt: string | null;
  windowStart: string | null;
  windowEnd: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  /** A daily's lead title, or the headline of a week or month. */
  headline: string | null;
  /** A daily's lead paragraph, or the overview of a week or month. */
  overview: string | null;
  links: { aihot: string | null; [unknown: string]: Json };
  attribution: { name: string | null; url: string | null; [unknown: string]: Json } | null;
  sections: Section[];
  /** Of dailies; empty for others. */
  flashes: Citation[];
  extra: { [field: string]: Json };
}

/** What the service changed in a stored report. Of a withdrawn citation only the fact stays. */
export interface Correction {
  at: string;
  kind: 'edited' | 'withdrawn' | 'added' | 'reordered';
  /** Where: a section's label, `flashes`, or null for the report itself. */
  section: string | null;
  /** Of an edited text: which one, before and after. */
  text: { field: string; before: string; after: string } | null;
}

export interface CitationWithStatus extends Citation {
  /** The stored item of the same canonical original address. */
  itemId: string | null;
  /** Read here or in the feed: one state. */
  readAt: string | null;
  /** What marks it as read: pass it to `reports.markCitation`. Null without an address. */
  key: string | null;
}

export interface StoredReport extends Omit<Report, 'sections' | 'flashes'> {
  sections: (Omit<Section, 'items'> & { items: CitationWithStatus[] })[];
  flashes: CitationWithStatus[];
  fetchedAt: string;
  goneAt: string | null;
  readAt: string | null;
  /** Newest first. */
  corrections: Correction[];
  /** Labels of the neighbours that the index lists. */
  previous: string | null;
  next: string | null;
}

/** A line of an index as the service gives it, under the names that {@link Report} has. */
export type ReportHeader = Pick<
  Report,
  | 'kind'
  | 'label'
  | 'generatedAt'
  | 'periodStart'
  | 'periodEnd'
  | 'headline'
  | 'overview'
  | 'links'
  | 'attribution'
  | 'extra'
>;

/** A line of an index. */
export interface ReportLine extends ReportHeader {
  /** Whether its text is stored. */
  stored: boolean;
  /** Since when the service has it no longer. */
  goneAt: string | null;
  readAt: string | null;
  corrections: number;
}
