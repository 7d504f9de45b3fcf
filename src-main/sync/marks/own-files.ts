import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mark } from '../../common/marks.ts';
import { ABOUT, folderOf, FORMAT, isUnchanged, VERSION, type MarksFile } from './folder-files.ts';
import { contentsOf, type LineWriter } from './lines.ts';

/** A segment that has grown to so many bytes is left as it is; a new one begins. */
const FULL_SEGMENT = 256 * 1024;
/** Characters of a part of a snapshot. */
const SNAPSHOT_PART = 2 * 1024 * 1024;
/** This machine's files are replaced by a snapshot when there are so many of them. */
const MANY_FILES = 16;
const PRIVATE = 0o600;

/** The files of this machine. Nobody else writes them. Errors: the system's. */
export class OwnFiles {
  readonly #path: string;
  readonly #machine: string;
  readonly #lines: LineWriter;
  #segment: { path: string; bytes: number } | null = null;

  constructor(folder: string, machine: string, lines: LineWriter) {
    this.#path = folderOf(folder, machine);
    this.#machine = machine;
    this.#lines = lines;
  }

  /** Appends marks to segments. They are on the disk when it resolves. */
  async append(marks: readonly Mark[]): Promise<void> {
    await this.#create();
    let text = '';
    for (const content of contentsOf(marks)) {
      text += this.#lineOf(content);
      if (text.length < FULL_SEGMENT) continue;
      await this.#appendText(text);
      text = '';
    }
    if (text !== '') await this.#appendText(text);
  }

  async #appendText(text: string): Promise<void> {
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
    await this.#replace(ABOUT, `${this.#lines.line(JSON.stringify(about), 'about')}\n`);
  }

  /** Whether the files should be replaced by a snapshot. `files`: all of the folder. */
  isMany(files: readonly MarksFile[]): boolean {
    return this.#of(files).length > MANY_FILES;
  }

  /**
   * Writes all marks into new files and removes those that they replace. `files` are those that were read: one that has
   * changed since stays. `parts` gives all marks of this machine. Returns whether none stayed.
   */
  async compact(files: readonly MarksFile[], parts: AsyncIterable<readonly Mark[]>): Promise<boolean> {
    const before = this.#of(files);
    this.#segment = null;
    await this.#create();
    let text = '';
    for await (const marks of parts) {
      for (const content of contentsOf(marks)) text += this.#lineOf(content);
      if (text.length < SNAPSHOT_PART) continue;
      await this.#replace(newName('snapshot'), text);
      text = '';
    }
    if (text !== '') await this.#replace(newName('snapshot'), text);
    return removeUnchanged(before);
  }

  #lineOf(content: string): string {
    return `${this.#lines.line(content, 'marks')}\n`;
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

/**
 * Removes the files of a machine, as far as they were read: marks that arrived since are in no other file. `files` are
 * those that were read. Errors: the system's.
 */
export async function removeMachineFiles(folder: string, machine: string, files: readonly MarksFile[]): Promise<void> {
  const path = folderOf(folder, machine);
  await removeUnchanged(files.filter((file) => join(file.path, '..') === path));
  const left = await readdir(path).catch(() => []);
  if (left.some((name) => name.endsWith('.jsonl'))) return;
  for (const name of left) await rm(join(path, name), { recursive: true, force: true });
  await rmdir(path).catch(() => undefined);
}

/** Returns whether none stayed. */
async function removeUnchanged(files: readonly MarksFile[]): Promise<boolean> {
  let isDone = true;
  for (const file of files) {
    if (await isUnchanged(file)) await rm(file.path, { force: true });
    else isDone = false;
  }
  return isDone;
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

/** No other machine, and no copy of this data folder, has a file of this name. */
function newName(kind: 'segment' | 'snapshot'): string {
  return `${kind}-${randomBytes(8).toString('hex')}.jsonl`;
}
