import path from 'node:path';
import type { MarksFolder, MarksMachine } from '../../../contract/model/marks-folder.ts';
import type { Wire } from '../../../contract/wire.ts';
import type { Invocation } from '../../invocation.ts';
import { call, openCore, openReadingCore } from '../../open-core.ts';
import { EXIT, type ExitCode } from '../../shell.ts';
import { line, red } from '../../styled-text.ts';
import { counted, jsonLine, localTime, oneLine } from '../../terminal.ts';

const NOT_SHARED: MarksFolder = {
  folder: null,
  machines: [],
  comparedAt: null,
  waiting: 0,
  leftOut: 0,
  unreadable: 0,
  failure: null,
};

/**
 * Shows what the last comparison found, without the lock of the data folder: also while the app runs. Exit code 1 if the
 * folder could not be used then.
 */
export async function showMarksFolder(invocation: Invocation): Promise<ExitCode> {
  const opened = await openReadingCore(invocation);
  const status = opened ? await call(opened.wire, 'marksFolder.get', {}).finally(opened.close) : NOT_SHARED;
  return write(invocation, status);
}

/** Compares marks and folder, and shows the result. Exit code 1 if the folder could not be used. */
export function compareMarksFolder(invocation: Invocation): Promise<ExitCode> {
  return run(invocation, (wire) => call(wire, 'marksFolder.compare', {}));
}

/** Errors: `invalid_argument` for what is no folder, `data_read_only`, `disk_full`. */
export function setMarksFolder(invocation: Invocation, folder: string): Promise<ExitCode> {
  return run(invocation, (wire) => call(wire, 'marksFolder.set', { folder: path.resolve(folder) }));
}

export function leaveMarksFolder(invocation: Invocation): Promise<ExitCode> {
  return run(invocation, (wire) => call(wire, 'marksFolder.off', {}));
}

/** Errors: `not_found`, `invalid_argument` for an id that is none and for this machine. */
export function removeMarksMachine(invocation: Invocation, machine: string): Promise<ExitCode> {
  return run(invocation, (wire) => call(wire, 'marksFolder.remove', { machine }));
}

async function run(invocation: Invocation, work: (wire: Wire) => Promise<MarksFolder>): Promise<ExitCode> {
  const opened = await openCore(invocation, { fetches: false, waits: true });
  return write(invocation, await work(opened.wire).finally(opened.close));
}

async function write({ shell, json }: Invocation, status: MarksFolder): Promise<ExitCode> {
  for (const text of json ? [jsonLine(status)] : statusLines(status)) await shell.out.line(text);
  if (status.failure && !json) await shell.err.line(line`${red('broadsheet:')} ${status.failure.message}`);
  return status.failure ? EXIT.failed : EXIT.well;
}

function statusLines({ folder, machines, comparedAt, waiting, leftOut, unreadable }: MarksFolder): string[] {
  if (folder === null) return ['Marks are not shared. Set a folder with marks-folder set.'];
  const lines = [`Marks are shared through ${oneLine(folder)}`];
  const width = Math.max(0, ...machines.map((machine) => nameOf(machine).length));
  for (const machine of machines.toSorted((one, other) => Number(other.isThis) - Number(one.isThis))) {
    lines.push(`  ${machine.id}  ${nameOf(machine).padEnd(width)}  last seen ${localTime(machine.seenAt)}`);
  }
  lines.push(
    comparedAt === null
      ? 'Not compared yet: run marks-folder compare.'
      : `As of the last comparison, ${localTime(comparedAt)}`,
  );
  if (waiting > 0) lines.push(`${counted(waiting, 'mark')} not in the folder yet`);
  if (leftOut > 0) lines.push(`${counted(leftOut, 'mark')} of other machines left out: there is no room here`);
  if (unreadable > 0)
    lines.push(`${String(unreadable)} unreadable lines or files in the folder; they are read again when they change`);
  return lines;
}

function nameOf({ name, isThis }: MarksMachine): string {
  return `${oneLine(name) || 'unnamed'}${isThis ? ' (this machine)' : ''}`;
}
