import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LAST_TIME, MACHINE_ID, type Mark } from '../../common/marks.ts';
import { oneLine } from '../../common/text.ts';
import { linesOf, marksOf, openLine, sealLine } from './lines.ts';

/** The folder in the reader's folder, so that it may have other things in it. */
export const MARKS_FOLDER = 'broadsheet-marks';
const FORMAT = 'broadsheet-marks';
const VERSION = 1;
/** What is there beyond these is not read, and said. */
const MOST_FOLDERS = 100;
const MOST_FILES = 1_000;
const LARGEST_FILE = 64 * 1024 * 1024;
const LARGEST_ABOUT = 16 * 1024;
/** A segment that has grown to so many bytes is left as it is; a new one begins. */
const FULL_SEGMENT = 256 * 1024;
/** Bytes of a part of a snapshot. */
const SNAPSHOT_PART = 2 * 1024 * 1024;
/** This machine's files are replaced by a snapshot when there are so many of them. */
const MANY_FILES = 16;
const PRIVATE = 0o600;
const ABOUT = 'about.json';
const LONGEST_NAME = 80;

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

/** What is in the folder: files with marks, and machines; `skipped` files are too large or too many. */
export interface FolderListing {
  files: MarksFile[];
  machines: MachineInFolder[];
  skipped: number;
}

/** Lists the folder. Errors: the system's, if the reader's folder is not there or can't be read. */
export async function listFolder(folder: string): Promise<FolderListing> {
  // A folder that is not there is a disk that is not connected. An empty one may be new.
  await readdir(folder);
  const root = join(folder, MARKS_FOLDER);
  const entries = await readdir(root, { withFileTypes: true }).catch(whenMissing);
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const listing: FolderListing = { files: [], machines: [], skipped: Math.max(0, folders.length - MOST_FOLDERS) };
  for (const { name } of folders.slice(0, MOST_FOLDERS)) await listMachine(join(root, name), name, listing);
  return listing;
}

async function listMachine(path: string, id: string, listing: FolderListing): Promise<void> {
  const names = (await readdir(path).catch(whenMissing)).map(String);
  // Sync tools give their copies names of their own: what a file is, its lines say.
  const marks = names.filter((name) => name.endsWith('.jsonl') && !name.startsWith('.'));
  listing.skipped += Math.max(0, marks.length - MOST_FILES);
  for (const name of marks.slice(0, MOST_FILES)) {
    const file = join(path, name);
    const found = await lstat(file).catch(() => null);
    if (!found?.isFile()) continue;
    if (found.size > LARGEST_FILE) listing.skipped += 1;
    else listing.files.push({ path: file, state: stateOf(found) });
  }
  if (MACHINE_ID.test(id)) listing.machines.push({ id, ...(await readAbout(join(path, ABOUT), id)) });
}

async function readAbout(file: string, id: string): Promise<Omit<MachineInFolder, 'id'>> {
  const unknown = { name: '', seenAt: null };
  try {
    if ((await stat(file)).size > LARGEST_ABOUT) return unknown;
    const content = openLine((await readFile(file, 'utf8')).trim());
    const about = ABOUT_MACHINE.parse(JSON.parse(content ?? ''));
    return about.machine === id ? { name: oneLine(about.name, LONGEST_NAME), seenAt: about.seenAt } : unknown;
  } catch {
    // It is being copied, or from a later version: the machine is shown by its id.
    return unknown;
  }
}

/**
 * The lines of a file that are whole, in parts, as marks. What follows the last line feed is not read: it may be cut off,
 * and is read when the file has grown. Returns how many lines were not whole. Errors: the system's.
 */
export async function readMarks(path: string, take: (marks: Mark[]) => Promise<void>): Promise<{ broken: number }> {
  const text = await readFile(path, 'utf8');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  let broken = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const marks = marksOf(line.trimEnd());
    if (marks === null) broken += 1;
    else if (marks.length > 0) await take(marks);
  }
  return { broken };
}

/** Whether a file is as it was listed. */
export async function isUnchanged({ path, state }: MarksFile): Promise<boolean> {
  const now = await lstat(path).catch(() => null);
  return now !== null && stateOf(now) === state;
}

/** The files of this machine. Nobody else writes them. Errors: the system's. */
export class OwnFiles {
  readonly #path: string;
  readonly #machine: string;
  #segment: { path: string; bytes: number } | null = null;

  constructor(folder: string, machine: string) {
    this.#path = join(folder, MARKS_FOLDER, machine);
    this.#machine = machine;
  }

  /** Appends marks to the current segment. They are on the disk when it resolves. */
  async append(marks: readonly Mark[]): Promise<void> {
    const text = textOf(marks);
    await this.#create();
    // A segment of an earlier run is not continued: its last line may be cut off.
    if (this.#segment === null || this.#segment.bytes > FULL_SEGMENT) {
      this.#segment = { path: join(this.#path, newName('segment')), bytes: 0 };
    }
    const segment = this.#segment;
    // After a failure the next line begins in a file of its own, too.
    this.#segment = null;
    await written(segment.path, 'a', (handle) => handle.appendFile(text));
    this.#segment = { ...segment, bytes: segment.bytes + Buffer.byteLength(text) };
  }

  /** Says who this is, and when. */
  async sayHere(name: string, seenAt: number): Promise<void> {
    await this.#create();
    const about = { format: FORMAT, version: VERSION, machine: this.#machine, name, seenAt };
    await this.#replace(ABOUT, `${sealLine(JSON.stringify(about))}\n`);
  }

  /** Whether the files should be replaced by a snapshot. `files`: all of the folder. */
  isMany(files: readonly MarksFile[]): boolean {
    return this.#of(files).length > MANY_FILES;
  }

  /**
   * Writes all marks into new files and removes those that they replace. `files` are those that were read: one that has
   * changed since stays. `parts` gives all marks of this machine.
   */
  async compact(files: readonly MarksFile[], parts: AsyncIterable<readonly Mark[]>): Promise<void> {
    const before = this.#of(files);
    this.#segment = null;
    await this.#create();
    let text = '';
    for await (const marks of parts) {
      text += textOf(marks);
      if (text.length < SNAPSHOT_PART) continue;
      await this.#replace(newName('snapshot'), text);
      text = '';
    }
    if (text !== '') await this.#replace(newName('snapshot'), text);
    for (const file of before) if (await isUnchanged(file)) await rm(file.path, { force: true });
  }

  #of(files: readonly MarksFile[]): MarksFile[] {
    return files.filter(({ path }) => join(path, '..') === this.#path);
  }

  async #create(): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
  }

  /** Atomically. */
  async #replace(name: string, text: string): Promise<void> {
    const unfinished = join(this.#path, `.${name}.${randomBytes(6).toString('hex')}.unfinished`);
    try {
      await written(unfinished, 'wx', (handle) => handle.writeFile(text));
      await rename(unfinished, join(this.#path, name));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  }
}

/** Removes the files of a machine. Errors: the system's. */
export async function removeMachineFiles(folder: string, machine: string): Promise<void> {
  await rm(join(folder, MARKS_FOLDER, machine), { recursive: true, force: true });
}

async function written(path: string, flags: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags, PRIVATE);
  try {
    await write(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function textOf(marks: readonly Mark[]): string {
  return linesOf(marks)
    .map((line) => `${line}\n`)
    .join('');
}

/** No other machine, and no copy of this data folder, has a file of this name. */
function newName(kind: 'segment' | 'snapshot'): string {
  return `${kind}-${randomBytes(8).toString('hex')}.jsonl`;
}

function stateOf({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): string {
  return [size, mtimeMs, ino].join(' ');
}

function whenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
