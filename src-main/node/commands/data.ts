import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Backup, ImportResult } from '../../contract/user-data.ts';
import type { Wire } from '../../contract/wire.ts';
import { writeAtomically } from '../../core/files/atomic-write.ts';
import type { Invocation } from '../invocation.ts';
import { ask, openCore } from '../open-core.ts';
import { EXIT, MachineError, type ExitCode } from '../shell.ts';
import { byteSize } from '../../common/numbers.ts';
import { counted, jsonLine, localTime, oneLine } from '../terminal.ts';
import { openStored } from './reading.ts';

/** All that the reader did and chose, as a file that is whole or not there. Works beside a running Broadsheet. */
export async function exportData(invocation: Invocation, file: string): Promise<ExitCode> {
  const opened = await openStored(invocation);
  const { text } = await ask(opened.wire, 'data.export', {}).finally(opened.close);
  const place = path.resolve(file);
  try {
    await writeAtomically(place, text);
  } catch (error) {
    throw new MachineError(`${place} could not be written (${codeOf(error)}).`);
  }
  await say(invocation, { file: place, bytes: Buffer.byteLength(text) }, `Exported to ${place}`);
  return EXIT.well;
}

/** Takes an export in. Exit 1 for a file that is none; what could not be read of one is told, and the rest is in. */
export async function importData(invocation: Invocation, file: string): Promise<ExitCode> {
  const text = await readText(path.resolve(file));
  const report = await writing(invocation, (wire) => ask(wire, 'data.import', { text })).catch(refuseFile);
  await say(invocation, report, reportInWords(report));
  return EXIT.well;
}

/** Newest first. */
export async function backups(invocation: Invocation): Promise<ExitCode> {
  const opened = await openStored(invocation);
  const { backups: kept } = await ask(opened.wire, 'data.backups', {}).finally(opened.close);
  if (kept.length === 0) await invocation.shell.err.line('There are no backups yet.');
  for (const backup of kept) await say(invocation, backup, backupInWords(backup));
  return EXIT.well;
}

export async function backUp(invocation: Invocation): Promise<ExitCode> {
  const { backups: kept } = await writing(invocation, (wire) => ask(wire, 'data.backUp', {}));
  const [newest] = kept;
  if (newest) await say(invocation, newest, backupInWords(newest));
  return EXIT.well;
}

export async function restore(invocation: Invocation, name: string): Promise<ExitCode> {
  await writing(invocation, (wire) => ask(wire, 'data.restore', { name }));
  const words = `${name} is in the place of user.db now. The one before is kept beside it, as user.db.replaced-…`;
  await say(invocation, { restored: name }, words);
  return EXIT.well;
}

export async function rebuild(invocation: Invocation): Promise<ExitCode> {
  await writing(invocation, (wire) => ask(wire, 'data.rebuildMirror', {}));
  await say(
    invocation,
    { rebuilt: true },
    'The mirror is empty: `broadsheet sync` fetches it anew. What you did is kept.',
  );
  return EXIT.well;
}

async function writing<T>(invocation: Invocation, work: (wire: Wire) => Promise<T>): Promise<T> {
  const opened = await openCore(invocation, { fetches: false, waits: true });
  return work(opened.wire).finally(opened.close);
}

async function say({ shell, json }: Invocation, record: object, words: string): Promise<void> {
  await shell.out.line(json ? jsonLine(record) : oneLine(words));
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new MachineError(`${file} could not be read (${codeOf(error)}).`);
  }
}

/** The command line was right: it is the file that is not. */
function refuseFile(error: unknown): never {
  if (error instanceof BroadsheetError && error.code === 'invalid_argument') throw new MachineError(error.message);
  throw error;
}

function reportInWords({ taken, unchanged, skipped, settings }: ImportResult): string {
  const facts = [`${counted(taken, 'row')} taken in`, `${unchanged} were here already`];
  if (skipped > 0) facts.push(`${skipped} could not be read and were left out`);
  return `${facts.join(', ')}; settings ${settings ? 'taken in' : 'stay as they were'}`;
}

function backupInWords({ name, at, bytes }: Backup): string {
  return `${name} - ${localTime(at)}, ${byteSize(bytes, 'en')}`;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown cause';
}
