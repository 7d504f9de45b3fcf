import { counted } from '../../common/numbers.ts';
import { newestPublished, nextPublication } from '../../common/publication-timetable.ts';
import { lineAsServed, reportAsServed } from '../../common/report-json.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { REPORT_RESOURCE, type ReportKind, type ReportLine, type StoredReport } from '../../contract/model/report.ts';
import { isReportLabel } from '../../contract/report-labels.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Invocation } from '../invocation.ts';
import { call } from '../open-core.ts';
import { UsageError, type ExitCode } from '../shell.ts';
import { bold, dim, line, type Text } from '../styled-text.ts';
import { reportDocument } from '../../render/report.ts';
import { TERMINAL_AUDIENCE, toTerminal } from './document-text.ts';
import { writeList, writeOne } from './reading.ts';
import { sinceMs, type Since } from './since.ts';

/** Prints all entries of an index, newest first; as JSON, with the service's field names. */
export function listReports(
  invocation: Invocation,
  kind: ReportKind,
  { unread = false, since, limit }: { unread?: boolean; since?: Since; limit?: number },
): Promise<ExitCode> {
  return writeList(invocation, {
    ...(limit !== undefined && { limit }),
    read: async (wire) => {
      const { lines } = await call(wire, 'reports.index', { kind });
      const from = since === undefined ? '' : firstLabelSince(kind, await sinceMs(wire, since));
      return lines.filter(({ label, readAt }) => label >= from && (!unread || readAt === null));
    },
    asJson: lineAsJson,
    format: lineText,
    empty: `No ${REPORT_RESOURCE[kind]} to list.`,
  });
}

/** The first report that is published then or later. Labels of a kind sort by time. */
function firstLabelSince(kind: ReportKind, since: number): string {
  return nextPublication(kind, since - 1).label;
}

/** Prints a saved report in full; as JSON, with the service's field names. Errors: `not_found`. */
export function showReport(invocation: Invocation, kind: ReportKind, key: string): Promise<ExitCode> {
  return writeOne(invocation, {
    read: async (wire) => call(wire, 'reports.get', { kind, label: await labelOf(wire, kind, key) }),
    asJson: reportAsJson,
    format: (report) => toTerminal(reportDocument(report, TERMINAL_AUDIENCE)),
  });
}

const LABELS: Readonly<Record<ReportKind, string>> = {
  daily: 'a date such as 2026-11-20',
  weekly: 'an ISO week such as 2026-W47',
  monthly: 'a month such as 2026-11',
};

/**
 * Resolves `latest` to the label of the newest saved report. Errors: `not_found` if there is none, `UsageError` for what is no
 * label of this kind.
 */
export async function labelOf(wire: Wire, kind: ReportKind, key: string): Promise<string> {
  if (key !== 'latest') {
    if (isReportLabel(kind, key)) return key;
    throw new UsageError(`there is no ${kind} '${key}': give ${LABELS[kind]}, or latest`);
  }
  const { lines } = await call(wire, 'reports.index', { kind });
  const stored = lines.filter((line) => line.stored);
  const newest = newestPublished(kind, stored, Date.now());
  if (newest) return newest.label;
  throw new BroadsheetError('not_found', `No ${REPORT_RESOURCE[kind]} saved yet: run \`broadsheet sync\`.`);
}

function lineAsJson(line: ReportLine): object {
  const { kind, label, stored, goneAt, readAt, corrections } = line;
  return { ...lineAsServed(line), kind, label, stored, goneAt, readAt, corrections };
}

/** The service's fields and ours. */
function reportAsJson(report: StoredReport): object {
  const { kind, label, fetchedAt, checkedAt, goneAt, readAt, previous, next, corrections } = report;
  return { ...reportAsServed(report), kind, label, fetchedAt, checkedAt, goneAt, readAt, previous, next, corrections };
}

function lineText({ label, headline, stored, goneAt, readAt, corrections }: ReportLine): Text {
  const corrected = corrections === 0 ? '' : ` (${counted(corrections, 'correction')})`;
  const missing = goneAt !== null ? ' (no longer available)' : stored ? '' : ' (not downloaded yet)';
  const title = headline ?? '-';
  return line`${readAt === null ? 'o' : ' '} ${dim(label.padEnd(10))} ${readAt === null ? bold(title) : title}${corrected}${missing}`;
}
