import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import { REPORT_RESOURCE, type ReportHeader, type ReportKind } from '../../contract/model/report.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import { isReportLabel } from '../../contract/report-labels.ts';
import type { Query } from '../http/addresses.ts';
import { fetchWithinSize } from './page-size.ts';
import { readReport, readReportIndex, type ReportReading } from './report-schemas.ts';
import type { Answer } from '../http/client.ts';
import type { FetchOptions } from '../http/fetch-options.ts';
import { brokenEnvelope, type Records } from '../parsing/records.ts';

/** Maximum number of entries per index request (document 1 section 8). */
export const MAX_INDEX_LENGTH: Readonly<Record<ReportKind, number>> = { daily: 180, weekly: 60, monthly: 60 };

/** Daily, weekly and monthly reports (document 1 sections 4.4 to 4.6). Errors: see `NewsClient`. */
export interface ReportsClient {
  /** The available reports, newest first. `limit` is 1 to 180 for dailies, 1 to 60 for the others. */
  reportIndex(
    kind: ReportKind,
    request: { limit: number },
    options?: FetchOptions,
  ): Promise<Answer<Records<ReportHeader>>>;
  /** The newest report. Errors: also `not_found` before the first one is published. */
  latestReport(kind: ReportKind, options?: FetchOptions): Promise<Answer<ReportReading>>;
  /**
   * One report, by a label from an index or the newest report; labels are never guessed. Errors: also `not_found` if it is
   * no longer available.
   */
  report(kind: ReportKind, label: string, options?: FetchOptions): Promise<Answer<ReportReading>>;
}

type FetchJson = <T>(
  resource: ResourceName,
  path: string,
  query: Query,
  options: FetchOptions,
  read: (value: unknown) => T,
) => Promise<Answer<T>>;

export function createReportsClient(fetchJson: FetchJson): ReportsClient {
  return {
    async reportIndex(kind, request, options = {}) {
      const whole = { limit: checkLimit(kind, request.limit), validator: options.validator };
      return fetchWithinSize(whole, ({ limit, validator }) =>
        fetchJson(REPORT_RESOURCE[kind], pathOf(kind), { limit }, { ...options, validator }, (value) =>
          readReportIndex(kind, value, limit),
        ),
      );
    },

    async latestReport(kind, options = {}) {
      return fetchJson(REPORT_RESOURCE[kind], `${pathOf(kind)}/latest`, {}, options, (value) =>
        readReport(kind, value),
      );
    },

    async report(kind, label, options = {}) {
      if (!isReportLabel(kind, label))
        throw new BroadsheetError('invalid_argument', 'label: does not match the kind of report');
      return fetchJson(REPORT_RESOURCE[kind], `${pathOf(kind)}/${label}`, {}, options, (value) =>
        readRequested(kind, label, value),
      );
    },
  };
}

/** Rejects a report with another label, which would be stored under the wrong one. */
function readRequested(kind: ReportKind, label: string, value: unknown): ReportReading {
  const reading = readReport(kind, value);
  if (reading.report.label !== label) throw brokenEnvelope('it contains another report than the requested one');
  return reading;
}

function pathOf(kind: ReportKind): string {
  return `/api/v1/${REPORT_RESOURCE[kind]}`;
}

function checkLimit(kind: ReportKind, limit: number): number {
  const most = MAX_INDEX_LENGTH[kind];
  if (z.int().min(1).max(most).safeParse(limit).success) return limit;
  throw new BroadsheetError('invalid_argument', `limit: must be a whole number from 1 to ${String(most)}`);
}
