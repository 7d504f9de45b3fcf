import { z } from 'zod';
import { DEVICE_ID, isPlausible } from '../../common/stamps.ts';
import { isOutOfHandles } from '../../common/system-errors.ts';
import { oneLine } from '../../common/text.ts';
import { LATEST_TIME } from '../../common/time.ts';
import type { FolderKey, FolderRefusal } from '../../contract/model/devices.ts';
import type { Stamped } from '../../store/index.ts';
import { MAX_LINE, recordsOf, openLine, checkLine, parseSealed, type Purpose, type Sealed } from './lines.ts';
import { SafeFolder, within, type FileState } from './safe-folder.ts';
import type { FileHandle } from 'node:fs/promises';

export const FOLDER_NAME = 'broadsheet-devices';
export const FORMAT = 'broadsheet-devices';
export const VERSION = 1;
export const ABOUT = 'about.json';
/** The reader sees that there are more; others are read the next time. */
const MAX_FOLDERS = 100;
const MAX_FILES = 200;
const MAX_NAMES = 20_000;
const MAX_FILE_SIZE = 16 * 1024 * 1024;
const MAX_ABOUT_SIZE = 16 * 1024;
const MAX_NAME = 80;
const MAX_BROKEN = 1_000;
const MAX_SAMPLED_FILES = 16;
const SAMPLE = 65_536;
const MAX_BLOCKED = 10;

const ABOUT_DEVICE = z.object({
  format: z.literal(FORMAT),
  version: z.int().min(1),
  device: z.string().regex(DEVICE_ID),
  name: z.string().max(200),
  seenAt: z.int().min(0).max(LATEST_TIME),
});

export interface DeviceInFolder {
  id: string;
  name: string;
  /** By its own clock; null without a heartbeat. */
  seenAt: number | null;
}

/** `device` is the name of its folder. */
export interface DeviceFile {
  device: string;
  name: string;
  size: number;
  state: string;
}

export type Refused = Partial<Record<FolderRefusal, number>>;

export interface FolderListing {
  files: DeviceFile[];
  devices: DeviceInFolder[];
  skipped: number;
  refused: Refused;
}

export interface ReadOptions {
  keys: readonly FolderKey[];
  sealedOnly: boolean;
}

/** No key opens `sealed` lines. `isCut`: the file is empty, or its last line has no end, so that more may follow. */
export interface FileContent {
  state: string;
  broken: number;
  sealed: number;
  isPlain: boolean;
  refused: Refused;
  isCut: boolean;
}

export function refuse(refused: Refused, reason: FolderRefusal, count = 1): void {
  if (count > 0) refused[reason] = (refused[reason] ?? 0) + count;
}

/** Null if there is none. Errors: the system's, also if the reader's folder is gone, such as on a missing disk. */
function inDevicesFolder<T>(folder: string, work: (devices: SafeFolder) => Promise<T>): Promise<T | null> {
  return within(SafeFolder.open(folder), (chosen) => within(chosen.folder(FOLDER_NAME).catch(whenMissing), work));
}

export function inDeviceFolder<T>(
  folder: string,
  device: string,
  work: (files: SafeFolder, devices: SafeFolder) => Promise<T>,
): Promise<T | null> {
  return inDevicesFolder(folder, (devices) =>
    within(devices.folder(device).catch(whenMissing), (files) => work(files, devices)),
  );
}

/** `known` devices come first; each `round` reads others where there are too many. Errors: the system's. */
export async function listFolder(
  folder: string,
  options: ReadOptions,
  { known, round }: { known: readonly string[]; round: number },
): Promise<FolderListing> {
  const listing: FolderListing = { files: [], devices: [], skipped: 0, refused: {} };
  await inDevicesFolder(folder, async (devices) => {
    for (const name of await deviceFolders(devices, { known, round }, listing.refused)) {
      await within(devices.folder(name), (path) => listFiles(path, name, options, listing)).catch((error: unknown) => {
        if (whenUnreadable(error, 'gone') === null) listing.skipped += 1;
      });
    }
  });
  return listing;
}

/** A sync tool may have renamed folders. */
async function deviceFolders(
  devices: SafeFolder,
  { known, round }: { known: readonly string[]; round: number },
  refused: Refused,
): Promise<string[]> {
  const { folders, others, more } = await devices.names(MAX_NAMES);
  const seen = new Set(known);
  const unknown = folders.filter((name) => !seen.has(name) && !name.startsWith('.')).sort();
  refuse(refused, 'irregular', others.filter(({ name, isFile }) => !isFile && !name.startsWith('.')).length);
  refuse(refused, 'too_many', Math.max(0, unknown.length - MAX_FOLDERS) + Number(more));
  const from = unknown.length > MAX_FOLDERS ? (round * MAX_FOLDERS) % unknown.length : 0;
  const there = new Set(folders);
  return [...known.filter((name) => more || there.has(name)), ...unknown.slice(from, from + MAX_FOLDERS)];
}

async function listFiles(path: SafeFolder, id: string, options: ReadOptions, listing: FolderListing): Promise<void> {
  const { folders, others, more } = await path.names(MAX_NAMES);
  const files = others.filter(({ name }) => isRecordsName(name));
  // iCloud Drive keeps a hidden file of another name for one that it has not downloaded yet.
  listing.skipped += others.filter(({ name }) => name.startsWith('.') && name.endsWith('.jsonl.icloud')).length;
  refuse(listing.refused, 'irregular', folders.filter(isRecordsName).length);
  refuse(listing.refused, 'too_many', Math.max(0, files.length - MAX_FILES) + Number(more));
  for (const { name } of files.slice(0, MAX_FILES)) {
    const found = await path.state(name);
    if (found === null) refuse(listing.refused, 'irregular');
    else if (found.size > MAX_FILE_SIZE) refuse(listing.refused, 'too_large');
    else listing.files.push({ device: id, name, size: found.size, state: stateOf(found) });
  }
  // Some tools delete files and leave their folder.
  if (!DEVICE_ID.test(id) || others.length + folders.length === 0) return;
  const about = await readAbout(path, id, options);
  if (about === null) refuse(listing.refused, 'irregular');
  listing.devices.push({ id, ...(about ?? UNKNOWN) });
}

function isRecordsName(name: string): boolean {
  return name.endsWith('.jsonl') && !name.startsWith('.');
}

/** Null if the file can't be read now. Errors: the process has no handles left. */
function whenUnreadable<T>(error: unknown, whenGone: T): T | null {
  if (isOutOfHandles(error)) throw error;
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? whenGone : null;
}

const UNKNOWN: Omit<DeviceInFolder, 'id'> = { name: '', seenAt: null };

async function readAbout(
  path: SafeFolder,
  id: string,
  { keys, sealedOnly }: ReadOptions,
): Promise<Omit<DeviceInFolder, 'id'> | null> {
  try {
    const text = await readBeginning(path, ABOUT, MAX_ABOUT_SIZE + 1);
    if (text === null) return null;
    if (text.length > MAX_ABOUT_SIZE) return UNKNOWN;
    const opened = openLine(text.trim(), keys, 'about');
    if (typeof opened === 'string' || (opened.isPlain && sealedOnly)) return UNKNOWN;
    const about = ABOUT_DEVICE.parse(JSON.parse(opened.content));
    return about.device === id ? { name: oneLine(about.name, MAX_NAME), seenAt: about.seenAt } : UNKNOWN;
  } catch {
    // It is missing, being copied, or from a later version.
    return UNKNOWN;
  }
}

async function readBeginning(path: SafeFolder, name: string, most: number): Promise<string | null> {
  const handle = await path.read(name);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Reads whole lines; the last one may be cut off until the file has grown. Null if the file can't be read now, or is gone. */
export async function readRecords(
  folder: string,
  { device, name }: Pick<DeviceFile, 'device' | 'name'>,
  options: ReadOptions & { now: number },
  take: (records: Stamped[]) => Promise<void>,
): Promise<FileContent | 'gone' | null> {
  const handle = await inDeviceFolder(folder, device, (files) => files.read(name)).catch((error: unknown) =>
    whenUnreadable(error, 'gone' as const),
  );
  if (handle === null || handle === 'gone') return handle;
  try {
    // Before it is read: what is written meanwhile is read again.
    const state = stateOf(await handle.stat());
    const found: FileContent = { state, broken: 0, sealed: 0, isPlain: false, refused: {}, isCut: false };
    const lines = linesOf(handle);
    let turnedAt = performance.now();
    while (found.broken < MAX_BROKEN) {
      const next = await lines.next().catch((error: unknown) => whenUnreadable(error, null));
      if (next === null) return null;
      if (next.done === true) return { ...found, isCut: next.value };
      if (performance.now() - turnedAt > MAX_BLOCKED) {
        await turn();
        turnedAt = performance.now();
      }
      if (next.value === null) refuse(found.refused, 'too_large');
      const records = next.value === null ? [] : recordsIn(next.value, options, found);
      if (records.length > 0) await take(records);
    }
    refuse(found.refused, 'too_many');
    return found;
  } finally {
    await handle.close();
  }
}

function recordsIn(
  line: string,
  { keys, sealedOnly, now }: ReadOptions & { now: number },
  found: FileContent,
): Stamped[] {
  const text = line.trim();
  if (text === '') return [];
  const opened = openLine(text, keys, 'records');
  if (opened === 'broken' || opened === 'sealed') {
    found[opened] += 1;
    return [];
  }
  found.isPlain ||= opened.isPlain;
  if (opened.isPlain && sealedOnly) return [];
  const all = recordsOf(opened.content);
  const records = all?.filter((record) => isPlausible(record, now)) ?? [];
  if (all === null) refuse(found.refused, 'too_large');
  else refuse(found.refused, 'implausible', all.length - records.length);
  return records;
}

export async function sampleSealed(folder: string): Promise<{ sealed: Sealed; purpose: Purpose }[]> {
  const samples: { sealed: Sealed; purpose: Purpose }[] = [];
  await inDevicesFolder(folder, async (devices) => {
    for (const name of await deviceFolders(devices, { known: [], round: 0 }, {})) {
      await within(devices.folder(name), (path) => sampleDevice(path, samples)).catch((error: unknown) =>
        whenUnreadable(error, null),
      );
    }
  });
  return samples;
}

async function sampleDevice(path: SafeFolder, samples: { sealed: Sealed; purpose: Purpose }[]): Promise<void> {
  const { others } = await path.names(MAX_NAMES);
  const files = others.map(({ name }) => name).filter(isRecordsName);
  for (const file of [ABOUT, ...files.slice(0, MAX_SAMPLED_FILES)]) {
    const text = (await readBeginning(path, file, SAMPLE).catch((error: unknown) => whenUnreadable(error, null))) ?? '';
    const content = checkLine(text.slice(0, Math.max(0, text.indexOf('\n'))));
    const sealed = content === null ? null : parseSealed(content);
    if (sealed) samples.push({ sealed, purpose: file === ABOUT ? 'about' : 'records' });
  }
}

export async function isUnchanged(files: SafeFolder, { name, state }: DeviceFile): Promise<boolean> {
  const now = await files.state(name);
  return now !== null && stateOf(now) === state;
}

function stateOf({ size, mtimeMs, ino }: Omit<FileState, 'dev'>): string {
  return [size, mtimeMs, ino].join(' ');
}

function whenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** In bytes; a few ms if full of the shortest lines. */
const CHUNK = 16_384;
const LINE_FEED = 0x0a;

/** Yields null for a line that is too long. Returns true if the file ends within a line. */
async function* linesOf(handle: FileHandle): AsyncGenerator<string | null, boolean> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let begun: Buffer[] = [];
  let length = 0;
  let isCut = true;
  for (let at = 0; at < MAX_FILE_SIZE;) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(CHUNK, MAX_FILE_SIZE - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1 && end < bytesRead; end = chunk.indexOf(LINE_FEED, from)) {
      length += end - from;
      if (length > 0) yield length > MAX_LINE ? null : textOf(begun, chunk.subarray(from, end));
      begun = [];
      length = 0;
      from = end + 1;
      while (from < bytesRead && chunk[from] === LINE_FEED) from += 1;
    }
    length += bytesRead - from;
    if (length > MAX_LINE) begun = [];
    else if (bytesRead > from) begun.push(Buffer.from(chunk.subarray(from, bytesRead)));
    isCut = length > 0;
  }
  return isCut;
}

function textOf(begun: readonly Buffer[], end: Buffer): string {
  return (begun.length === 0 ? end : Buffer.concat([...begun, end])).toString('utf8');
}
