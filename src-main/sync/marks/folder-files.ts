import { z } from 'zod';
import { isPlausible, LAST_TIME, MACHINE_ID, type Mark } from '../../common/marks.ts';
import { isOutOfHandles } from '../../common/system-errors.ts';
import { oneLine } from '../../common/text.ts';
import type { MarksKey, MarksRefusal } from '../../contract/model/marks-folder.ts';
import { linesOf } from './file-lines.ts';
import { LONGEST_LINE, marksOf, openLine, wholeLine } from './lines.ts';
import { SafeFolder, type FileState } from './safe-folder.ts';
import { sealedOf, type Purpose, type Sealed } from './sealing.ts';

/** The folder in the reader's folder, so that it may have other things in it. */
export const MARKS_FOLDER = 'broadsheet-marks';
export const FORMAT = 'broadsheet-marks';
export const VERSION = 1;
export const ABOUT = 'about.json';
/** Folders and files beyond these are not read, which is told. Other unknown folders are read the next time. */
const MOST_FOLDERS = 100;
const MOST_FILES = 200;
/** Names that are looked at in one folder. */
const MOST_NAMES = 20_000;
/** Broadsheet's own have a few MB. */
const LARGEST_FILE = 16 * 1024 * 1024;
const LARGEST_ABOUT = 16 * 1024;
const LONGEST_NAME = 80;
/** The rest of a file with more broken lines is not looked at. */
const MOST_BROKEN = 1_000;
/** Files of each machine that are sampled to check a passphrase. */
const MOST_SAMPLED_FILES = 16;
/** How much of a file is read for that, in bytes. */
const SAMPLE = 65_536;
/** The longest time without a turn of the event loop, in ms. */
const LONGEST_HOLD = 10;

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

/** A file with marks, and what tells whether it has changed. `machine` is the name of its folder. */
export interface MarksFile {
  machine: string;
  name: string;
  size: number;
  state: string;
}

/** How much was refused, by the reason. */
export type Refused = Partial<Record<MarksRefusal, number>>;

/** Lists the files with marks and the machines in the folder; `skipped` files can't be read now. */
export interface FolderListing {
  files: MarksFile[];
  machines: MachineInFolder[];
  skipped: number;
  refused: Refused;
}

/** How a folder is read. */
export interface Reading {
  keys: readonly MarksKey[];
  /** True if only what is encrypted is believed. */
  sealedOnly: boolean;
}

/**
 * The content of a file besides marks: lines that are not whole, lines that no key opens, whether any is not encrypted,
 * refused lines, and whether it may go on: it is empty, or its last line has no end.
 */
export interface FileContent {
  broken: number;
  sealed: number;
  isPlain: boolean;
  refused: Refused;
  isCut: boolean;
}

export function refuse(refused: Refused, reason: MarksRefusal, count = 1): void {
  if (count > 0) refused[reason] = (refused[reason] ?? 0) + count;
}

/** Opens the folder of all machines. Returns null if there is none yet. Errors: the system's; the reader's folder is gone. */
async function openMarksFolder(folder: string): Promise<SafeFolder | null> {
  // A folder that is not there is a disk that is not connected. An empty one may be new.
  const chosen = await SafeFolder.open(folder);
  return chosen
    .folder(MARKS_FOLDER)
    .catch(whenMissing)
    .finally(() => chosen.close());
}

/** Uses the folder of a machine, which is made if `makes`. Returns null if there is none. Errors: the system's. */
export async function inMachineFolder<T>(
  folder: string,
  machine: string,
  work: (files: SafeFolder, machines: SafeFolder) => Promise<T>,
  { makes }: { makes: boolean },
): Promise<T | null> {
  const opened: SafeFolder[] = [];
  const entered = async (next: Promise<SafeFolder | null>): Promise<SafeFolder | null> => {
    const one = await next;
    if (one) opened.push(one);
    return one;
  };
  try {
    const chosen = await SafeFolder.open(folder);
    opened.push(chosen);
    const into = (parent: SafeFolder, name: string): Promise<SafeFolder | null> =>
      makes ? parent.folderMade(name) : parent.folder(name).catch(whenMissing);
    const machines = await entered(into(chosen, MARKS_FOLDER));
    const files = machines && (await entered(into(machines, machine)));
    return machines && files && (await work(files, machines));
  } finally {
    for (const one of opened) await one.close();
  }
}

/**
 * Lists the folder. `known` machines come first, and `round` has others read each time where there are too many. Errors: the
 * system's, if the reader's folder is not there or can't be read.
 */
export async function listFolder(
  folder: string,
  reading: Reading,
  { known, round }: { known: readonly string[]; round: number },
): Promise<FolderListing> {
  const listing: FolderListing = { files: [], machines: [], skipped: 0, refused: {} };
  const machines = await openMarksFolder(folder);
  if (machines === null) return listing;
  try {
    for (const name of await machineFolders(machines, { known, round }, listing.refused)) {
      await listMachine(machines, name, reading, listing);
    }
  } finally {
    await machines.close();
  }
  return listing;
}

/** Whatever their names: a sync tool may have renamed one. */
async function machineFolders(
  machines: SafeFolder,
  { known, round }: { known: readonly string[]; round: number },
  refused: Refused,
): Promise<string[]> {
  const { folders, others, more } = await machines.names(MOST_NAMES);
  const seen = new Set(known);
  const unknown = folders.filter((name) => !seen.has(name) && !name.startsWith('.')).sort();
  refuse(refused, 'irregular', others.filter(({ name, isFile }) => !isFile && !name.startsWith('.')).length);
  refuse(refused, 'too_many', Math.max(0, unknown.length - MOST_FOLDERS) + Number(more));
  const from = unknown.length > MOST_FOLDERS ? (round * MOST_FOLDERS) % unknown.length : 0;
  const there = new Set(folders);
  return [...known.filter((name) => more || there.has(name)), ...unknown.slice(from, from + MOST_FOLDERS)];
}

async function listMachine(machines: SafeFolder, id: string, reading: Reading, listing: FolderListing): Promise<void> {
  // One folder that is locked or being deleted does not hold up the others.
  const path = await machines.folder(id).catch((error: unknown) => whenUnreadable(error, undefined));
  if (!path) {
    if (path === null) listing.skipped += 1;
    return;
  }
  try {
    await listFiles(path, id, reading, listing);
  } catch (error) {
    whenUnreadable(error, null);
    listing.skipped += 1;
  } finally {
    await path.close();
  }
}

async function listFiles(path: SafeFolder, id: string, reading: Reading, listing: FolderListing): Promise<void> {
  const { folders, others, more } = await path.names(MOST_NAMES);
  const marks = others.filter(({ name }) => isMarksName(name));
  // What iCloud Drive has not downloaded yet is a hidden file of another name.
  listing.skipped += others.filter(({ name }) => name.startsWith('.') && name.endsWith('.jsonl.icloud')).length;
  refuse(listing.refused, 'irregular', folders.filter(isMarksName).length);
  refuse(listing.refused, 'too_many', Math.max(0, marks.length - MOST_FILES) + Number(more));
  for (const { name } of marks.slice(0, MOST_FILES)) {
    const found = await path.state(name);
    if (found === null) refuse(listing.refused, 'irregular');
    else if (found.size > LARGEST_FILE) refuse(listing.refused, 'too_large');
    else listing.files.push({ machine: id, name, size: found.size, state: stateOf(found) });
  }
  // Some tools delete files and leave their folder.
  if (!MACHINE_ID.test(id) || others.length + folders.length === 0) return;
  const about = [...folders, ...others.map(({ name }) => name)].includes(ABOUT)
    ? await readAbout(path, id, reading)
    : UNKNOWN;
  if (about === null) refuse(listing.refused, 'irregular');
  listing.machines.push({ id, ...(about ?? UNKNOWN) });
}

/** Sync tools give their copies names of their own: what a file is, its lines say. */
function isMarksName(name: string): boolean {
  return name.endsWith('.jsonl') && !name.startsWith('.');
}

/** Returns `whenGone` if the file is gone, null if it can't be read now. Errors: the process has no handles left. */
function whenUnreadable<T>(error: unknown, whenGone: T): T | null {
  if (isOutOfHandles(error)) throw error;
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? whenGone : null;
}

const UNKNOWN: Omit<MachineInFolder, 'id'> = { name: '', seenAt: null };

/** Returns null for what is no regular file. */
async function readAbout(
  path: SafeFolder,
  id: string,
  { keys, sealedOnly }: Reading,
): Promise<Omit<MachineInFolder, 'id'> | null> {
  try {
    const text = await beginning(path, ABOUT, LARGEST_ABOUT + 1);
    if (text === null) return null;
    if (text.length > LARGEST_ABOUT) return UNKNOWN;
    const opened = openLine(text.trim(), keys, 'about');
    if (typeof opened === 'string' || (opened.isPlain && sealedOnly)) return UNKNOWN;
    const about = ABOUT_MACHINE.parse(JSON.parse(opened.content));
    return about.machine === id ? { name: oneLine(about.name, LONGEST_NAME), seenAt: about.seenAt } : UNKNOWN;
  } catch {
    // It is being copied, or from a later version: the machine is shown by its id.
    return UNKNOWN;
  }
}

/** Returns null for what is no regular file. Errors: the system's. */
async function beginning(path: SafeFolder, name: string, most: number): Promise<string | null> {
  const handle = await path.read(name);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * The lines of a file that are whole, in parts, as marks. What follows the last line feed is not read: it may be cut off,
 * and is read when the file has grown. A mark whose stamp is beyond reason at the time `now` is refused. Null if the file
 * can't be read now. Errors: those of `take`.
 */
export async function readMarks(
  folder: string,
  file: Pick<MarksFile, 'machine' | 'name'>,
  { keys, sealedOnly, now }: Reading & { now: number },
  take: (marks: Mark[]) => Promise<void>,
): Promise<FileContent | null> {
  const found: FileContent = { broken: 0, sealed: 0, isPlain: false, refused: {}, isCut: false };
  // A sync tool or a virus scanner may hold it, or it is gone.
  const handle = await inMachineFolder(folder, file.machine, (files) => files.read(file.name), { makes: false }).catch(
    (error: unknown) => whenUnreadable(error, undefined),
  );
  if (handle === undefined) return { ...found, isCut: true };
  if (handle === null) return null;
  let turnedAt = performance.now();
  const readLine = async (line: string): Promise<void> => {
    if (performance.now() - turnedAt > LONGEST_HOLD) {
      await turn();
      turnedAt = performance.now();
    }
    const text = line.trim();
    if (text === '') return;
    const opened = openLine(text, keys, 'marks');
    if (opened === 'broken' || opened === 'sealed') {
      found[opened] += 1;
      return;
    }
    found.isPlain ||= opened.isPlain;
    if (opened.isPlain && sealedOnly) return;
    const all = marksOf(opened.content);
    if (all === null) {
      refuse(found.refused, 'too_large');
      return;
    }
    const marks = all.filter((mark) => isPlausible(mark, now));
    refuse(found.refused, 'implausible', all.length - marks.length);
    if (marks.length > 0) await take(marks);
  };
  try {
    const parts = linesOf(handle, { size: LARGEST_FILE, longest: LONGEST_LINE });
    for (;;) {
      const part = await parts.next().catch((error: unknown) => whenUnreadable(error, null));
      if (part === null) return null;
      if (part.done === true) {
        found.isCut = part.value;
        return found;
      }
      refuse(found.refused, 'too_large', part.value.tooLong);
      for (const line of part.value.lines) {
        await readLine(line);
        if (found.broken < MOST_BROKEN) continue;
        refuse(found.refused, 'too_many');
        return found;
      }
    }
  } finally {
    await handle.close();
  }
}

/** Some lines that are encrypted, of each machine. Errors: the system's, if the reader's folder can't be read. */
export async function sampleSealed(folder: string): Promise<{ sealed: Sealed; purpose: Purpose }[]> {
  const samples: { sealed: Sealed; purpose: Purpose }[] = [];
  const machines = await openMarksFolder(folder);
  if (machines === null) return samples;
  try {
    for (const name of await machineFolders(machines, { known: [], round: 0 }, {})) {
      const path = await machines.folder(name).catch((error: unknown) => whenUnreadable(error, null));
      if (path === null) continue;
      await sampleMachine(path, samples).finally(() => path.close());
    }
  } finally {
    await machines.close();
  }
  return samples;
}

async function sampleMachine(path: SafeFolder, samples: { sealed: Sealed; purpose: Purpose }[]): Promise<void> {
  const { others } = await path.names(MOST_NAMES);
  const files = others.map(({ name }) => name).filter(isMarksName);
  for (const file of [ABOUT, ...files.slice(0, MOST_SAMPLED_FILES)]) {
    // Without the end of its first line, it is longer than a sample.
    const text = (await beginning(path, file, SAMPLE).catch((error: unknown) => whenUnreadable(error, null))) ?? '';
    const content = wholeLine(text.slice(0, Math.max(0, text.indexOf('\n'))));
    const sealed = content === null ? null : sealedOf(content);
    if (sealed) samples.push({ sealed, purpose: file === ABOUT ? 'about' : 'marks' });
  }
}

/** Checks that a file is as it was listed. */
export async function isUnchanged(files: SafeFolder, { name, state }: MarksFile): Promise<boolean> {
  const now = await files.state(name);
  return now !== null && stateOf(now) === state;
}

function stateOf({ size, mtimeMs, ino }: FileState): string {
  return [size, mtimeMs, ino].join(' ');
}

function whenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
