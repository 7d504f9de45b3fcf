import { readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { explainWriteError } from './atomic-write.ts';

/** A small JSON file in the data folder. */
export interface StoredFile {
  /** Problem found when the file was opened. */
  readonly warning?: StorageWarning;
  /** Content at the start and what was written since. Not validated: people edit files. */
  read(): object;
  /**
   * Writes the given members and preserves others, which may belong to a newer version. Errors: `disk_full`,
   * `data_read_only`.
   */
  write(members: object): void;
}

interface JsonFileOptions {
  folder: string;
  /** Without extension: `settings`. */
  name: string;
  clock: Clock;
  log: Log;
  /** Returns the atomic writer. Called late, because it creates the folder. */
  openWriter(): { set(members: Record<string, unknown>): void };
}

type Found = { content: object } | { corruption: string };

/**
 * Opens `<name>.json`. A file that is not a JSON object is renamed with the reason and the time, and replaced by an
 * empty one: manual edits are never overwritten. Nothing is written before the first `write`.
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

/** Reads a file without changing anything; empty if it can't be used. */
export function readJsonFile({ folder, name, log }: { folder: string; name: string; log: Log }): object {
  const file = pathOf(folder, name);
  const found = readJson(file);
  if (!('corruption' in found)) return found.content;
  log('warn', 'A file is unusable; using the defaults', { file, reason: found.corruption });
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
    // If a folder has this name, opening the store reports it.
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) ? { content: {} } : { corruption: 'unreadable' };
  }
  try {
    // Some editors add a byte order mark.
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
    log('warn', 'Set aside an unreadable file; using the defaults', { file, asideAs: aside });
    return { file: basename(file), setAsideAs: basename(aside), reason: corruption };
  } catch {
    log('error', 'A file can be neither read nor set aside; using the defaults', { file, reason: corruption });
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
