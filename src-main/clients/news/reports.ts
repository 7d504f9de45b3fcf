import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import { REPORT_RESOURCE, type ReportHeader, type ReportKind } from '../../contract/model/report.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { Query } from '../http/addresses.ts';
import { LABEL_PATTERN, readReport, readReportIndex, type ReportReading } from './report-schemas.ts';
import type { Answer } from '../http/client.ts';
import type { AskOptions } from '../http/ask-options.ts';
import { brokenEnvelope, type Records } from '../parsing/records.ts';

/** The most lines that an index gives at once (document 1 section 8). */
export const LONGEST_INDEX: Readonly<Record<ReportKind, number>> = { daily: 180, weekly: 60, monthly: 60 };

/** Daily, weekly and monthly reports (document 1 sections 4.4 to 4.6). Errors: as the news client's. */
export interface ReportsClient {
  /** Which reports there are, newest first. `limit` 1 to 180 for dailies, 1 to 60 for the others. */
  reportIndex(
    kind: ReportKind,
    request: { limit: number },
    options?: AskOptions,
  ): Promise<Answer<Records<ReportHeader>>>;
  /** The newest report. Errors: also `not_found`, before the first one. */
  latestReport(kind: ReportKind, options?: AskOptions): Promise<Answer<ReportReading>>;
  /**
   * One report, by a label that an index or the newest report gave: never by one that was made up. Errors: also
   * `not_found`, where it is no longer available.
   */
  report(kind: ReportKind, label: string, options?: AskOptions): Promise<Answer<ReportReading>>;
}

type Ask = <T>(
  resource: ResourceName,
  path: string,
  query: Query,
  options: AskOptions,
  read: (value: unknown) => T,
) => Promise<Answer<T>>;

export function createReportsClient(ask: Ask): ReportsClient {
  return {
    async reportIndex(kind, request, options = {}) {
      const limit = checkLimit(kind, request.limit);
      return ask(REPORT_RESOURCE[kind], pathOf(kind), { limit }, options, (value) => readReportIndex(kind, value));
    },

    async latestReport(kind, options = {}) {
      return ask(REPORT_RESOURCE[kind], `${pathOf(kind)}/latest`, {}, options, (value) => readReport(kind, value));
    },

    async report(kind, label, options = {}) {
      if (!LABEL_PATTERN[kind].test(label)) throw new BroadsheetError('invalid_argument', 'label: is none of its kind');
      return ask(REPORT_RESOURCE[kind], `${pathOf(kind)}/${label}`, {}, options, (value) =>
        readWanted(kind, label, value),
      );
    },
  };
}

/** A report of another label would be stored under a name that is not its own. */
function readWanted(kind: ReportKind, label: string, value: unknown): ReportReading {
  const reading = readReport(kind, value);
  if (reading.report.label !== label) throw brokenEnvelope('it holds another report than the one asked for');
  return reading;
}

function pathOf(kind: ReportKind): string {
  return `/api/v1/${REPORT_RESOURCE[kind]}`;
}

function checkLimit(kind: ReportKind, limit: number): number {
  const most = LONGEST_INDEX[kind];
  if (z.int().min(1).max(most).safeParse(limit).success) return limit;
  throw new BroadsheetError('invalid_argument', `limit: must be a whole number from 1 to ${String(most)}`);
}
