import { constants, copyFileSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { explainErrors, writeAtomicallySync } from './atomic-write.ts';

export interface StoredFile {
  readonly warning?: StorageWarning;
  readonly exists: boolean;
  /** Not validated: people edit files. */
  read(): object;
  /** Preserves other members, which may belong to a newer version. Refuses a file that can't be read now. */
  write(members: object): void;
}

type ReadFile = (file: string) => Buffer;

interface JsonFileOptions {
  folder: string;
  name: string;
  clock: Clock;
  log: Log;
  /** Called late, because it creates the folder. */
  openWriter(): { set(members: Record<string, unknown>): void };
  readFile?: ReadFile;
  /** Sets aside a copy: a process that ends before the first write must not leave a folder without the file. */
  keepsPlace?: boolean;
}

type Found =
  | { kind: 'read'; content: object; isPlain: boolean }
  | { kind: 'absent' }
  | { kind: 'corrupt'; reason: string }
  | { kind: 'unreadable'; code: string };

/**
 * Renames a file that is not a JSON object, with the reason and the time: manual edits are never overwritten. One that
 * the system doesn't let read (EACCES) may be fine and is left alone. Nothing is written before the first `write`.
 */
export function openJsonFile(options: JsonFileOptions): StoredFile {
  const { readFile = readFileSync } = options;
  const file = pathOf(options.folder, options.name);
  let found = readJson(file, readFile);
  const warning = problemOf(file, found, options);
  let content = found.kind === 'read' ? found.content : {};
  return {
    ...(warning && { warning }),
    exists: found.kind !== 'absent',
    read: () => content,
    write(members) {
      if (found.kind === 'unreadable') found = readJson(file, readFile);
      if (found.kind === 'unreadable') throw unreadable(file, found.code);
      explainErrors(file, () => {
        // The writer only reads plain UTF-8.
        const isBroken = found.kind === 'corrupt' && options.keepsPlace === true;
        if (isBroken || (found.kind === 'read' && !found.isPlain)) {
          writeAtomicallySync(file, JSON.stringify(content));
          found = { kind: 'read', content, isPlain: true };
        }
        options.openWriter().set({ ...members });
      });
      content = { ...content, ...members };
    },
  };
}

/** Changes nothing, and logs an unusable file. */
export function readJsonFile(options: { folder: string; name: string; log: Log; readFile?: ReadFile }): {
  content: object | null;
  exists: boolean;
} {
  const { folder, name, log, readFile = readFileSync } = options;
  const file = pathOf(folder, name);
  const found = readJson(file, readFile);
  if (found.kind === 'read') return { content: found.content, exists: true };
  if (found.kind === 'absent') return { content: null, exists: false };
  const reason = found.kind === 'corrupt' ? found.reason : found.code;
  log('warn', `${basename(file)} cannot be used`, { file, reason });
  return { content: null, exists: true };
}

function pathOf(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

function readJson(file: string, readFile: ReadFile): Found {
  let bytes: Buffer;
  try {
    bytes = readFile(file);
  } catch (error) {
    const code = codeOf(error);
    return ['ENOENT', 'ENOTDIR'].includes(code) ? { kind: 'absent' } : { kind: 'unreadable', code };
  }
  try {
    const { text, isPlain } = decodeJson(bytes);
    const content: unknown = JSON.parse(text);
    const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
    return isObject ? { kind: 'read', content, isPlain } : { kind: 'corrupt', reason: 'not-an-object' };
  } catch {
    return { kind: 'corrupt', reason: 'not-json' };
  }
}

function problemOf(file: string, found: Found, options: JsonFileOptions): StorageWarning | null {
  if (found.kind === 'corrupt') return setAside(file, found.reason, options);
  if (found.kind !== 'unreadable') return null;
  options.log('warn', `${basename(file)} is left alone, because it cannot be read`, { file, reason: found.code });
  return { file: basename(file), setAsideAs: null, reason: 'unreadable' };
}

function setAside(file: string, corruption: string, { clock, log, keepsPlace }: JsonFileOptions): StorageWarning {
  const stamp = new Date(clock.now()).toISOString().replace(/[:.]/g, '-');
  const aside = file.replace(/\.json$/, `.${corruption}-${stamp}.json`);
  try {
    if (keepsPlace) copyFileSync(file, aside, constants.COPYFILE_EXCL);
    else renameSync(file, aside);
    log('warn', `${basename(file)} cannot be used, and a copy is kept as ${basename(aside)}`, { file, asideAs: aside });
    return { file: basename(file), setAsideAs: basename(aside), reason: corruption };
  } catch {
    log('error', `${basename(file)} can be neither read nor set aside`, { file, reason: corruption });
    return { file: basename(file), setAsideAs: null, reason: corruption };
  }
}

function unreadable(file: string, code: string): BroadsheetError {
  return new BroadsheetError(
    'data_unreadable',
    `${file} cannot be read (${code}), so it is not changed. Check its permissions, or move it away.`,
  );
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

export interface DecodedText {
  text: string;
  isPlain: boolean;
}

const MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** JSON starts with an ASCII character, so a zero next to it reveals the encoding. */
function decodeJson(bytes: Uint8Array): DecodedText {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  const encoding = marked ?? unmarkedEncoding(bytes);
  return {
    text: new TextDecoder(encoding, { fatal: true }).decode(bytes),
    isPlain: marked === undefined && encoding === 'utf-8',
  };
}

function unmarkedEncoding([first, second]: Uint8Array): string {
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 && second !== undefined ? 'utf-16be' : 'utf-8';
}
