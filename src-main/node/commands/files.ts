import type { Stats } from 'node:fs';
import { mkdir, readFile, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { exportedFile, type ExportSource } from '../../common/exported-file.ts';
import { replaceAtomically, writeAtomically } from '../../core/files/atomic-write.ts';
import { fileToWrite, placeToWrite, readChosenFile } from '../../core/files/chosen-file.ts';
import { MachineError } from '../shell.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'a file is where a folder should be',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file of this name',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links never end',
};
const REASONS_OF_READS: Readonly<Record<string, string>> = { ...REASONS, ENOENT: 'there is no such file' };

/** Turns errors of the system into a `MachineError`, and throws the others. */
async function explainErrors<T>(
  describe: (why: string) => string,
  work: () => Promise<T>,
  reasons = REASONS,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    const why = reasons[code] ?? (syscall === undefined ? '' : code);
    throw why === '' ? error : new MachineError(describe(why));
  }
}

function explainWrite(file: string, work: () => Promise<void>): Promise<void> {
  return explainErrors((why) => `Cannot write ${file}: ${why}.`, work);
}

/** Errors: `MachineError`, `file_refused`. */
export async function makeFolder(folder: string, ownFolders: readonly string[]): Promise<void> {
  await explainErrors(
    (why) => `Cannot create the folder ${folder}: ${why}.`,
    async () => makeFolders(await placeToWrite(folder, ownFolders)),
  );
}

/** Replaces Node's recursive `mkdir`, which waits for ever in /proc. */
async function makeFolders(folder: string): Promise<void> {
  const missing: string[] = [];
  let place = folder;
  while (!(await statOf(place)) && path.dirname(place) !== place) {
    missing.unshift(place);
    place = path.dirname(place);
  }
  for (const one of missing) await mkdir(one, { mode: 0o700 });
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'EEXIST' });
}

function statOf(place: string): Promise<Stats | null> {
  return stat(place).catch(() => null);
}

/** Writes a text atomically. Errors: `MachineError`, `file_refused`. */
export async function writeText(file: string, text: string, ownFolders: readonly string[]): Promise<void> {
  await explainWrite(file, async () => writeAtomically(await fileToWrite(file, ownFolders), text));
}

/** Returns false if the file already has this text. Errors: `MachineError`, `file_refused`. */
export function writeChanged(named: string, text: string, ownFolders: readonly string[]): Promise<boolean> {
  return explainErrors(
    (why) => `Cannot write ${named}: ${why}. The files written before it are complete.`,
    async () => {
      const file = await fileToWrite(named, ownFolders);
      if ((await readFile(file, 'utf8').catch(() => null)) === text) return false;
      await writeAtomically(file, text, { keepsMode: true });
      return true;
    },
  );
}

/** Reads a text in UTF-8 of at most `largest` bytes. Errors: `MachineError`, `file_refused`. */
export async function readText(file: string, largest: number): Promise<string> {
  const describe = (why: string): string => `Cannot read ${file}: ${why}.`;
  const bytes = await explainErrors(describe, () => readChosenFile(file, largest), REASONS_OF_READS);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MachineError(describe('it is not text in UTF-8'));
  }
}

export interface Destination {
  /** May be an existing folder. */
  out: string;
  /** In which no export is written. */
  ownFolders: readonly string[];
}

export interface WrittenFile {
  /** An absolute path. */
  file: string;
  count: number;
  left: number;
}

/** Writes part by part, but atomically, also if stopped. Errors: `MachineError`, `file_refused`, those of the reads. */
export async function writeExport(to: Destination, source: ExportSource, stop: AbortSignal): Promise<WrittenFile> {
  const file = await pathIn(to.out, async () => (await source.frame(null)).name);
  const written = { file, count: 0, left: 0 };
  await explainWrite(file, async () =>
    replaceAtomically(await fileToWrite(file, to.ownFolders), write, { keepsMode: true }),
  );
  return written;

  async function write(handle: FileHandle): Promise<void> {
    const texts = exportedFile(source, ensureRunning);
    let text = await texts.next();
    let length = 0;
    for (; text.done !== true; text = await texts.next()) {
      length += (await handle.write(text.value)).bytesWritten;
    }
    const { head, count, left } = text.value;
    // The head has the time of the newest entry, which is known only now, and the length of the first head.
    if (length > 0) await handle.write(Buffer.from(head), 0, null, 0);
    Object.assign(written, { count, left });
  }

  function ensureRunning(): void {
    if (stop.aborted) throw new MachineError('Interrupted. Nothing was written.');
  }
}

export async function writeWhole(to: Destination, name: string, content: Uint8Array): Promise<string> {
  const file = await pathIn(to.out, () => Promise.resolve(name));
  await explainWrite(file, async () =>
    writeAtomically(await fileToWrite(file, to.ownFolders), content, { keepsMode: true }),
  );
  return file;
}

async function pathIn(out: string, name: () => Promise<string>): Promise<string> {
  const target = path.resolve(out);
  return (await statOf(target))?.isDirectory() ? path.join(target, await name()) : target;
}
