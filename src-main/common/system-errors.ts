import { BroadsheetError } from '../contract/errors.ts';

const FULL = ['ENOSPC', 'EDQUOT'];
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS'];
const OUT_OF_HANDLES = ['EMFILE', 'ENFILE'];
const MISPLACED: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder, where a file should be',
  ENOTDIR: 'leads through a file, where a folder should be',
  ELOOP: 'leads through a link that never ends',
};

export function mapSystemError(thrown: unknown): unknown {
  const { code = '', path } = (thrown ?? {}) as NodeJS.ErrnoException;
  if (thrown instanceof BroadsheetError) return thrown;
  if (isOutOfHandles(thrown)) return tooManyOpenFiles(thrown);
  if (FULL.includes(code)) return diskFull(thrown);
  const what = typeof path === 'string' ? path : 'the data folder';
  if (Object.hasOwn(MISPLACED, code)) {
    const words = `${what} ${MISPLACED[code] ?? ''}. Move that away, then try again.`;
    return new BroadsheetError('data_unreadable', words, { retryable: true, cause: thrown });
  }
  if (!FORBIDDEN.includes(code)) return thrown;
  const words = `Can't write to ${what}, or read it. Check its permissions, or choose another folder.`;
  return new BroadsheetError('data_read_only', words, { retryable: true, cause: thrown });
}

/** Threads that fail for this reason have it only in the message. */
export function isOutOfHandles(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code = '' } = thrown as NodeJS.ErrnoException;
  return OUT_OF_HANDLES.includes(code) || /\bE[MN]FILE\b|too many open files/.test(thrown.message);
}

export function tooManyOpenFiles(cause: unknown): BroadsheetError {
  const words = 'Too many files are open on this computer. Close some programs, or raise the limit (ulimit -n).';
  return new BroadsheetError('too_many_open_files', words, { retryable: true, cause });
}

export const DISK_FULL = 'The disk is full. Free some space; Broadsheet then continues automatically.';

export function diskFull(cause: unknown): BroadsheetError {
  return new BroadsheetError('disk_full', DISK_FULL, { retryable: true, cause });
}

export function misplacedError(what: string, found: string, cause?: unknown): BroadsheetError {
  const words = `${what} should be a file, but ${found} is in its place. Move that away, then try again.`;
  return new BroadsheetError('data_unreadable', words, { retryable: true, cause });
}
