import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { mapSystemError } from '../../common/system-errors.ts';
import { oneLine } from '../../common/text.ts';
import { BroadsheetError, type FailureReason } from '../../contract/errors.ts';
import { flushFolder } from '../../store/index.ts';

/** Uses an open folder by its handle where possible, so that nobody can replace it by a link meanwhile. */
const HANDLES = process.platform === 'linux' && existsSync('/proc/self/fd') ? '/proc/self/fd' : null;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
/** Windows has none of these. */
const has: Partial<typeof constants> = constants;
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = has;

interface Identity {
  dev: number;
  ino: number;
}

export interface FileState extends Identity {
  size: number;
  mtimeMs: number;
}

/**
 * Protects against others who write into the folder: follows no links, and opens only regular files, because a pipe would
 * block and a device would never end. Without a handle, checks that the path still is the same folder. Errors: the
 * system's.
 */
export class SafeFolder {
  readonly #path: string;
  readonly #handle: FileHandle | null;
  readonly #identity: Identity;
  /** The reader chose it, so it may be a link. */
  readonly #isChosen: boolean;

  private constructor(path: string, handle: FileHandle | null, identity: Identity, isChosen: boolean) {
    this.#path = path;
    this.#handle = handle;
    this.#identity = identity;
    this.#isChosen = isChosen;
  }

  /** The path may be a link. Tests try both values of `byHandle`. */
  static open(path: string, byHandle = HANDLES !== null): Promise<SafeFolder> {
    return SafeFolder.#open(path, byHandle, true);
  }

  static async #open(path: string, byHandle: boolean, isChosen: boolean): Promise<SafeFolder> {
    if (!byHandle) return new SafeFolder(path, null, await folderAt(path, isChosen), isChosen);
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | (isChosen ? 0 : O_NOFOLLOW));
    try {
      return new SafeFolder(path, handle, await handle.stat(), isChosen);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async folder(name: string): Promise<SafeFolder> {
    return SafeFolder.#open(await this.#at(name), this.#handle !== null, false);
  }

  async createFolder(name: string): Promise<SafeFolder> {
    await mkdir(await this.#at(name), { mode: PRIVATE_FOLDER }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    return this.folder(name);
  }

  async names(
    most: number,
  ): Promise<{ folders: string[]; others: { name: string; isFile: boolean }[]; more: boolean }> {
    const found = { folders: [] as string[], others: [] as { name: string; isFile: boolean }[], more: false };
    for await (const entry of await opendir(await this.#at('.'), { bufferSize: 256 })) {
      if (found.folders.length + found.others.length >= most) {
        found.more = true;
        break;
      }
      if (entry.isDirectory()) found.folders.push(entry.name);
      else found.others.push({ name: entry.name, isFile: entry.isFile() });
    }
    return found;
  }

  /** Null for anything but a regular file. */
  async state(name: string): Promise<FileState | null> {
    const found = await lstat(await this.#at(name)).catch(() => null);
    return found?.isFile() ? found : null;
  }

  read(name: string): Promise<FileHandle | null> {
    return this.#file(name, O_RDONLY);
  }

  append(name: string): Promise<FileHandle | null> {
    return this.#file(name, O_WRONLY | O_APPEND);
  }

  async create(name: string): Promise<FileHandle> {
    return open(await this.#at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE);
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(await this.#at(from), await this.#at(to));
  }

  async flush(): Promise<void> {
    await flushFolder(await this.#at('.'));
  }

  /** Removes a link, not what it leads to. */
  async remove(name: string): Promise<void> {
    await unlink(await this.#at(name)).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
  }

  async removeFolder(name: string): Promise<void> {
    await rmdir(await this.#at(name));
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #file(name: string, flags: number): Promise<FileHandle | null> {
    const path = await this.#at(name);
    // Opening a device can have effects, and some systems have no O_NOFOLLOW.
    const listed = await lstat(path);
    if (!listed.isFile()) return null;
    const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
      if (['ELOOP', 'ENXIO'].includes(codeOf(error))) return null;
      throw error;
    });
    if (handle === null) return null;
    try {
      const found = await handle.stat();
      if (found.isFile() && (O_NOFOLLOW !== 0 || isSame(found, listed))) return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    return null;
  }

  async #at(name: string): Promise<string> {
    if (this.#handle !== null) return join(`${HANDLES ?? ''}/${String(this.#handle.fd)}`, name);
    if (isSame(await folderAt(this.#path, this.#isChosen), this.#identity)) return join(this.#path, name);
    throw Object.assign(new Error('The folder was replaced.'), { code: 'ENOTDIR' });
  }
}

export async function within<T>(opened: Promise<SafeFolder>, work: (folder: SafeFolder) => Promise<T>): Promise<T>;
export async function within<T>(
  opened: Promise<SafeFolder | null>,
  work: (folder: SafeFolder) => Promise<T>,
): Promise<T | null>;
export async function within<T>(
  opened: Promise<SafeFolder | null>,
  work: (folder: SafeFolder) => Promise<T>,
): Promise<T | null> {
  const folder = await opened;
  return folder && work(folder).finally(() => folder.close());
}

async function folderAt(path: string, isChosen: boolean): Promise<Identity> {
  const found = await (isChosen ? stat(path) : lstat(path));
  if (found.isDirectory()) return found;
  throw Object.assign(new Error('This is no folder.'), { code: 'ENOTDIR' });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

function isSame(one: Identity, other: Identity): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

const CODES: Readonly<Record<string, 'data_read_only' | 'disk_full'>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'data_read_only',
  EPERM: 'data_read_only',
  EROFS: 'data_read_only',
};

const MAX_PATH = 300;

export function explainError(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof BroadsheetError || code === undefined) return mapSystemError(error);
  const known = CODES[code];
  if (known)
    return new BroadsheetError(
      known,
      `${quoteFolder(folder)} cannot be written. Check its permissions and the free space.`,
      {
        reason: 'devices_folder_unwritable',
      },
    );
  if (code === 'EMFILE' || code === 'ENFILE') return mapSystemError(error);
  if (code === 'ENOTDIR' || code === 'ELOOP') {
    const found = `A link or a file is where Broadsheet has its folder in ${quoteFolder(folder)}. Remove it: links are not followed there.`;
    return new BroadsheetError('data_unreadable', found, { retryable: true, reason: 'devices_folder_replaced' });
  }
  const words = `${quoteFolder(folder)} cannot be read (${code}). Connect its disk, or choose another folder.`;
  return new BroadsheetError('data_unreadable', words, { retryable: true, reason: 'devices_folder_unreadable' });
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && !(error instanceof BroadsheetError) && /^E[A-Z]+$/.test(codeOf(error));
}

export function quoteFolder(folder: string): string {
  return oneLine(folder, MAX_PATH);
}

export function invalidFolder(reason: FailureReason, message: string): BroadsheetError {
  return new BroadsheetError('invalid_argument', message, { reason });
}

export function passphraseNeeded(): BroadsheetError {
  const words = 'The folder is encrypted. Enter the passphrase that your other devices use.';
  return invalidFolder('devices_passphrase_needed', words);
}
