import { counted } from '../../../common/numbers.ts';
import path from 'node:path';
import { machineId } from '../../../contract/guards.ts';
import {
  LONGEST_PASSPHRASE,
  NOT_SHARED,
  SHORTEST_PASSPHRASE,
  type MarksFolder,
  type MarksMachine,
  type MarksRefusal,
} from '../../../contract/model/marks-folder.ts';
import type { Wire } from '../../../contract/wire.ts';
import type { Invocation } from '../../invocation.ts';
import { call, openCore, openReadingCore } from '../../open-core.ts';
import { EXIT, UsageError, type ExitCode } from '../../shell.ts';
import { line, red } from '../../styled-text.ts';
import { jsonLine, localTime, oneLine } from '../../terminal.ts';

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

/**
 * Shares marks through a folder: encrypted with a passphrase from standard input (true), not encrypted (false), or as
 * before. Errors: `invalid_argument` for what is no folder and for a wrong passphrase, `data_read_only`, `disk_full`;
 * `UsageError` for what can't be a passphrase.
 */
export async function setMarksFolder(
  invocation: Invocation,
  name: string,
  { encrypts, settings }: { encrypts?: boolean; settings?: boolean } = {},
): Promise<ExitCode> {
  const choice = { folder: path.resolve(name), ...(settings !== undefined && { settings }) };
  if (encrypts === undefined) return run(invocation, (wire) => call(wire, 'marksFolder.set', choice));
  const passphrase = encrypts ? await readPassphrase(invocation) : null;
  const code = await run(invocation, (wire) => call(wire, 'marksFolder.set', { ...choice, passphrase }), encrypts);
  if (encrypts && !invocation.json) {
    await invocation.shell.err.line(
      'The key is in the data folder, in a file that only you can read. Remember the passphrase.',
    );
  }
  return code;
}

async function readPassphrase({ shell }: Invocation): Promise<string> {
  const { input, err } = shell;
  const ask = async (): Promise<void> => {
    if (input.isTerminal) await err.line('Enter the passphrase. It is not shown:');
  };
  const passphrase = (await input.line({ longest: LONGEST_PASSPHRASE + 1, hidden: true, ask })) ?? '';
  if (passphrase === '') throw new UsageError('there is no passphrase on standard input');
  if (passphrase.length < SHORTEST_PASSPHRASE || passphrase.length > LONGEST_PASSPHRASE) {
    const limits = `${String(SHORTEST_PASSPHRASE)} to ${String(LONGEST_PASSPHRASE)}`;
    throw new UsageError(`a passphrase has ${limits} characters`);
  }
  return passphrase;
}

export function leaveMarksFolder(invocation: Invocation): Promise<ExitCode> {
  return run(invocation, (wire) => call(wire, 'marksFolder.off', {}));
}

/** Errors: `not_found`, `invalid_argument` for an id that is none and for this machine. */
export function removeMarksMachine(invocation: Invocation, machine: string): Promise<ExitCode> {
  if (!machineId.safeParse(machine).success) {
    throw new UsageError(`there is no machine '${machine}': see marks-folder status`);
  }
  return run(invocation, (wire) => call(wire, 'marksFolder.remove', { machine }));
}

async function run(
  invocation: Invocation,
  work: (wire: Wire) => Promise<MarksFolder>,
  savesMarksKeys = false,
): Promise<ExitCode> {
  const opened = await openCore(invocation, { fetches: false, waits: true, savesMarksKeys });
  return write(invocation, await work(opened.wire).finally(opened.close));
}

async function write({ shell, json }: Invocation, status: MarksFolder): Promise<ExitCode> {
  for (const text of json ? [jsonLine(status)] : statusLines(status)) await shell.out.line(text);
  if (status.failure && !json) await shell.err.line(line`${red('broadsheet:')} ${status.failure.message}`);
  return status.failure ? EXIT.failed : EXIT.well;
}

function statusLines(status: MarksFolder): string[] {
  const { folder, machines, comparedAt, waiting, leftOut, unreadable } = status;
  if (folder === null) return ['Marks are not shared. Set a folder with marks-folder set.'];
  const lines = [`Marks are shared through ${oneLine(folder)}${status.encrypted ? ', encrypted' : ''}`];
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
  if (unreadable === 1) lines.push('1 unreadable line or file in the folder; it is read again when it changes');
  if (unreadable > 1)
    lines.push(`${String(unreadable)} unreadable lines or files in the folder; they are read again when they change`);
  return [...lines, ...extraLines(status)];
}

const REFUSED: Readonly<Record<MarksRefusal, (count: number) => string>> = {
  irregular: (count) =>
    count === 1
      ? '1 entry not read because it is a link or no regular file'
      : `${String(count)} entries not read because they are links or no regular files`,
  too_large: (count) => `${counted(count, 'part')} not read: larger than what Broadsheet writes`,
  too_many: (count) => `${counted(count, 'part')} left for the next comparisons: too many at once`,
  implausible: (count) => `${counted(count, 'mark')} with impossible times left out: check the clocks of your machines`,
  no_room: (count) =>
    `${counted(count, 'mark')} left out because a machine wrote too many: check who can write to the folder`,
};

function extraLines({ locked, sealed, plain, refused, settings, unknownSettings }: MarksFolder): string[] {
  const lines: string[] = [];
  if (settings) lines.push('Settings are shared, too.');
  if (unknownSettings > 0) lines.push(`${counted(unknownSettings, 'setting')} of a later version not used here`);
  if (locked) lines.push('Enter the passphrase: run marks-folder set with the same folder and --passphrase.');
  if (sealed > 0) lines.push(`${counted(sealed, 'encrypted line')} of other machines cannot be read without it`);
  if (plain > 0) lines.push(`${counted(plain, 'file')} of other machines not encrypted and therefore not read`);
  lines.push(...refused.map(({ reason, count }) => REFUSED[reason](count)));
  return lines;
}

function nameOf({ name, isThis }: MarksMachine): string {
  return `${oneLine(name) || 'unnamed'}${isThis ? ' (this machine)' : ''}`;
}
