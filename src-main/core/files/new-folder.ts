import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import { checkFolder } from '../../store/index.ts';

/** By these a folder is known as one of Broadsheet's. */
const OURS = ['user.db', 'lock.db', 'settings.json', 'data-folder.json', 'chromium'];
/** What a system lays into any folder. */
const NOBODYS = new Set(['.DS_Store', '.localized', 'desktop.ini', 'Thumbs.db', 'lost+found']);

/**
 * Whether data can be kept in a folder: an empty one, or one of Broadsheet's that nobody else uses. Nothing is changed in it.
 * Errors: `invalid_argument` where other files lie in it, `data_in_use`, `data_read_only`.
 */
export function checkNewFolder(folder: string, present: string): void {
  if (resolve(folder) === resolve(present)) return;
  const names = namesIn(folder).filter((name) => !NOBODYS.has(name));
  if (names.length > 0 && !OURS.some((name) => names.includes(name))) {
    const words = 'This folder holds other files. Choose an empty one, or one that Broadsheet has used before.';
    throw new BroadsheetError('invalid_argument', words);
  }
  checkFolder(folder);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    const words = 'This folder cannot be read. Check its permissions, or choose another one.';
    throw new BroadsheetError('data_read_only', words, { cause });
  }
}
