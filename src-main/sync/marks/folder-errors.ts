import { mapSystemError } from '../../common/system-errors.ts';
import { oneLine } from '../../common/text.ts';
import { BroadsheetError, type FailureReason } from '../../contract/errors.ts';

const CODES: Readonly<Record<string, 'data_read_only' | 'disk_full'>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'data_read_only',
  EPERM: 'data_read_only',
  EROFS: 'data_read_only',
};

const LONGEST_PATH = 300;

export function explained(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof BroadsheetError || code === undefined) return mapSystemError(error);
  const known = CODES[code];
  if (known)
    return new BroadsheetError(known, `${named(folder)} cannot be written. Check its permissions and the free space.`, {
      reason: 'marks_folder_unwritable',
    });
  if (code === 'EMFILE' || code === 'ENFILE') return mapSystemError(error);
  if (code === 'ENOTDIR' || code === 'ELOOP') {
    const found = `A link or a file is where Broadsheet has its folder in ${named(folder)}. Remove it: links are not followed there.`;
    return new BroadsheetError('data_unreadable', found, { retryable: true, reason: 'marks_folder_replaced' });
  }
  const words = `${named(folder)} cannot be read (${code}). Connect its disk, or choose another folder.`;
  return new BroadsheetError('data_unreadable', words, { retryable: true, reason: 'marks_folder_unreadable' });
}

export function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && !(error instanceof BroadsheetError) && /^E[A-Z]+$/.test(codeOf(error));
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? '';
}

/** A name may have line breaks, and be as long as a page. */
function named(folder: string): string {
  return oneLine(folder, LONGEST_PATH);
}

export function noFolder(folder: string): BroadsheetError {
  const words = `${named(folder)} is not a folder. Create it first, in a place that your sync tool syncs.`;
  return invalid('marks_no_folder', words);
}

function invalid(reason: FailureReason, message: string): BroadsheetError {
  return new BroadsheetError('invalid_argument', message, { reason });
}

export function inDataFolder(): BroadsheetError {
  const words = 'The folder for marks cannot be in the data folder: its databases must not be synced.';
  return invalid('marks_in_data_folder', words);
}

export function wrongPassphrase(): BroadsheetError {
  const words = 'The passphrase does not open what is in the folder. Enter the one that your other machines use.';
  return invalid('marks_wrong_passphrase', words);
}

export function passphraseNeeded(): BroadsheetError {
  const words = 'The folder has encrypted marks. Enter the passphrase that your other machines use.';
  return invalid('marks_passphrase_needed', words);
}

export function incompleteFiles(folder: string): BroadsheetError {
  const words = `Files of this machine are not complete, so its marks could be lost. Let your sync tool finish, or delete ${named(folder)} yourself.`;
  return invalid('marks_incomplete', words);
}

export function notShared(): BroadsheetError {
  return new BroadsheetError('not_found', 'No folder for marks is set.');
}

export function unknownMachine(machine: string): BroadsheetError {
  return new BroadsheetError('not_found', `The folder has no machine ${machine}.`);
}

export function ownMachine(): BroadsheetError {
  const words = 'This is the machine itself. To stop sharing marks on it, turn the folder off.';
  return new BroadsheetError('invalid_argument', words);
}
