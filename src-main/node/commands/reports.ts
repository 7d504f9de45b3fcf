import { countOf } from '../../common/numbers.ts';
import { newestPublished, nextPublication } from '../../common/publication-timetable.ts';
import { lineAsServed, reportAsServed } from '../../common/report-json.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  isReportLabel,
  REPORT_RESOURCE,
  type ReportKind,
  type ReportLine,
  type StoredReport,
} from '../../contract/model/report.ts';
import type { Call } from '../../contract/wire.ts';
import { command, listCommand, text, type Command } from '../command.ts';
import { UsageError } from '../shell.ts';
import { bold, dim, line, type Text } from '../terminal-text.ts';
import { listOptions, sinceMs } from './list-options.ts';

export const REPORT_COMMANDS = {
  'list dailies': list('daily'),
  'list weeklies': list('weekly'),
  'list monthlies': list('monthly'),
  'show daily': show('daily'),
  'show weekly': show('weekly'),
  'show monthly': show('monthly'),
};

/** As JSON, with the service's field names. */
function list(kind: ReportKind): Command {
  return listCommand({
    needs: 'reads',
    options: listOptions('unread', 'since'),
    async *run({ unread, since, limit }, { call }) {
      const { lines } = await call('reports.index', { kind });
      // The first that is published then or later. Labels of a kind sort by time.
      const from = since === undefined ? '' : nextPublication(kind, (await sinceMs(call, since)) - 1).label;
      yield* lines.filter(({ label, readAt }) => label >= from && (!unread || readAt === null)).slice(0, limit);
    },
    text: lineText,
    json: lineAsJson,
    empty: `No ${REPORT_RESOURCE[kind]} to list.`,
  });
}

function show(kind: ReportKind): Command {
  return command({
    needs: 'reads',
    args: { id: { ...text('', 20), defaultValue: 'latest' } },
    run: async ({ id }, { call }) => call('reports.get', { kind, label: await labelOf(call, kind, id) }),
    text: async (report) => (await import('./document-text.ts')).reportText(report),
    json: reportAsJson,
  });
}

const LABELS: Readonly<Record<ReportKind, string>> = {
  daily: 'a date such as 2026-11-20',
  weekly: 'an ISO week such as 2026-W47',
  monthly: 'a month such as 2026-11',
};

/** Resolves `latest` to the newest saved label. Errors: `not_found` without one, `UsageError` for an invalid label. */
export async function labelOf(call: Call, kind: ReportKind, key: string): Promise<string> {
  if (key !== 'latest') {
    if (isReportLabel(kind, key)) return key;
    throw new UsageError(`there is no ${kind} '${key}': give ${LABELS[kind]}, or latest`);
  }
  const { lines } = await call('reports.index', { kind });
  const stored = lines.filter((line) => line.stored);
  const newest = newestPublished(kind, stored, Date.now());
  if (newest) return newest.label;
  throw new BroadsheetError('not_found', `No ${REPORT_RESOURCE[kind]} saved yet: run \`broadsheet sync\`.`);
}

function lineAsJson(line: ReportLine): object {
  const { kind, label, stored, goneAt, readAt, corrections } = line;
  return { ...lineAsServed(line), kind, label, stored, goneAt, readAt, corrections };
}

function reportAsJson(report: StoredReport): object {
  const { kind, label, fetchedAt, checkedAt, goneAt, readAt, previous, next, corrections } = report;
  return { ...reportAsServed(report), kind, label, fetchedAt, checkedAt, goneAt, readAt, previous, next, corrections };
}

function lineText({ label, headline, stored, goneAt, readAt, corrections }: ReportLine): Text {
  const corrected = corrections === 0 ? '' : ` (${countOf(corrections, 'correction')})`;
  const missing = goneAt !== null ? ' (no longer available)' : stored ? '' : ' (not downloaded yet)';
  const title = headline ?? '-';
  return line`${readAt === null ? 'o' : ' '} ${dim(label.padEnd(10))} ${readAt === null ? bold(title) : title}${corrected}${missing}`;
}
