import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BroadsheetError, type ErrorCode } from '../../contract/errors.ts';

const CODES: Record<string, ErrorCode> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'data_read_only',
  EPERM: 'data_read_only',
  EROFS: 'data_read_only',
};

/**
 * Writes a file that is whole or not there, whenever this is ended; what was there before stays until then. Errors: the
 * system's own.
 */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  // Beside the file, for a rename is whole on one disk only; under one name a file, so that a left one is written over.
  const unfinished = join(dirname(file), `.${basename(file)}.unfinished`);
  try {
    const handle = await open(unfinished, 'w');
    try {
      await handle.writeFile(content);
      // Before the rename: after a power cut there must not be an empty file under the right name.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The app's error for a file that the system did not let us write; everything else comes back as it was. */
export function explainWriteError(file: string, cause: unknown): unknown {
  const code = CODES[(cause as NodeJS.ErrnoException | undefined)?.code ?? ''];
  if (!code) return cause;
  return new BroadsheetError(code, `${file} cannot be written. Make room, or make the folder writable.`, { cause });
}
