import { randomBytes } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import { lstat, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isOutOfHandles, tooManyOpenFiles } from '../../common/system-errors.ts';
import { BroadsheetError, type ErrorCode } from '../../contract/errors.ts';
import { flushFolder } from '../../store/index.ts';

const CODES: Record<string, ErrorCode> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'data_read_only',
  EPERM: 'data_read_only',
  EROFS: 'data_read_only',
};

const PRIVATE = 0o600;
/** In bytes. */
const COMPARED_AT_ONCE = 65_536;
const UNFINISHED = '.unfinished';

interface WriteOptions {
  /**
   * For files that a person named: keeps the mode of a file of the user, and the file itself if it has this content,
   * so that a folder that is synced stays as it is.
   */
  keepsMode?: boolean;
}

/**
 * After a crash the file has its old or its new content; once this resolves, the new one. Only the user may read it,
 * unless it keeps a mode. Replaces links, never follows them. Errors: those of the system.
 */
export async function writeAtomically(
  file: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  await replaceAtomically(file, (handle) => handle.writeFile(content), options);
}

/** Like {@link writeAtomically}, piece by piece. If `write` fails, nothing has changed. */
export async function replaceAtomically(
  file: string,
  write: (handle: FileHandle) => Promise<unknown>,
  { keepsMode = false }: WriteOptions = {},
): Promise<void> {
  await removeLeftovers(file);
  const replaced = keepsMode ? await lstat(file).catch(() => null) : null;
  const unfinished = unfinishedName(file);
  try {
    // `wx+` follows no link, and the name is unpredictable: others may write in this folder, too.
    const handle = await open(unfinished, 'wx+', PRIVATE);
    let isThere = false;
    try {
      await write(handle);
      isThere = replaced !== null && (await isSame(file, replaced, handle));
      if (replaced?.isFile()) await copyMode(replaced, handle);
      // Before renaming: after a power failure the file must not be empty.
      if (!isThere) await handle.sync();
    } finally {
      await handle.close();
    }
    if (isThere) {
      await rm(unfinished);
      return;
    }
    await rename(unfinished, file);
    await flushFolder(dirname(file));
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Grants nothing to another user, who may have planted the file, nor to a group that couldn't read it. */
async function copyMode(replaced: Stats, handle: FileHandle): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (replaced.uid !== uid) return;
  // Some file systems have no modes.
  await handle.chmod(replaced.mode & (replaced.gid === gid ? 0o777 : 0o707)).catch(() => undefined);
}

async function isSame(file: string, there: Stats, written: FileHandle): Promise<boolean> {
  const { size, uid } = await written.stat();
  if (!there.isFile() || there.size !== size || there.uid !== uid) return false;
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const [one, other] = [Buffer.alloc(COMPARED_AT_ONCE), Buffer.alloc(COMPARED_AT_ONCE)];
    for (let at = 0; at < size; at += COMPARED_AT_ONCE) {
      const { bytesRead } = await handle.read(one, 0, COMPARED_AT_ONCE, at);
      const { bytesRead: length } = await written.read(other, 0, COMPARED_AT_ONCE, at);
      if (!one.subarray(0, bytesRead).equals(other.subarray(0, length))) return false;
    }
    return true;
  } finally {
    await handle.close();
  }
}

/** For small files. */
export function writeAtomicallySync(file: string, content: string): void {
  const unfinished = unfinishedName(file);
  try {
    const handle = openSync(unfinished, 'wx', PRIVATE);
    try {
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** In the same folder, because renaming is atomic only within a file system. The process id marks leftovers. */
function unfinishedName(file: string): string {
  const name = `.${basename(file)}.${String(process.pid)}-${randomBytes(8).toString('hex')}${UNFINISHED}`;
  return join(dirname(file), name);
}

/** Cleans up after killed processes; failures don't matter. */
async function removeLeftovers(file: string): Promise<void> {
  const start = `.${basename(file)}.`;
  const names = await readdir(dirname(file)).catch(() => []);
  const leftovers = names.filter((name) => name.startsWith(start) && isLeftover(name, start.length));
  await Promise.all(leftovers.map((name) => rm(join(dirname(file), name), { force: true }).catch(() => undefined)));
}

/** Detects files of processes that have ended; `from` is where the process id begins. */
export function isLeftover(
  name: string,
  from = name.lastIndexOf('.', name.length - UNFINISHED.length - 1) + 1,
): boolean {
  const [, pid] = /^(\d+)-[0-9a-f]{16}$/.exec(name.slice(from, -UNFINISHED.length)) ?? [];
  return name.startsWith('.') && name.endsWith(UNFINISHED) && pid !== undefined && !isRunning(Number(pid));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: runs as another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Runs `write`, and converts its errors like {@link explainWriteError}. */
export function explainErrors<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw explainWriteError(file, cause);
  }
}

/** Returns other values unchanged. */
export function explainWriteError(file: string, cause: unknown): unknown {
  if (isOutOfHandles(cause)) return tooManyOpenFiles(cause);
  const code = CODES[(cause as NodeJS.ErrnoException | undefined)?.code ?? ''];
  if (!code) return cause;
  return new BroadsheetError(code, `${file} cannot be written. Free some space, or make the folder writable.`, {
    cause,
  });
}
