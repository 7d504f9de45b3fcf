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

/** Writes a file atomically: after a crash it has either its old or its new content. Errors: those of the system. */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  // In the same folder, because a rename is atomic only within a file system; with a fixed name, so that a leftover
  // file is overwritten.
  const unfinished = join(dirname(file), `.${basename(file)}.unfinished`);
  try {
    const handle = await open(unfinished, 'w');
    try {
      await handle.writeFile(content);
      // Before the rename: after a power failure the file must not be empty.
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

/** Converts a failed write to an error of Broadsheet; returns other values unchanged. */
export function explainWriteError(file: string, cause: unknown): unknown {
  const code = CODES[(cause as NodeJS.ErrnoException | undefined)?.code ?? ''];
  if (!code) return cause;
  return new BroadsheetError(code, `${file} cannot be written. Free some space, or make the folder writable.`, {
    cause,
  });
}
