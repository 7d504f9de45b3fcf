import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FolderKey } from '../../contract/model/devices.ts';
import type { Stamped } from '../../store/index.ts';
import { ABOUT, FOLDER_NAME, FORMAT, inDeviceFolder, isUnchanged, VERSION, type DeviceFile } from './folder-files.ts';
import { contentsOf, lineOf } from './lines.ts';
import { SafeFolder, within } from './safe-folder.ts';

const FULL_SEGMENT = 256 * 1024;
const SNAPSHOT_PART = 2 * 1024 * 1024;
const MAX_REMOVED = 10_000;

type Parts = AsyncIterable<{ records: readonly Stamped[] }> | Iterable<{ records: readonly Stamped[] }>;

/** The operation log of this device, which no other one writes. Errors: the system's. */
export class OwnFiles {
  readonly #folder: string;
  readonly #device: string;
  readonly #key: FolderKey | null;
  #segment: { name: string; size: number; ino: number } | null = null;

  constructor(folder: string, device: string, key: FolderKey | null) {
    this.#folder = folder;
    this.#device = device;
    this.#key = key;
  }

  /** Resolves when the records are on the disk. */
  async append(records: readonly Stamped[]): Promise<void> {
    await this.#within((files) =>
      this.#writeLines([{ records }], FULL_SEGMENT, (text) => this.#appendText(files, text)),
    );
  }

  async #appendText(files: SafeFolder, text: string): Promise<void> {
    const last = this.#segment;
    // After a failure the next line begins in another file.
    this.#segment = null;
    // The last line of an earlier process's segment may be cut off.
    const continued = last === null || last.size > FULL_SEGMENT ? null : await reopen(files, last);
    const name = continued && last ? last.name : newName('segment');
    const handle = continued ?? (await files.create(name));
    await writeAll(handle, text);
    if (continued === null) await files.flush();
    const state = await files.state(name);
    this.#segment = state && { name, size: state.size, ino: state.ino };
  }

  async writeHeartbeat(name: string, seenAt: number): Promise<void> {
    const about = { format: FORMAT, version: VERSION, device: this.#device, name, seenAt };
    const line = `${lineOf(JSON.stringify(about), 'about', this.#device, this.#key)}\n`;
    await this.#within((files) => replace(files, ABOUT, line));
  }

  /** Writes all records into new files and removes the `files` that were read. Returns false if one has changed since. */
  async compact(files: readonly DeviceFile[], parts: Parts): Promise<boolean> {
    this.#segment = null;
    return this.#within(async (own) => {
      await this.#writeLines(parts, SNAPSHOT_PART, (text) => replace(own, newName('snapshot'), text));
      return removeUnchanged(own, files);
    });
  }

  async #writeLines(parts: Parts, most: number, write: (text: string) => Promise<void>): Promise<void> {
    let text = '';
    for await (const { records } of parts) {
      for (const content of contentsOf(records)) {
        text += `${lineOf(content, 'records', this.#device, this.#key)}\n`;
        if (text.length < most) continue;
        await write(text);
        text = '';
      }
    }
    if (text !== '') await write(text);
  }

  #within<T>(work: (files: SafeFolder) => Promise<T>): Promise<T> {
    return within(SafeFolder.open(this.#folder), (chosen) =>
      within(chosen.createFolder(FOLDER_NAME), (devices) => within(devices.createFolder(this.#device), work)),
    );
  }
}

/** Removes only `files` that were read: records that arrived since are in no other file. Errors: the system's. */
export async function removeDeviceFiles(folder: string, device: string, files: readonly DeviceFile[]): Promise<void> {
  const remove = async (own: SafeFolder, devices: SafeFolder): Promise<void> => {
    await removeUnchanged(
      own,
      files.filter((file) => file.device === device),
    );
    const { others } = await own.names(MAX_REMOVED);
    if (others.some(({ name }) => name.endsWith('.jsonl'))) return;
    for (const { name } of others) await own.remove(name);
    await devices.removeFolder(device).catch(() => undefined);
  };
  await inDeviceFolder(folder, device, remove);
}

async function removeUnchanged(own: SafeFolder, files: readonly DeviceFile[]): Promise<boolean> {
  let isDone = true;
  for (const file of files) {
    if (await isUnchanged(own, file)) await own.remove(file.name);
    else isDone = false;
  }
  return isDone;
}

/** Null if it is no longer the file that this device wrote, or a link. */
async function reopen(
  files: SafeFolder,
  { name, size, ino }: { name: string; size: number; ino: number },
): Promise<FileHandle | null> {
  const handle = await files.append(name).catch(() => null);
  if (handle === null) return null;
  const found = await handle.stat();
  if (found.size === size && found.ino === ino) return handle;
  await handle.close();
  return null;
}

async function replace(files: SafeFolder, name: string, text: string): Promise<void> {
  const unfinished = `.${name}.${randomBytes(6).toString('hex')}.unfinished`;
  try {
    await writeAll(await files.create(unfinished), text);
    await files.rename(unfinished, name);
    await files.flush();
  } catch (error) {
    await files.remove(unfinished).catch(() => undefined);
    throw error;
  }
}

async function writeAll(handle: FileHandle, text: string): Promise<void> {
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Random, because a copy of this data folder may write, too. */
function newName(kind: 'segment' | 'snapshot'): string {
  return `${kind}-${randomBytes(8).toString('hex')}.jsonl`;
}
