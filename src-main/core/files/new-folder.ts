import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import { checkFolder } from '../../store/index.ts';

const OURS = ['user.db', 'lock.db', 'settings.json', 'data-folder.json'];
/** Operating systems create these in any folder. */
const NOBODYS = new Set(['.DS_Store', '.localized', 'desktop.ini', 'Thumbs.db', 'lost+found']);

/**
 * Accepts empty folders, and Broadsheet's if they are not in use. Changes nothing. Errors: `invalid_argument` if it
 * contains other files, `data_in_use`, `data_read_only`.
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
