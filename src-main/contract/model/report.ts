import type { Json } from './json.ts';

export const REPORT_KINDS = ['daily', 'weekly', 'monthly'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The resource of a kind: its name in sync results, on the command line and in the service's paths. */
export const REPORT_RESOURCE = { daily: 'dailies', weekly: 'weeklies', monthly: 'monthlies' } as const;

/**
 * A story cited in a report. It has no id: its canonical original address and its place in the report identify it
 * (observed-5-no-ids).
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
 * A daily, weekly or monthly report in one common shape (document 1 sections 4.4 to 4.6). `label` is its date
 * (YYYY-MM-DD), ISO week (YYYY-Www) or month (YYYY-MM) in Asia/Shanghai.
 */
export interface Report {
  kind: ReportKind;
  label: string;
  generatedAt: string | null;
  windowStart: string | null;
  windowEnd: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  /** Lead title of a daily; headline of a weekly or monthly. */
  headline: string | null;
  /** Lead paragraph of a daily; overview of a weekly or monthly. */
  overview: string | null;
  links: { aihot: string | null; [unknown: string]: Json };
  attribution: { name: string | null; url: string | null; [unknown: string]: Json } | null;
  sections: Section[];
  /** Dailies only; otherwise empty. */
  flashes: Citation[];
  extra: { [field: string]: Json };
}

/** A change that the service made to a saved report. Withdrawn citations are recorded without their texts. */
export interface Correction {
  at: string;
  kind: 'edited' | 'withdrawn' | 'added' | 'reordered';
  /** A section's label, `flashes`, or null for the report itself. */
  section: string | null;
  /** The edited field with its old and new text; null for other kinds. */
  text: { field: string; before: string; after: string } | null;
}

export interface CitationWithStatus extends Citation {
  /** Saved item with the same canonical original address; null if there is none. */
  itemId: string | null;
  /** Shared with the item: reading it in the report or in the feed sets both. */
  readAt: string | null;
  /** Pass this to `reports.markCitation`. Null without an address. */
  key: string | null;
}

export interface StoredReport extends Omit<Report, 'sections' | 'flashes'> {
  sections: (Omit<Section, 'items'> & { items: CitationWithStatus[] })[];
  flashes: CitationWithStatus[];
  /** What its index entry says. Shown where the report has nothing itself; its own fields stay as served. */
  listed: Pick<ReportHeader, 'headline' | 'overview' | 'attribution'>;
  /** When this text was received. */
  fetchedAt: string;
  /** When the service last said that this is the report. */
  checkedAt: string;
  /** Until when caches may keep that answer. */
  freshUntil: string;
  goneAt: string | null;
  readAt: string | null;
  /** Newest first. */
  corrections: Correction[];
  /** Labels of the adjacent reports in the index. */
  previous: string | null;
  next: string | null;
}

/** An index entry of the service, with the field names of {@link Report}. */
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

/** A known report and its state. */
export interface ReportLine extends ReportHeader {
  /** Whether its text is saved. */
  stored: boolean;
  /** Since when the service no longer has it (RFC 3339). */
  goneAt: string | null;
  readAt: string | null;
  corrections: number;
}
