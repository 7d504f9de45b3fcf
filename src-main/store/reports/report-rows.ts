import type { Report, ReportHeader, ReportKind } from '../../contract/model/report.ts';

/** A row of `report`, with what the fetch log knows of the asking. Times are ms since 1970, spans ms. */
export interface ReportRow {
  kind: ReportKind;
  label: string;
  /** JSON of the index's line. */
  line: string;
  /** JSON of the report; null until it was fetched. */
  body: string | null;
  etag: string | null;
  /** 0 where it was never asked for. */
  lifetime: number;
  asked_at: number | null;
  fetched_at: number | null;
  gone_at: number | null;
}

/** What decides whether a report is asked for. */
export interface ReportFacts {
  label: string;
  stored: boolean;
  /** RFC 3339. */
  generatedAt: string | null;
  etag: string | null;
  lifetime: number;
  askedAt: number | null;
  goneAt: number | null;
}

/** When an index was last read, and when to its end. Times are ms since 1970, span in ms. */
export interface IndexCheck {
  at: number;
  lifetime: number;
  wholeAt: number;
}

/** What an answer says of the copy that it brings or confirms. Span in ms. */
export interface Freshness {
  etag: string | null;
  lifetime: number;
}

export function toFacts(row: ReportRow): ReportFacts {
  const { label, etag, lifetime, asked_at: askedAt, gone_at: goneAt } = row;
  return { label, stored: row.body !== null, generatedAt: lineOf(row).generatedAt, etag, lifetime, askedAt, goneAt };
}

export function lineOf({ line }: Pick<ReportRow, 'line'>): ReportHeader {
  return JSON.parse(line) as ReportHeader;
}

/** A line as it is stored: always in one order, so that lines that say the same are the same text. */
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

/** The line of a report as its report tells it: what the report no longer says must not stay in a line either. */
export function headOf({ overview, attribution, ...report }: Report): ReportHeader {
  const daily = report.kind === 'daily';
  return { ...report, overview: daily ? overview : null, attribution: daily ? attribution : null, extra: {} };
}
