import type { JsonObject } from './model.ts';
import type { Attribution, Links, Source } from './record.ts';

export const REPORT_KINDS = ['daily', 'weekly', 'monthly'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const REPORT_RESOURCE = { daily: 'dailies', weekly: 'weeklies', monthly: 'monthlies' } as const;

/** Has no id: its canonical original address and its position identify it (observed-5-no-ids). */
export interface Citation {
  title: string;
  summary: string | null;
  source: Source;
  links: Links<'aihot' | 'original'>;
  publishedAt: string | null;
  attribution: Attribution | null;
  extra: JsonObject;
}

export interface Section {
  label: string;
  summary: string | null;
  items: Citation[];
  extra: JsonObject;
}

/** Document 1 sections 4.4 to 4.6. `label` is a date, ISO week or month in Asia/Shanghai. */
export interface Report {
  kind: ReportKind;
  label: string;
  generatedAt: string | null;
  windowStart: string | null;
  windowEnd: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  headline: string | null;
  overview: string | null;
  links: Links<'aihot'>;
  attribution: Attribution | null;
  sections: Section[];
  flashes: Citation[];
  extra: JsonObject;
}

/** Withdrawn entries are recorded without their texts. */
export interface Correction {
  at: string;
  kind: 'edited' | 'withdrawn' | 'added' | 'reordered';
  /** A section's label, `flashes`, or null for the report itself. */
  section: string | null;
  text: { field: string; before: string; after: string } | null;
}

export interface CitationWithStatus extends Citation {
  /** The saved item with the same canonical original address. */
  itemId: string | null;
  readAt: string | null;
  key: string | null;
}

export interface StoredReport extends Omit<Report, 'sections' | 'flashes'> {
  sections: (Omit<Section, 'items'> & { items: CitationWithStatus[] })[];
  flashes: CitationWithStatus[];
  /** Shown where the report itself has nothing. */
  listed: Pick<ReportHeader, 'headline' | 'overview' | 'attribution'>;
  fetchedAt: string;
  checkedAt: string;
  freshUntil: string;
  goneAt: string | null;
  readAt: string | null;
  corrections: Correction[];
  previous: string | null;
  next: string | null;
}

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

export interface ReportLine extends ReportHeader {
  stored: boolean;
  goneAt: string | null;
  readAt: string | null;
  corrections: number;
}

const LABEL_FORMS: Readonly<Record<ReportKind, RegExp>> = {
  daily: /^\d{4}-\d{2}-\d{2}$/,
  weekly: /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/,
  monthly: /^\d{4}-(?:0[1-9]|1[0-2])$/,
};
const THURSDAY = 4;

/** Checks the calendar, too (observed-5-labels): `2026-02-30`, `2025-W53` and `2026-13` are none. */
export function isReportLabel(kind: ReportKind, label: string): boolean {
  if (!LABEL_FORMS[kind].test(label)) return false;
  if (kind === 'daily') return isDay(label);
  return kind === 'monthly' || !label.endsWith('W53') || hasWeek53(label.slice(0, 4));
}

/** `Date` turns 2026-02-30 into a day in March. */
function isDay(label: string): boolean {
  const ms = Date.parse(`${label}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(label);
}

/** A year has 53 weeks if it starts or ends on a Thursday. */
function hasWeek53(year: string): boolean {
  return ['01-01', '12-31'].some((day) => new Date(`${year}-${day}T00:00:00Z`).getUTCDay() === THURSDAY);
}
