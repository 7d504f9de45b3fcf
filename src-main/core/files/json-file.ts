import { readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { StoreNotice } from '../../contract/model/item.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { explainWriteError } from './atomic-write.ts';

/** A small JSON file of the data folder. */
export interface StoredFile {
  /** What was wrong with it at the start. */
  readonly notice?: StoreNotice;
  /** What the file held at the start, and what was written since. Unchecked: people edit files. */
  read(): object;
  /** Writes the members given and keeps the others, which may be a newer version's. Errors: `disk_full`, `data_read_only`. */
  write(members: object): void;
}

interface StoredFileOptions {
  folder: string;
  /** Without its ending: `settings`. */
  name: string;
  clock: Clock;
  log: Log;
  /** What writes the file whole; opened late, since opening makes the folder. */
  openWriter(): { set(members: Record<string, unknown>): void };
}

type Found = { content: object } | { damage: string };

/**
 * Opens `<name>.json`. A file that is no JSON object is set aside under a name that says why and when, and an empty one
 * takes its place: what a person wrote by hand is never overwritten. Nothing is written before the first `write`.
 */
export function openStoredFile(options: StoredFileOptions): StoredFile {
  const file = pathOf(options.folder, options.name);
  const found = readJson(file);
  const notice = 'damage' in found ? setAside(file, found.damage, options) : null;
  let content = 'damage' in found ? {} : found.content;
  return {
    ...(notice && { notice }),
    read: () => content,
    write(members) {
      withCode(file, () => {
        options.openWriter().set({ ...members });
      });
      content = { ...content, ...members };
    },
  };
}

/** What a file holds, for those who only read: nothing where it cannot be used. Every file stays as it is. */
export function readStoredFile({ folder, name, log }: { folder: string; name: string; log: Log }): object {
  const file = pathOf(folder, name);
  const found = readJson(file);
  if (!('damage' in found)) return found.content;
  log('warn', 'A file cannot be used, so the defaults hold', { file, reason: found.damage });
  return {};
}

function pathOf(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

function readJson(file: string): Found {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // A folder in the way is the store's to complain about.
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) ? { content: {} } : { damage: 'unreadable' };
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

function setAside(file: string, damage: string, { clock, log }: StoredFileOptions): StoreNotice {
  const stamp = new Date(clock.now()).toISOString().replace(/[:.]/g, '-');
  const aside = file.replace(/\.json$/, `.${damage}-${stamp}.json`);
  try {
    renameSync(file, aside);
    log('warn', 'A file could not be read and was set aside; the defaults hold', { file, asideAs: aside });
    return { file: basename(file), setAsideAs: basename(aside), reason: damage };
  } catch {
    log('error', 'A file can be neither read nor set aside; the defaults hold', { file, reason: damage });
    return { file: basename(file), setAsideAs: null, reason: damage };
  }
}

function withCode(file: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw explainWriteError(file, cause);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
