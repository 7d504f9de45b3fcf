import type { Report, ReportHeader, ReportKind } from '../../contract/model/report.ts';
import { isReportLabel } from '../../contract/report-labels.ts';

/** A row of `report` with its fetch times. Times are ms since 1970, durations are in ms. */
export interface ReportRow {
  kind: ReportKind;
  label: string;
  /** JSON of its header in the index. */
  line: string;
  /** JSON of the report; null until it is downloaded. */
  body: string | null;
  etag: string | null;
  /** 0 if it was never requested. */
  lifetime: number;
  requested_at: number | null;
  /** When the service last said what the report is, or that it has none. */
  checked_at: number | null;
  failures: number;
  backoff: number;
  fetched_at: number | null;
  gone_at: number | null;
}

/** The facts that decide whether to fetch a report. */
export interface ReportFacts {
  label: string;
  stored: boolean;
  /** RFC 3339. */
  generatedAt: string | null;
  etag: string | null;
  lifetime: number;
  requestedAt: number | null;
  /** When the service last answered; ms since 1970. */
  checkedAt: number | null;
  goneAt: number | null;
  /** Failed requests in a row, and how long (ms) to wait after the last one. */
  failures: number;
  backoff: number;
}

/** When an index was last fetched, and when completely. Times are ms since 1970, the duration is in ms. */
export interface IndexFetch {
  at: number;
  lifetime: number;
  wholeAt: number;
}

/** Caching data of a response. The duration is in ms. */
export interface Freshness {
  etag: string | null;
  lifetime: number;
}

/** The columns of a {@link FactsRow}. They are read for a whole archive at once, so no texts are among them. */
export const FACTS_COLUMNS = `report.kind, report.label, generated_at, etag, fetched_at, gone_at, body IS NOT NULL AS stored`;

/** A report without its texts. */
export interface FactsRow extends Omit<ReportRow, 'line' | 'body'> {
  /** RFC 3339. */
  generated_at: string | null;
  /** 0 or 1. */
  stored: number;
}

export function toFacts(row: FactsRow): ReportFacts {
  const {
    label,
    etag,
    lifetime,
    requested_at: requestedAt,
    checked_at: checkedAt,
    gone_at: goneAt,
    failures,
    backoff,
  } = row;
  return {
    label,
    stored: row.stored === 1,
    generatedAt: row.generated_at,
    etag,
    lifetime,
    requestedAt,
    checkedAt,
    goneAt,
    failures,
    backoff,
  };
}

/** The first label that is in the calendar; null if none is. Labels of a kind sort by time: pass the newest first. */
export function newestLabel(kind: ReportKind, newestFirst: Iterable<string>): string | null {
  for (const label of newestFirst) if (isReportLabel(kind, label)) return label;
  return null;
}

export function lineOf({ line }: Pick<ReportRow, 'line'>): ReportHeader {
  return JSON.parse(line) as ReportHeader;
}

/** The JSON of a header with its fields in a fixed order, so that equal headers are equal texts. */
export function lineText({
  kind,
  label,
  generatedAt,
  periodStart,
  periodEnd,
  headline,
  overview,
  ...rest
}: ReportHeader): string {
  const { links, attribution, extra } = rest;
  const line: ReportHeader = {
    kind,
    label,
    generatedAt,
    periodStart,
    periodEnd,
    headline,
    overview,
    links,
    attribution,
    extra,
  };
  return JSON.stringify(line);
}

/** The header of a report: taken from the report, and from its index entry where the report has nothing itself. */
export function headOf(report: Report, listed: ReportHeader | null): ReportHeader {
  const daily = report.kind === 'daily';
  const lead = report.headline === null && report.overview === null && listed ? listed : report;
  return {
    ...report,
    generatedAt: report.generatedAt ?? listed?.generatedAt ?? null,
    periodStart: report.periodStart ?? listed?.periodStart ?? null,
    periodEnd: report.periodEnd ?? listed?.periodEnd ?? null,
    headline: lead.headline,
    overview: daily ? lead.overview : null,
    attribution: report.attribution ?? listed?.attribution ?? null,
    extra: listed?.extra ?? {},
  };
}
