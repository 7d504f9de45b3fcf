import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Args } from '../../contract/api.ts';
import type { ReportKind, ReportLine } from '../../contract/model/report.ts';
import { REPORT_RESOURCE } from '../../contract/model/report.ts';
import type { Wire } from '../../contract/wire.ts';
import { writeAtomically } from '../../core/files/atomic-write.ts';
import type { Invocation } from '../invocation.ts';
import { ask } from '../open-core.ts';
import { EXIT, MachineError, type ExitCode } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';
import { counted, jsonLine } from '../terminal.ts';
import { labelOf } from './reports.ts';
import { openStored } from './reading.ts';

export type ReportFormat = Args<'reports.render'>['format'];

interface ExportOptions {
  kind: ReportKind;
  /** Undefined for all of them. */
  key: string | undefined;
  format: ReportFormat;
  out: string;
}

interface Tally {
  written: number;
  unchanged: number;
  /** Listed, and not stored: there is nothing to write. */
  missing: number;
}

/**
 * Stored reports as files. A file is whole or not there, whenever this is ended; what is there already and the same is left
 * alone, so that the next time goes on. Exit 1 where a listed report is not stored yet, or it was ended early.
 */
export async function exportReports(invocation: Invocation, options: ExportOptions): Promise<ExitCode> {
  const opened = await openStored(invocation);
  const stop = new AbortController();
  onShutdownSignal(() => stop.abort(), { watchStdin: false });
  try {
    const { labels, missing } = await chosen(opened.wire, options);
    await makeFolder(options.out);
    const tally: Tally = { written: 0, unchanged: 0, missing };
    for (const [index, label] of labels.entries()) {
      if (stop.signal.aborted) break;
      await exportOne(invocation, opened.wire, options, { label, place: `${index + 1}/${labels.length}` }, tally);
    }
    await sumUp(invocation, options, tally, stop.signal.aborted);
    return stop.signal.aborted || missing > 0 ? EXIT.failed : EXIT.well;
  } finally {
    await opened.close();
  }
}

/** Newest first. */
async function chosen(wire: Wire, { kind, key }: ExportOptions): Promise<{ labels: string[]; missing: number }> {
  if (key !== undefined) return { labels: [await labelOf(wire, kind, key)], missing: 0 };
  const { lines } = await ask(wire, 'reports.index', { kind });
  const labels = lines.filter(({ stored }: ReportLine) => stored).map(({ label }) => label);
  return { labels, missing: lines.filter(({ stored, goneAt }) => !stored && goneAt === null).length };
}

async function exportOne(
  { shell }: Invocation,
  wire: Wire,
  { kind, format, out }: ExportOptions,
  { label, place }: { label: string; place: string },
  tally: Tally,
): Promise<void> {
  const { name, text } = await ask(wire, 'reports.render', { kind, label, format });
  const changed = await writeChanged(path.join(out, name), text);
  if (changed) tally.written += 1;
  else tally.unchanged += 1;
  await shell.err.line(`${place} ${name}${changed ? '' : ' (unchanged)'}`);
}

/** False where the file holds this text already. Errors: `MachineError`. */
async function writeChanged(file: string, text: string): Promise<boolean> {
  const before = await readFile(file, 'utf8').catch(() => null);
  if (before === text) return false;
  try {
    await writeAtomically(file, text);
  } catch (error) {
    throw new MachineError(`${file} could not be written (${codeOf(error)}). What was written before it stays.`);
  }
  return true;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new MachineError(`The folder ${folder} could not be made (${codeOf(error)}).`);
  }
}

async function sumUp(
  { shell, json }: Invocation,
  { kind, out }: ExportOptions,
  tally: Tally,
  stopped: boolean,
): Promise<void> {
  const { written, unchanged, missing } = tally;
  if (json) return shell.out.line(jsonLine({ folder: path.resolve(out), ...tally, stopped }));
  await shell.out.line(`${counted(written, 'file')} written, ${unchanged} unchanged, in ${path.resolve(out)}`);
  if (stopped) await shell.err.line('Stopped before the end. The same command goes on from here.');
  if (missing === 0) return;
  await shell.err.line(`${missing} listed ${REPORT_RESOURCE[kind]} are not stored yet: run \`broadsheet sync --all\`.`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown cause';
}
