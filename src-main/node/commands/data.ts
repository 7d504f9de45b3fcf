import path from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import { LONGEST_USER_DATA, type Backup, type ImportResult } from '../../contract/user-data.ts';
import type { Wire } from '../../contract/wire.ts';
import { writeAtomically } from '../../core/files/atomic-write.ts';
import { fileToWrite, readChosenFile } from '../../core/files/chosen-file.ts';
import { ownFolders, type Invocation } from '../invocation.ts';
import { call, openCore } from '../open-core.ts';
import { ENGINE_MODULE } from '../project.ts';
import { EXIT, MachineError, type ExitCode } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';
import { byteSize, counted } from '../../common/numbers.ts';
import { jsonLine, localTime, oneLine } from '../terminal.ts';
import { whyNotRead, whyNotWritten } from './file-errors.ts';
import { openStored } from './reading.ts';

/** In bytes: UTF-8 takes at most three for each UTF-16 unit. */
const LARGEST_FILE = 3 * LONGEST_USER_DATA;

/** Exports the user's data, written atomically. Works while Broadsheet is running. */
export async function exportData(invocation: Invocation, file: string): Promise<ExitCode> {
  const opened = await openStored(invocation);
  const { text } = await call(opened.wire, 'data.export', {}).finally(opened.close);
  const target = path.resolve(file);
  try {
    await writeAtomically(await fileToWrite(target, ownFolders(invocation)), text);
  } catch (error) {
    if (error instanceof BroadsheetError) throw error;
    throw new MachineError(`Cannot write ${target}: ${whyNotWritten(error)}.`);
  }
  await print(invocation, { file: target, bytes: Buffer.byteLength(text) }, `Exported to ${target}`);
  return EXIT.well;
}

/** Imports an export. Exit code 1 for an invalid file; invalid rows are reported and skipped. */
export async function importData(invocation: Invocation, file: string): Promise<ExitCode> {
  const text = await readText(path.resolve(file));
  const report = await writing(invocation, (wire) => call(wire, 'data.import', { text })).catch(refuseFile);
  await print(invocation, report, reportText(report));
  return EXIT.well;
}

/** Newest first. */
export async function backups(invocation: Invocation): Promise<ExitCode> {
  const opened = await openStored(invocation);
  const { backups: saved } = await call(opened.wire, 'data.backups', {}).finally(opened.close);
  if (saved.length === 0) await invocation.shell.err.line('No backups yet.');
  for (const backup of saved) await print(invocation, backup, backupText(backup));
  return EXIT.well;
}

export async function backUp(invocation: Invocation): Promise<ExitCode> {
  const { backups: saved } = await writing(invocation, (wire) => call(wire, 'data.backUp', {}));
  const [newest] = saved;
  if (newest) await print(invocation, newest, backupText(newest));
  return EXIT.well;
}

export async function restore(invocation: Invocation, name: string): Promise<ExitCode> {
  await writing(invocation, (wire) => call(wire, 'data.restore', { name }));
  const text = `Restored ${name}. The previous user.db was renamed to user.db.replaced-…`;
  await print(invocation, { restored: name }, text);
  return EXIT.well;
}

/** Ends a warning about a stored file. */
export async function dismiss(invocation: Invocation, id: string): Promise<ExitCode> {
  await writing(invocation, (wire) => call(wire, 'data.dismissWarning', { id }));
  await print(invocation, { dismissed: id }, `The message about ${id} is dismissed. The file itself is unchanged.`);
  return EXIT.well;
}

/** Downloads the news again. What is saved stays in use until that is complete, and if it fails. */
export async function rebuild(invocation: Invocation): Promise<ExitCode> {
  const opened = await openCore(invocation, { fetches: true, engineModule: ENGINE_MODULE, waits: true });
  // Closing cancels the download.
  onShutdownSignal(() => void opened.close(), { watchStdin: false });
  await call(opened.wire, 'data.rebuildMirror', {}).finally(opened.close);
  await print(
    invocation,
    { rebuilt: true },
    'Downloaded the news again. Run `broadsheet sync` to update reports, topics and hot topics, too. Your own data is unchanged.',
  );
  return EXIT.well;
}

async function writing<T>(invocation: Invocation, work: (wire: Wire) => Promise<T>): Promise<T> {
  const opened = await openCore(invocation, { fetches: false, waits: true });
  return work(opened.wire).finally(opened.close);
}

async function print({ shell, json }: Invocation, record: object, text: string): Promise<void> {
  await shell.out.line(json ? jsonLine(record) : oneLine(text));
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readChosenFile(file, LARGEST_FILE));
  } catch (error) {
    if (error instanceof BroadsheetError) throw error;
    throw new MachineError(`Cannot read ${file}: ${whyNotRead(error)}.`);
  }
}

/** An invalid file is not wrong usage: exit code 1. */
function refuseFile(error: unknown): never {
  if (error instanceof BroadsheetError && error.code === 'invalid_argument') throw new MachineError(error.message);
  throw error;
}

function reportText({ taken, unchanged, skipped, settings }: ImportResult): string {
  const parts = [`${counted(taken, 'row')} imported`, `${unchanged} unchanged`];
  if (skipped > 0) parts.push(`${skipped} invalid and skipped`);
  return `${parts.join(', ')}; settings ${settings ? 'imported' : 'unchanged'}`;
}

function backupText({ name, at, bytes }: Backup): string {
  return `${name} - ${localTime(at)}, ${byteSize(bytes, 'en')}`;
}
