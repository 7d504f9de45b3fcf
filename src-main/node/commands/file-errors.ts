import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

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

/** Why a file can't be written, for a reader. */
export function whyNotWritten(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? code;
}

/** The same for a file that can't be read. */
export function whyNotRead(error: unknown): string {
  return REASONS_OF_READS[(error as NodeJS.ErrnoException).code ?? ''] ?? whyNotWritten(error);
}

/** Errors: those of the system. Node's own way waits for ever in /proc. */
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
