import { readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { explainWriteError } from './atomic-write.ts';

/** A small JSON file of the data folder. */
export interface StoredFile {
  /** What was wrong with it at the start. */
  readonly warning?: StorageWarning;
  /** What the file held at the start, and what was written since. Unchecked: people edit files. */
  read(): object;
  /** Writes the members given and keeps the others, which may be a newer version's. Errors: `disk_full`, `data_read_only`. */
  write(members: object): void;
}

interface JsonFileOptions {
  folder: string;
  /** Without its ending: `settings`. */
  name: string;
  clock: Clock;
  log: Log;
  /** What writes the file whole; opened late, since opening makes the folder. */
  openWriter(): { set(members: Record<string, unknown>): void };
}

type Found = { content: object } | { corruption: string };

/**
 * Opens `<name>.json`. A file that is no JSON object is set aside under a name that says why and when, and an empty one
 * takes its place: what a person wrote by hand is never overwritten. Nothing is written before the first `write`.
 */
export function openJsonFile(options: JsonFileOptions): StoredFile {
  const file = pathOf(options.folder, options.name);
  const found = readJson(file);
  const warning = 'corruption' in found ? setAside(file, found.corruption, options) : null;
  let content = 'corruption' in found ? {} : found.content;
  return {
    ...(warning && { warning }),
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
export function readJsonFile({ folder, name, log }: { folder: string; name: string; log: Log }): object {
  const file = pathOf(folder, name);
  const found = readJson(file);
  if (!('corruption' in found)) return found.content;
  log('warn', 'A file cannot be used, so the defaults hold', { file, reason: found.corruption });
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
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) ? { content: {} } : { corruption: 'unreadable' };
  }
  try {
    // Some editors begin a file with a byte order mark.
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
    return isObject ? { content } : { corruption: 'not-an-object' };
  } catch {
    return { corruption: 'not-json' };
  }
}

function setAside(file: string, corruption: string, { clock, log }: JsonFileOptions): StorageWarning {
  const stamp = new Date(clock.now()).toISOString().replace(/[:.]/g, '-');
  const aside = file.replace(/\.json$/, `.${corruption}-${stamp}.json`);
  try {
    renameSync(file, aside);
    log('warn', 'A file could not be read and was set aside; the defaults hold', { file, asideAs: aside });
    return { file: basename(file), setAsideAs: basename(aside), reason: corruption };
  } catch {
    log('error', 'A file can be neither read nor set aside; the defaults hold', { file, reason: corruption });
    return { file: basename(file), setAsideAs: null, reason: corruption };
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
