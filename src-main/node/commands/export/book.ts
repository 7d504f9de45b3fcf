import type { ReportKind, ReportLine } from '../../../contract/model/report.ts';
import { MOST_REPORTS_IN_BOOK, MOST_REPORTS_IN_PART } from '../../../contract/model/export.ts';
import { REPORT_RESOURCE } from '../../../contract/model/report.ts';
import type { Wire } from '../../../contract/wire.ts';
import { ownFolders, type Invocation } from '../../invocation.ts';
import { call } from '../../open-core.ts';
import { EXIT, MachineError, UsageError, type ExitCode } from '../../shell.ts';
import { onShutdownSignal } from '../../shutdown-signals.ts';
import { writeExport, writeWhole, type Destination } from './file.ts';
import { printWritten } from './items.ts';
import { openStored } from '../reading.ts';
import { labelOf } from '../reports.ts';

export interface JoinedOptions {
  kind: ReportKind;
  /** Undefined for all, or for those of `month`. */
  key: string | undefined;
  /** YYYY-MM. */
  month: string | undefined;
  format: 'atom' | 'epub';
  out: string;
}

/** Writes reports to one file: an Atom feed, or an e-book. Exit code 1 if a listed report has not been downloaded. */
export async function exportJoined(invocation: Invocation, options: JoinedOptions): Promise<ExitCode> {
  const opened = await openStored(invocation);
  try {
    const { labels, missing } = await chosen(opened.wire, options);
    if (labels.length === 0)
      throw new MachineError(
        `No ${REPORT_RESOURCE[options.kind]}${options.month === undefined ? '' : ` of ${options.month}`} are saved: see \`broadsheet list ${REPORT_RESOURCE[options.kind]}\`.`,
      );
    const write = options.format === 'epub' ? writeBook : writeFeed;
    const to = { out: options.out, ownFolders: ownFolders(invocation) };
    const written = await write(opened.wire, options, labels, to);
    await printWritten(invocation, { ...written, left: missing }, 'report');
    return missing > 0 ? EXIT.failed : EXIT.well;
  } finally {
    await opened.close();
  }
}

/** Newest first. */
async function chosen(wire: Wire, { kind, key, month }: JoinedOptions): Promise<{ labels: string[]; missing: number }> {
  if (key !== undefined) return { labels: [await labelOf(wire, kind, key)], missing: 0 };
  const { lines } = await call(wire, 'reports.index', { kind });
  const wanted = lines.filter(({ label }) => month === undefined || label.startsWith(`${month}-`));
  const isMissing = ({ stored, goneAt }: ReportLine): boolean => !stored && goneAt === null;
  return {
    labels: wanted.filter(({ stored }) => stored).map(({ label }) => label),
    missing: wanted.filter(isMissing).length,
  };
}

async function writeFeed(wire: Wire, { kind, month }: JoinedOptions, labels: string[], to: Destination) {
  const stop = new AbortController();
  onShutdownSignal(() => stop.abort(), { watchStdin: false });
  const of = { kind, ...(month !== undefined && { month }) };
  return writeExport(
    to,
    {
      frame: (updatedAt) => call(wire, 'reports.feedFrame', { ...of, ...(updatedAt !== null && { updatedAt }) }),
      part: async (cursor) => {
        const start = Number(cursor ?? 0);
        const end = start + MOST_REPORTS_IN_PART;
        const part = await call(wire, 'reports.feed', { kind, labels: labels.slice(start, end) });
        return { ...part, next: end < labels.length ? String(end) : null };
      },
    },
    stop.signal,
  );
}

async function writeBook(wire: Wire, { kind, month }: JoinedOptions, labels: string[], to: Destination) {
  if (labels.length > MOST_REPORTS_IN_BOOK) {
    const hint = kind === 'daily' ? 'Give a month: --month YYYY-MM.' : 'Give one report.';
    throw new UsageError(
      `An e-book has at most ${MOST_REPORTS_IN_BOOK} reports, and ${labels.length} ${REPORT_RESOURCE[kind]} are saved. ${hint}`,
    );
  }
  const book = await call(wire, 'reports.book', { kind, labels, ...(month !== undefined && { month }) });
  const file = await writeWhole(to, book.name, Buffer.from(book.base64, 'base64'));
  return { file, count: labels.length };
}
