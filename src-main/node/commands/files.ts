import { mkdir, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { exportedFile, type ExportSource } from '../../common/exported-file.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { replaceAtomically, writeAtomically } from '../../core/files/atomic-write.ts';
import { fileToWrite, readChosenFile } from '../../core/files/chosen-file.ts';
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
const REASONS_OF_READS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not text in UTF-8',
};

export function whyNotWritten(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? code;
}

function whyNotRead(error: unknown): string {
  return REASONS_OF_READS[(error as NodeJS.ErrnoException).code ?? ''] ?? whyNotWritten(error);
}

/** Replaces Node's recursive `mkdir`, which waits for ever in /proc. Errors: those of the system. */
export async function makeFolders(folder: string): Promise<void> {
  const missing: string[] = [];
  let place = path.resolve(folder);
  while (!(await isThere(place)) && path.dirname(place) !== place) {
    missing.unshift(place);
    place = path.dirname(place);
  }
  for (const one of missing) await mkdir(one, { mode: 0o700 });
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'EEXIST' });
}

async function isThere(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    () => false,
  );
}

/** Writes a text atomically. Errors: `MachineError`, `file_refused`. */
export async function writeText(file: string, text: string, ownFolders: readonly string[]): Promise<void> {
  await explained(file, async () => writeAtomically(await fileToWrite(file, ownFolders), text));
}

/** Reads a text in UTF-8 of at most `largest` bytes. Errors: `MachineError`, `file_refused`. */
export async function readText(file: string, largest: number): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readChosenFile(file, largest));
  } catch (error) {
    if (error instanceof BroadsheetError) throw error;
    throw new MachineError(`Cannot read ${file}: ${whyNotRead(error)}.`);
  }
}

export interface Destination {
  /** As the reader named it; it may be an existing folder. */
  out: string;
  /** Folders in which no export is written. */
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
  await explained(file, async () =>
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
    // The head knows only now when the newest entry changed. It has the length of the first one.
    if (length > 0) await handle.write(Buffer.from(head), 0, null, 0);
    Object.assign(written, { count, left });
  }

  function ensureRunning(): void {
    if (stop.aborted) throw new MachineError('Interrupted. Nothing was written.');
  }
}

export async function writeWhole(to: Destination, name: string, content: Uint8Array): Promise<string> {
  const file = await pathIn(to.out, () => Promise.resolve(name));
  await explained(file, async () =>
    writeAtomically(await fileToWrite(file, to.ownFolders), content, { keepsMode: true }),
  );
  return file;
}

async function pathIn(out: string, name: () => Promise<string>): Promise<string> {
  const target = path.resolve(out);
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? path.join(target, await name()) : target;
}

async function explained(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof MachineError || error instanceof BroadsheetError) throw error;
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw new MachineError(`Cannot write ${file}: ${whyNotWritten(error)}.`);
  }
}
