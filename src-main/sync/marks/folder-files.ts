import { lstat, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LAST_TIME, MACHINE_ID, type Mark } from '../../common/marks.ts';
import { isOutOfHandles } from '../../common/system-errors.ts';
import { oneLine } from '../../common/text.ts';
import type { MarksKey } from '../../contract/model/marks-folder.ts';
import { marksOf, openLine, wholeLine } from './lines.ts';
import { sealedOf, type Purpose, type Sealed } from './sealing.ts';

/** The folder in the reader's folder, so that it may have other things in it. */
export const MARKS_FOLDER = 'broadsheet-marks';
export const FORMAT = 'broadsheet-marks';
export const VERSION = 1;
export const ABOUT = 'about.json';
/** What is there beyond these is not read, and said. */
const MOST_FOLDERS = 100;
const MOST_FILES = 1_000;
const LARGEST_FILE = 64 * 1024 * 1024;
const LARGEST_ABOUT = 16 * 1024;
const LONGEST_NAME = 80;
/** Of each machine, to find out whether a passphrase opens what is there. */
const MOST_SAMPLED_FILES = 16;
/** How much of a file is read for that, in bytes. */
const SAMPLE = 65_536;

const ABOUT_MACHINE = z.object({
  format: z.literal(FORMAT),
  version: z.int().min(1),
  machine: z.string().regex(MACHINE_ID),
  name: z.string().max(200),
  seenAt: z.int().min(0).max(LAST_TIME),
});

/** A machine that has files in the folder. */
export interface MachineInFolder {
  id: string;
  name: string;
  /** When it last said that it is there, in ms since 1970 by its own clock; null if it did not say. */
  seenAt: number | null;
}

/** A file with marks, and what tells whether it has changed. */
export interface MarksFile {
  path: string;
  state: string;
}

/** What is in the folder: files with marks, and machines; `skipped` files can't be read, or are too large or too many. */
export interface FolderListing {
  files: MarksFile[];
  machines: MachineInFolder[];
  skipped: number;
}

/**
 * What a file has besides marks: lines that are not whole, lines that no key opens, whether any is not encrypted, and whether it
 * may go on: it is empty, or its last line has no end.
 */
export interface FileContent {
  broken: number;
  sealed: number;
  isPlain: boolean;
  isCut: boolean;
}

/** The folder of a machine. */
export function folderOf(folder: string, machine: string): string {
  return join(folder, MARKS_FOLDER, machine);
}

/** Lists the folder. Errors: the system's, if the reader's folder is not there or can't be read. */
export async function listFolder(folder: string, keys: readonly MarksKey[]): Promise<FolderListing> {
  const names = await machineFolders(folder);
  const listing: FolderListing = { files: [], machines: [], skipped: Math.max(0, names.length - MOST_FOLDERS) };
  for (const name of names.slice(0, MOST_FOLDERS)) await listMachine(folderOf(folder, name), name, keys, listing);
  return listing;
}

/** Whatever their names: a sync tool may have renamed one. */
async function machineFolders(folder: string): Promise<string[]> {
  // A folder that is not there is a disk that is not connected. An empty one may be new.
  await readdir(folder);
  const entries = await readdir(join(folder, MARKS_FOLDER), { withFileTypes: true }).catch(whenMissing);
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
}

async function listMachine(path: string, id: string, keys: readonly MarksKey[], listing: FolderListing): Promise<void> {
  const names = await namesIn(path);
  if (names === null) {
    // One folder that is locked or being deleted does not hold up the others.
    listing.skipped += 1;
    return;
  }
  const marks = names.filter(isMarksName);
  // What iCloud Drive has not downloaded yet is a hidden file of another name.
  listing.skipped += names.filter((name) => name.startsWith('.') && name.endsWith('.jsonl.icloud')).length;
  listing.skipped += Math.max(0, marks.length - MOST_FILES);
  for (const name of marks.slice(0, MOST_FILES)) {
    const file = join(path, name);
    const found = await lstat(file).catch(() => null);
    if (!found?.isFile()) continue;
    if (found.size > LARGEST_FILE) listing.skipped += 1;
    else listing.files.push({ path: file, state: stateOf(found) });
  }
  // Some tools delete files and leave their folder.
  if (MACHINE_ID.test(id) && names.length > 0) {
    listing.machines.push({ id, ...(await readAbout(join(path, ABOUT), id, keys)) });
  }
}

/** Sync tools give their copies names of their own: what a file is, its lines say. */
function isMarksName(name: string): boolean {
  return name.endsWith('.jsonl') && !name.startsWith('.');
}

/** Null if they can't be read now. */
async function namesIn(path: string): Promise<string[] | null> {
  try {
    return await readdir(path);
  } catch (error) {
    return whenUnreadable(error, []);
  }
}

/** What stands for something that is gone; null for what can't be read now. Errors: the process has no handles left. */
function whenUnreadable<T>(error: unknown, whenGone: T): T | null {
  if (isOutOfHandles(error)) throw error;
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? whenGone : null;
}

async function readAbout(file: string, id: string, keys: readonly MarksKey[]): Promise<Omit<MachineInFolder, 'id'>> {
  const unknown = { name: '', seenAt: null };
  try {
    if ((await stat(file)).size > LARGEST_ABOUT) return unknown;
    const opened = openLine((await readFile(file, 'utf8')).trim(), keys, 'about');
    if (typeof opened === 'string') return unknown;
    const about = ABOUT_MACHINE.parse(JSON.parse(opened.content));
    return about.machine === id ? { name: oneLine(about.name, LONGEST_NAME), seenAt: about.seenAt } : unknown;
  } catch {
    // It is being copied, or from a later version: the machine is shown by its id.
    return unknown;
  }
}

/**
 * The lines of a file that are whole, in parts, as marks. What follows the last line feed is not read: it may be cut off,
 * and is read when the file has grown. Null if the file can't be read now. Errors: those of `take`.
 */
export async function readMarks(
  path: string,
  keys: readonly MarksKey[],
  take: (marks: Mark[]) => Promise<void>,
): Promise<FileContent | null> {
  const found: FileContent = { broken: 0, sealed: 0, isPlain: false, isCut: false };
  // A sync tool or a virus scanner may hold it, or it is gone.
  const text = await readFile(path, 'utf8').catch((error: unknown) => whenUnreadable(error, ''));
  if (text === null) return null;
  found.isCut = !text.endsWith('\n');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  for (const line of lines) {
    if (line.trim() === '') continue;
    const opened = openLine(line.trimEnd(), keys, 'marks');
    if (opened === 'broken' || opened === 'sealed') found[opened] += 1;
    else {
      found.isPlain ||= opened.isPlain;
      const marks = marksOf(opened.content);
      if (marks.length > 0) await take(marks);
    }
  }
  return found;
}

/** Some lines that are encrypted, of each machine. Errors: the system's, if the reader's folder can't be read. */
export async function sampleSealed(folder: string): Promise<{ sealed: Sealed; purpose: Purpose }[]> {
  const samples: { sealed: Sealed; purpose: Purpose }[] = [];
  for (const name of (await machineFolders(folder)).slice(0, MOST_FOLDERS)) {
    const path = folderOf(folder, name);
    const files = ((await namesIn(path)) ?? []).filter(isMarksName).slice(0, MOST_SAMPLED_FILES);
    for (const file of [ABOUT, ...files]) {
      const content = wholeLine(await firstLine(join(path, file)));
      const sealed = content === null ? null : sealedOf(content);
      if (sealed) samples.push({ sealed, purpose: file === ABOUT ? 'about' : 'marks' });
    }
  }
  return samples;
}

/** Empty if the file can't be read, or its first line is longer than a sample. */
async function firstLine(path: string): Promise<string> {
  const handle = await open(path, 'r').catch((error: unknown) => whenUnreadable(error, null));
  if (handle === null) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE), 0, SAMPLE, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    return text.slice(0, Math.max(0, text.indexOf('\n')));
  } catch (error) {
    whenUnreadable(error, null);
    return '';
  } finally {
    await handle.close();
  }
}

/** Whether a file is as it was listed. */
export async function isUnchanged({ path, state }: MarksFile): Promise<boolean> {
  const now = await lstat(path).catch(() => null);
  return now !== null && stateOf(now) === state;
}

function stateOf({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): string {
  return [size, mtimeMs, ino].join(' ');
}

function whenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
