import { counted } from '../../../common/numbers.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Args } from '../../../contract/methods.ts';
import type { ReportKind, ReportLine } from '../../../contract/model/report.ts';
import { REPORT_RESOURCE } from '../../../contract/model/report.ts';
import type { Wire } from '../../../contract/wire.ts';
import { BroadsheetError } from '../../../contract/errors.ts';
import { writeAtomically } from '../../../core/files/atomic-write.ts';
import { fileToWrite, placeToWrite } from '../../../core/files/chosen-file.ts';
import { ownFolders, type Invocation } from '../../invocation.ts';
import { call } from '../../open-core.ts';
import { EXIT, MachineError, type ExitCode } from '../../shell.ts';
import { onShutdownSignal } from '../../shutdown-signals.ts';
import { jsonLine } from '../../terminal.ts';
import { makeFolders, whyNotWritten } from '../file-errors.ts';
import { labelOf } from '../reports.ts';
import { openStored } from '../reading.ts';

export type ReportFormat = Args<'reports.render'>['format'];

interface ExportOptions {
  kind: ReportKind;
  /** Undefined for all reports, or for those of `month`. */
  key: string | undefined;
  /** YYYY-MM. */
  month: string | undefined;
  format: ReportFormat;
  out: string;
}

interface Summary {
  written: number;
  unchanged: number;
  /** In the index, but not downloaded. */
  missing: number;
}

/**
 * Exports saved reports. Files are written atomically, and unchanged ones are skipped, so that an interrupted export can be
 * resumed. Exit code 1 if a listed report has not been downloaded, or if interrupted.
 */
export async function exportReports(invocation: Invocation, options: ExportOptions): Promise<ExitCode> {
  const opened = await openStored(invocation);
  const stop = new AbortController();
  onShutdownSignal(() => stop.abort(), { watchStdin: false });
  try {
    const { labels, missing } = await chosen(opened.wire, options);
    await makeFolder(options.out, ownFolders(invocation));
    const summary: Summary = { written: 0, unchanged: 0, missing };
    for (const [index, label] of labels.entries()) {
      if (stop.signal.aborted) break;
      await exportOne(invocation, opened.wire, options, { label, progress: `${index + 1}/${labels.length}` }, summary);
    }
    await printSummary(invocation, options, summary, stop.signal.aborted);
    return stop.signal.aborted || missing > 0 ? EXIT.failed : EXIT.well;
  } finally {
    await opened.close();
  }
}

/** Newest first. */
async function chosen(wire: Wire, { kind, key, month }: ExportOptions): Promise<{ labels: string[]; missing: number }> {
  if (key !== undefined) return { labels: [await labelOf(wire, kind, key)], missing: 0 };
  const { lines: known } = await call(wire, 'reports.index', { kind });
  const lines = known.filter(({ label }) => month === undefined || label.startsWith(`${month}-`));
  const labels = lines.filter(({ stored }: ReportLine) => stored).map(({ label }) => label);
  return { labels, missing: lines.filter(({ stored, goneAt }) => !stored && goneAt === null).length };
}

async function exportOne(
  invocation: Invocation,
  wire: Wire,
  { kind, format, out }: ExportOptions,
  { label, progress }: { label: string; progress: string },
  summary: Summary,
): Promise<void> {
  const { name, text } = await call(wire, 'reports.render', { kind, label, format });
  const changed = await writeChanged(path.join(out, name), text, ownFolders(invocation));
  if (changed) summary.written += 1;
  else summary.unchanged += 1;
  await invocation.shell.err.line(`${progress} ${name}${changed ? '' : ' (unchanged)'}`);
}

/** Returns false if the file already has this text. Errors: `MachineError`, `file_refused`. */
async function writeChanged(named: string, text: string, own: readonly string[]): Promise<boolean> {
  try {
    const file = await fileToWrite(named, own);
    if ((await readFile(file, 'utf8').catch(() => null)) === text) return false;
    await writeAtomically(file, text, { keepsMode: true });
  } catch (error) {
    if (error instanceof BroadsheetError) throw error;
    throw new MachineError(`Cannot write ${named}: ${whyNotWritten(error)}. The files written before it are complete.`);
  }
  return true;
}

/** Errors: `MachineError`, `file_refused`. */
async function makeFolder(folder: string, own: readonly string[]): Promise<void> {
  try {
    await makeFolders(await placeToWrite(folder, own));
  } catch (error) {
    if (error instanceof BroadsheetError) throw error;
    throw new MachineError(`Cannot create the folder ${folder}: ${whyNotWritten(error)}.`);
  }
}

async function printSummary(
  { shell, json }: Invocation,
  { kind, out }: ExportOptions,
  summary: Summary,
  stopped: boolean,
): Promise<void> {
  const { written, unchanged, missing } = summary;
  if (json) return shell.out.line(jsonLine({ folder: path.resolve(out), ...summary, stopped }));
  await shell.out.line(`${counted(written, 'file')} written, ${unchanged} unchanged, in ${path.resolve(out)}`);
  if (stopped) await shell.err.line('Interrupted. Run the same command again to continue.');
  if (missing === 0) return;
  await shell.err.line(
    `${missing} listed ${REPORT_RESOURCE[kind]} have not been downloaded yet: run \`broadsheet sync --all\`.`,
  );
}
