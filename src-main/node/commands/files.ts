import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { mkdir, readFile, stat, type FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BroadsheetError } from '../../contract/errors.ts';
import { exportedFile, type ExportSource } from '../../common/exported-file.ts';
import { replaceAtomically, writeAtomically } from '../../core/files/atomic-write.ts';
import { fileToWrite, placeToWrite, readChosenFile } from '../../core/files/chosen-file.ts';
import { MachineError, Output } from '../shell.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'a file is where a folder should be',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file of this name',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links never end',
};
const REASONS_OF_READS: Readonly<Record<string, string>> = { ...REASONS, ENOENT: 'there is no such file' };

/** Turns errors of the system into a `MachineError`, and throws the others. */
export async function explainErrors<T>(
  describe: (why: string) => string,
  work: () => Promise<T>,
  reasons = REASONS,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    const why = reasons[code] ?? (syscall === undefined ? '' : code);
    throw why === '' ? error : new MachineError(describe(why));
  }
}

function explainWrite(file: string, work: () => Promise<void>): Promise<void> {
  return explainErrors((why) => `Cannot write ${file}: ${why}.`, work);
}

/** Errors: `MachineError`, `file_refused`. */
export async function makeFolder(folder: string, ownFolders: readonly string[]): Promise<void> {
  await explainErrors(
    (why) => `Cannot create the folder ${folder}: ${why}.`,
    async () => makeFolders(await placeToWrite(folder, ownFolders)),
  );
}

/** Replaces Node's recursive `mkdir`, which waits for ever in /proc. */
async function makeFolders(folder: string): Promise<void> {
  const missing: string[] = [];
  let place = folder;
  while (!(await statOf(place)) && path.dirname(place) !== place) {
    missing.unshift(place);
    place = path.dirname(place);
  }
  for (const one of missing) await mkdir(one, { mode: 0o700 });
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'EEXIST' });
}

function statOf(place: string): Promise<Stats | null> {
  return stat(place).catch(() => null);
}

/** Writes a text atomically, and returns where. Errors: `MachineError`, `file_refused`. */
export async function writeText(to: Destination, text: string): Promise<Place> {
  const stream = await openStream(to);
  if (stream) return writeStream(to, stream, () => stream.content(text));
  const file = path.resolve(to.out);
  await explainWrite(file, async () => writeAtomically(await fileToWrite(file, to.ownFolders), text));
  return { file, streamed: false };
}

/** Returns false if the file already has this text. Errors: `MachineError`, `file_refused`. */
export function writeChanged(named: string, text: string, ownFolders: readonly string[]): Promise<boolean> {
  return explainErrors(
    (why) => `Cannot write ${named}: ${why}. The files written before it are complete.`,
    async () => {
      const file = await fileToWrite(named, ownFolders);
      if ((await readFile(file, 'utf8').catch(() => null)) === text) return false;
      await writeAtomically(file, text, { keepsMode: true });
      return true;
    },
  );
}

/** Reads a text in UTF-8 of at most `largest` bytes. Errors: `MachineError`, `file_refused`. */
export async function readText(file: string, largest: number): Promise<string> {
  const describe = (why: string): string => `Cannot read ${file}: ${why}.`;
  const bytes = await explainErrors(describe, () => readChosenFile(file, largest), REASONS_OF_READS);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MachineError(describe('it is not text in UTF-8'));
  }
}

export interface Destination {
  /** May be an existing folder, a pipe, or `-` for standard output. */
  out: string;
  /** In which no export is written. */
  ownFolders: readonly string[];
  stdout: Output;
  stop: AbortSignal;
}

export interface Place {
  file: string;
  /** Messages then belong on stderr. */
  streamed: boolean;
  /** The reader of a pipe has left (`| head`). */
  isCut?: boolean;
}

export interface WrittenFile extends Place {
  count: number;
  left: number;
}

export interface CountedSource extends ExportSource {
  onPart?(count: number): void;
}

/** Writes part by part, to a file atomically, also if stopped. Errors: `MachineError`, `file_refused`, those of the reads. */
export async function writeExport(
  to: Destination,
  { onPart = () => undefined, ...source }: CountedSource,
): Promise<WrittenFile> {
  const totals = { count: 0, left: 0 };
  const stream = await openStream(to);
  if (stream) return { ...(await writeStream(to, stream, () => send(stream))), ...totals };
  const file = await pathIn(to.out, async () => (await source.frame(null)).name);
  await explainWrite(file, async () =>
    replaceAtomically(await fileToWrite(file, to.ownFolders), write, { keepsMode: true }),
  );
  return { file, streamed: false, ...totals };

  async function write(handle: FileHandle): Promise<void> {
    let length = 0;
    const head = await readAll(source, async (text) => {
      length += (await handle.write(text)).bytesWritten;
    });
    // The head has the time of the newest entry, which is known only now, and the length of the first head.
    if (length > 0) await handle.write(Buffer.from(head), 0, null, 0);
  }

  async function send(output: Output): Promise<void> {
    const [first, other] = [await source.frame(null), await source.frame(new Date(0).toISOString())];
    // Nothing can be written again at its beginning, so that feeds are read twice.
    const head = first.head === other.head ? first.head : await readAll(source, () => Promise.resolve());
    const frame = { ...first, head };
    await readAll({ ...source, frame: () => Promise.resolve(frame) }, (text) => output.content(text), output);
  }

  async function readAll(from: ExportSource, take: (text: string) => Promise<void>, output?: Output): Promise<string> {
    const texts = exportedFile(from, (count) => {
      ensureRunning(to);
      totals.count = count;
      onPart(count);
    });
    let text = await texts.next();
    for (; text.done !== true && !output?.closed; text = await texts.next()) await take(text.value);
    if (text.done !== true) return '';
    const { head, count, left } = text.value;
    Object.assign(totals, { count, left });
    return head;
  }
}

function ensureRunning({ stop }: Pick<Destination, 'stop'>): void {
  if (stop.aborted) throw new MachineError('Interrupted. No file was written.');
}

export async function writeWhole(to: Destination, name: string, content: Uint8Array): Promise<Place> {
  const stream = await openStream(to);
  if (stream?.isTerminal) throw new MachineError('A terminal cannot show this format. Name a file, or redirect it.');
  if (stream) return writeStream(to, stream, () => stream.content(content));
  const file = await pathIn(to.out, () => Promise.resolve(name));
  await explainWrite(file, async () =>
    writeAtomically(await fileToWrite(file, to.ownFolders), content, { keepsMode: true }),
  );
  return { file, streamed: false };
}

const OPEN_PIPE = /^\/(?:dev|proc\/self)\/fd\/\d+$/;

/** Standard output or a pipe, also `>(gzip > file)` of a shell; null for a file. */
export async function openStream(to: Destination): Promise<Output | null> {
  const { out, stdout, ownFolders } = to;
  if (out === '-') return stdout;
  if (!(await statOf(out))?.isFIFO()) return null;
  if (!OPEN_PIPE.test(out)) await placeToWrite(out, ownFolders);
  for (;;) {
    ensureRunning(to);
    const pipe = await explainErrors(
      (why) => `Cannot write ${out}: ${why}.`,
      async () => openPipe(out),
    );
    if (pipe) return pipe;
    await wait(50);
  }
}

/** Null without a reader: opening it would block a thread, also after Ctrl+C. */
function openPipe(file: string): Output | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return null;
    throw error;
  }
  const found = fstatSync(descriptor);
  if (found.isFIFO() && [0, process.getuid?.()].includes(found.uid)) {
    return new Output(new Socket({ fd: descriptor, readable: false, writable: true }), { isResult: true });
  }
  closeSync(descriptor);
  throw new BroadsheetError('file_refused', `${file} is a pipe of another user. Choose another name.`);
}

export async function writeStream(to: Destination, stream: Output, write: () => Promise<void>): Promise<Place> {
  await write();
  if (stream !== to.stdout) await stream.end();
  return { file: to.out === '-' ? '-' : path.resolve(to.out), streamed: true, isCut: stream.closed };
}

async function pathIn(out: string, name: () => Promise<string>): Promise<string> {
  const target = path.resolve(out);
  return (await statOf(target))?.isDirectory() ? path.join(target, await name()) : target;
}
