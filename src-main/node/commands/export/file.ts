import { stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { exportedFile, type ExportSource } from '../../../common/exported-file.ts';
import { BroadsheetError } from '../../../contract/errors.ts';
import { replaceAtomically, writeAtomically } from '../../../core/files/atomic-write.ts';
import { fileToWrite } from '../../../core/files/chosen-file.ts';
import { MachineError } from '../../shell.ts';
import { whyNotWritten } from '../file-errors.ts';

/** Where an export goes. */
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

/**
 * Writes an exported file part by part, atomically: it is replaced when the new one is complete, and stays as it was if anything
 * fails or `stop` is given. Errors: `MachineError`, `file_refused`, and those of the reads.
 */
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

/** {@link writeExport} for content that is whole. */
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
