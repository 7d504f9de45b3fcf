import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** The files on a disk after a power failure, with their contents. */
export type Image = ReadonlyMap<string, string>;

/** A file as the disk knows it. Its content is that of the last flush. */
interface Inode {
  flushed: string;
}

type Open = typeof fs.promises.open;

/**
 * A file system that forgets unflushed data, as a disk does when the power fails: the content of a file is durable once
 * the file was flushed, its name once its folder was. Unflushed data may be there all the same, so there are two
 * images.
 */
export class ForgetfulDisk {
  readonly #folder: string;
  /** As the program sees them. */
  readonly #names = new Map<string, Inode>();
  /** As they were flushed. */
  readonly #durable = new Map<string, Inode>();
  readonly #onStep: (disk: ForgetfulDisk) => void;

  constructor(folder: string, onStep: (disk: ForgetfulDisk) => void) {
    this.#folder = resolve(folder);
    this.#onStep = onStep;
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const inode = { flushed: fs.readFileSync(path, 'utf8') };
      this.#names.set(path, inode);
      this.#durable.set(path, inode);
    }
  }

  /** The flushed data only. */
  get least(): Image {
    return imageOf(this.#durable);
  }

  /** Also every name, in front of contents that were not flushed. */
  get names(): Image {
    return imageOf(this.#names);
  }

  /** Returns the path of something in the folder, however it was reached; null for all else. */
  place(path: unknown): string | null {
    if (typeof path !== 'string') return null;
    const isFolder = fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const real = isFolder ? fs.realpathSync(path) : join(fs.realpathSync(dirname(path)), basename(path));
    return real.startsWith(this.#folder) ? real : null;
  }

  opened(path: string): void {
    if (this.#names.has(path) || !fs.statSync(path).isFile()) return;
    this.#names.set(path, { flushed: '' });
    this.#onStep(this);
  }

  flushed(path: string): void {
    if (fs.statSync(path).isDirectory()) {
      for (const name of [...this.#durable.keys()]) if (dirname(name) === path) this.#durable.delete(name);
      for (const [name, inode] of this.#names) if (dirname(name) === path) this.#durable.set(name, inode);
    } else {
      const inode = this.#names.get(path);
      if (inode) inode.flushed = fs.readFileSync(path, 'utf8');
    }
    this.#onStep(this);
  }

  renamed(from: string, to: string): void {
    const inode = this.#names.get(from);
    if (inode) this.#names.set(to, inode);
    this.#names.delete(from);
    this.#onStep(this);
  }

  removed(path: string): void {
    this.#names.delete(path);
    this.#onStep(this);
  }
}

/** Puts a {@link ForgetfulDisk} under the functions of `node:fs`, for one folder. `onStep` is called after each that changes it. */
export function forgetfulDisk(folder: string, onStep: (disk: ForgetfulDisk) => void = () => undefined): ForgetfulDisk {
  const disk = new ForgetfulDisk(folder, onStep);
  const { openSync, fsyncSync, renameSync } = fs;
  const { open, rename, unlink } = fs.promises;
  onTestFinished(() => {
    Object.assign(fs, { openSync, fsyncSync, renameSync });
    Object.assign(fs.promises, { open, rename, unlink });
    syncBuiltinESMExports();
  });
  const paths = new Map<number, string>();
  Object.assign(fs, {
    openSync: (...args: Parameters<typeof openSync>) => {
      const handle = openSync(...args);
      const path = disk.place(args[0]);
      paths.delete(handle);
      if (path === null) return handle;
      paths.set(handle, path);
      disk.opened(path);
      return handle;
    },
    fsyncSync: (handle: number) => {
      fsyncSync(handle);
      const path = paths.get(handle);
      if (path !== undefined) disk.flushed(path);
    },
    renameSync: (from: string, to: string) => {
      const [old, path] = [disk.place(from), disk.place(to)];
      renameSync(from, to);
      if (old !== null && path !== null) disk.renamed(old, path);
    },
  });
  Object.assign(fs.promises, {
    open: async (...args: Parameters<Open>) => {
      const handle = await open(...args);
      const path = disk.place(args[0]);
      if (path === null) return handle;
      disk.opened(path);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        disk.flushed(path);
      };
      return handle;
    },
    rename: async (from: string, to: string) => {
      const [old, path] = [disk.place(from), disk.place(to)];
      await rename(from, to);
      if (old !== null && path !== null) disk.renamed(old, path);
    },
    unlink: async (file: string) => {
      const path = disk.place(file);
      await unlink(file);
      if (path !== null) disk.removed(path);
    },
  });
  syncBuiltinESMExports();
  return disk;
}

/** By name within its folder. */
export function contentOf(image: Image, name: string): string | undefined {
  return [...image].find(([path]) => basename(path) === name)?.[1];
}

function imageOf(names: ReadonlyMap<string, Inode>): Image {
  return new Map([...names].map(([path, { flushed }]) => [path, flushed]));
}
