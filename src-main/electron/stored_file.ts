import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ipcMain } from 'electron';
import Store from 'electron-store';
import { BroadsheetError, type ErrorCode } from '../contract/errors.ts';
import type { Log } from '../contract/ports.ts';

/** A small JSON file of the data folder. */
export interface StoredFile {
  /** What the file held at the start, and what was written since. Unchecked: people edit files. */
  read(): object;
  /** Writes the members given and keeps the others, which may be a newer version's. Errors: `disk_full`, `data_read_only`. */
  write(members: object): void;
}

/**
 * Opens `<name>.json`. A file that is no JSON object is set aside under a name that says why and when, and an empty one
 * takes its place: what a person wrote by hand is never overwritten. Nothing is written before the first `write`.
 */
export function openStoredFile(folder: string, name: string, log: Log): StoredFile {
  const file = join(folder, `${name}.json`);
  const found = readJson(file);
  if ('damage' in found) setAside(file, found.damage, log);
  let content = 'damage' in found ? {} : found.content;
  return {
    read: () => content,
    write(members) {
      withCode(file, () => openStore(folder, name).set({ ...members }));
      content = { ...content, ...members };
    },
  };
}

function readJson(file: string): { content: object } | { damage: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // A folder in the way is the core's to complain about.
    const absent = ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
    return absent ? { content: {} } : { damage: 'unreadable' };
  }
  try {
    // Some editors begin a file with a byte order mark.
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
    return isObject ? { content } : { damage: 'not-an-object' };
  } catch {
    return { damage: 'not-json' };
  }
}

function setAside(file: string, damage: string, log: Log): void {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const aside = file.replace(/\.json$/, `.${damage}-${stamp}.json`);
  try {
    renameSync(file, aside);
    log('warn', 'A file could not be read and was set aside; the defaults hold', { file, asideAs: aside });
  } catch {
    log('error', 'A file can be neither read nor set aside; the defaults hold', { file, reason: damage });
  }
}

function openStore(folder: string, name: string): Store {
  // 0600: what the reader configured is nobody else's business.
  const store = new Store({ cwd: folder, name, configFileMode: 0o600 });
  // electron-store tells the data folder to any frame that asks on this channel; ours need not know.
  ipcMain.removeAllListeners('electron-store-get-data');
  return store;
}

const CODES: Record<string, ErrorCode> = {
  ENOSPC: 'disk_full',
  EACCES: 'data_read_only',
  EPERM: 'data_read_only',
  EROFS: 'data_read_only',
};

function withCode(file: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const code = CODES[codeOf(cause)];
    if (!code) throw cause;
    throw new BroadsheetError(code, `${file} cannot be written. Make room or make the folder writable.`, { cause });
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
