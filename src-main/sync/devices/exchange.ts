import { hostname } from 'node:os';
import { join } from 'node:path';
import { toFailure } from '../../contract/errors.ts';
import type { ArrivedSettings, SharedSettings } from '../../contract/settings.ts';
import { FOLDER_REFUSALS, type FolderKey } from '../../contract/model/devices.ts';
import type { Changed, SharedFolder, Stamped, Store } from '../../store/index.ts';
import {
  listFolder,
  FOLDER_NAME,
  readRecords,
  refuse,
  turn,
  type FileContent,
  type FolderListing,
  type DeviceFile,
  type Refused,
} from './folder-files.ts';
import { explainError, invalidFolder, isSystemError, passphraseNeeded, quoteFolder } from './safe-folder.ts';
import { NOT_COMPARED, type Comparison } from './last-comparison.ts';
import { OwnFiles, removeDeviceFiles } from './own-files.ts';

const HEARTBEAT_INTERVAL = 3_600_000;
const STEP_RECORDS = 250;
const STEPS_AN_EVENT = 20;
const STEP_LENGTH = 100_000;
/** In bytes and files. The next comparisons read the rest, smallest files first. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_READ = 4_000;
const MAX_KNOWN = 100;
const MANY_FILES = 16;
const COMPACT_INTERVAL = 3_600_000;
/** In ms, until a file with refused records is read again: there may be room, or their time has come. */
const REFUSED_INTERVAL = 3_600_000;

export interface ExchangePorts {
  store: Store;
  /** The service's time if it is known, because this computer's clock may be wrong. */
  now(): number;
  onArrivals(changed: Changed[]): void;
  settings?(): SharedSettings | undefined;
  onSettings?(arrived: ArrivedSettings): void;
  name?: string;
}

/** Each device appends to its own operation log; the last writer wins. The caller runs one task at a time. */
export class DeviceExchange {
  readonly #ports: ExchangePorts;
  readonly #read = new Map<string, FileContent & { file: DeviceFile; readAt: number }>();
  readonly #arrivals: Changed[][] = [];
  #keys: readonly FolderKey[] = [];
  #own: OwnFiles | null = null;
  #heartbeatAt: number | null = null;
  #round = 0;
  #compactedAt: number | null = null;
  #reads = true;
  #writes = true;

  constructor(ports: ExchangePorts) {
    this.#ports = ports;
  }

  get keys(): readonly FolderKey[] {
    return this.#keys;
  }

  use(keys: readonly FolderKey[]): void {
    this.#keys = keys;
    this.#own = null;
    this.#heartbeatAt = null;
    this.#compactedAt = null;
    this.#read.clear();
  }

  stopReading(): void {
    this.#reads = false;
  }

  stopWriting(): void {
    this.#writes = false;
  }

  /** Null if stopped early. What can't be written is in the result. Errors: the folder's. */
  async run(config: SharedFolder, last: Comparison['devices']): Promise<Comparison | null> {
    this.#recordSettings();
    const options = { keys: this.#keys, sealedOnly: config.encrypted };
    const known = last.filter(({ seenAt }) => seenAt !== null).map(({ id }) => id);
    const listing = await listFolder(config.folder, options, { known: known.slice(0, MAX_KNOWN), round: this.#round });
    this.#round += 1;
    const unwritten = await catchSystemError(this.write());
    const unread = await this.#readFiles(listing, config).finally(() => this.#announce());
    if (!this.#reads) return null;
    this.#announceSettings();
    const heartbeatError = unwritten ?? (await catchSystemError(this.#writeHeartbeat(listing, config.device)));
    const failed = heartbeatError ?? (await catchSystemError(this.#compact(listing, config)));
    const found = this.#compare(listing, unread, config);
    return failed ? { ...found, failure: toFailure(explainError(failed, config.folder)) } : found;
  }

  async #readFiles(listing: FolderListing, config: SharedFolder): Promise<number> {
    const all = new Set(listing.files.map(keyOf));
    for (const key of this.#read.keys()) if (!all.has(key)) this.#read.delete(key);
    const files = listing.files.filter((file) => !this.#isRead(file)).sort((one, other) => one.size - other.size);
    let [unread, bytes] = [0, 0];
    for (const [index, file] of files.entries()) {
      bytes += file.size;
      if (!this.#reads) break;
      if (bytes > MAX_BYTES || index >= MAX_READ) {
        refuse(listing.refused, 'too_many', files.length - index);
        break;
      }
      if (!(await this.#readFile(file, config))) unread += 1;
    }
    return unread;
  }

  #isRead(file: DeviceFile): boolean {
    const read = this.#read.get(keyOf(file));
    if (read?.file.state !== file.state) return false;
    return Object.keys(read.refused).length === 0 || Math.abs(this.#ports.now() - read.readAt) < REFUSED_INTERVAL;
  }

  async writeLast(): Promise<void> {
    this.#recordSettings();
    await this.write();
  }

  async writeHeartbeat(config: SharedFolder, keys: readonly FolderKey[]): Promise<void> {
    await ownFiles(config, keys)?.writeHeartbeat(this.#name, this.#ports.now());
  }

  /** Errors: `devices_passphrase_needed` if some can't be read; `devices_incomplete` while a file is not whole. */
  async remove(config: SharedFolder, device: string): Promise<void> {
    const read = [...this.#read.values()].filter(({ file }) => file.device === device);
    if (this.#ownFiles === null || read.some(({ sealed }) => sealed > 0)) throw passphraseNeeded();
    const isWhole = ({ broken, isCut, isPlain, refused }: FileContent): boolean =>
      broken === 0 && !isCut && !(isPlain && config.encrypted) && Object.keys(refused).length === 0;
    if (!read.every(isWhole)) {
      const path = quoteFolder(join(config.folder, FOLDER_NAME, device));
      const words = `Files of this device are not complete, so what is in them could be lost. Let your sync tool finish, or delete ${path} yourself.`;
      throw invalidFolder('devices_incomplete', words);
    }
    // The files may have records of a device that was removed before.
    this.#ports.store.transaction(({ devices }) => devices.tellAll());
    await this.write();
    if (!this.#writes) return;
    const files = read.map(({ file }) => file);
    await removeDeviceFiles(config.folder, device, files);
  }

  /** A kill before `confirmTold` only writes the same records again. */
  async write(): Promise<void> {
    const { store } = this.#ports;
    for await (const { records, last } of this.#toTell(store.queries.devices.told())) {
      const files = this.#ownFiles;
      if (!files || !this.#writes) return;
      if (records.length > 0) {
        await files.append(records);
        this.#heartbeatAt = null;
      }
      store.transaction(({ devices }) => devices.confirmTold(last));
    }
  }

  async *#toTell(after: number): AsyncGenerator<{ records: readonly Stamped[]; last: number }> {
    for (let from = after; ;) {
      const { records, last } = this.#ports.store.queries.devices.toTell(from, STEP_RECORDS);
      if (last === null) return;
      yield { records, last };
      await turn();
      from = last;
    }
  }

  #recordSettings(): void {
    const { store, settings } = this.#ports;
    const current = store.queries.devices.config()?.settings ? settings?.() : undefined;
    if (current && this.#writes) store.transaction(({ devices }) => devices.recordSettings(current));
  }

  /** Returns false if it can't be read now. A file that changed meanwhile is read again. */
  async #readFile(file: DeviceFile, { folder, encrypted }: SharedFolder): Promise<boolean> {
    const now = this.#ports.now();
    let waiting: Stamped[] = [];
    let length = 0;
    let overFull = 0;
    const flush = async (): Promise<void> => {
      const part = waiting;
      [waiting, length] = [[], 0];
      if (part.length > 0 && this.#reads) overFull += await this.#take(part);
    };
    const take = async (records: Stamped[]): Promise<void> => {
      for (const record of records) {
        waiting.push(record);
        length += record.id.length + record.service.length + (record.value?.length ?? 0);
        if (waiting.length >= STEP_RECORDS || length >= STEP_LENGTH) await flush();
      }
    };
    const options = { keys: this.#keys, sealedOnly: encrypted, now };
    const found = await readRecords(folder, file, options, take);
    await flush();
    if (found === null || found === 'gone') return found !== null;
    refuse(found.refused, 'no_room', overFull);
    if (this.#reads) this.#read.set(keyOf(file), { ...found, file: { ...file, state: found.state }, readAt: now });
    return true;
  }

  async #take(records: readonly Stamped[]): Promise<number> {
    const { changed, refused } = this.#ports.store.transaction(({ devices }) => devices.take(records));
    this.#arrivals.push(changed);
    if (this.#arrivals.length >= STEPS_AN_EVENT) this.#announce();
    await turn();
    return refused;
  }

  /** Sends one event for many steps, because pages reload their lists after each. */
  #announce(): void {
    const all = this.#arrivals.splice(0).flat();
    if (all.length > 0) this.#ports.onArrivals(all);
  }

  #announceSettings(): void {
    const { devices } = this.#ports.store.queries;
    const settings = devices.config()?.settings ? this.#ports.settings?.() : undefined;
    if (!settings) return;
    const arrived = devices.arrivedSettings(settings);
    if (Object.keys(arrived.patch).length > 0) this.#ports.onSettings?.(arrived);
  }

  async #writeHeartbeat(listing: FolderListing, device: string): Promise<void> {
    const files = this.#ownFiles;
    const now = this.#ports.now();
    if (!files || (this.#heartbeatAt !== null && Math.abs(now - this.#heartbeatAt) < HEARTBEAT_INTERVAL)) return;
    await files.writeHeartbeat(this.#name, now);
    this.#heartbeatAt = now;
    const others = listing.devices.filter(({ id }) => id !== device);
    listing.devices = [{ id: device, name: this.#name, seenAt: now }, ...others];
  }

  /** Runs with another passphrase, too, until none of the files before it is left. */
  async #compact({ files }: FolderListing, config: SharedFolder): Promise<void> {
    const own = this.#ownFiles;
    const listed = files.filter(({ device }) => device === config.device);
    const read = listed.filter((file) => this.#read.get(keyOf(file))?.file.state === file.state);
    const now = this.#ports.now();
    if (!own || !(config.rewrites || read.length > MANY_FILES)) return;
    if (this.#compactedAt !== null && Math.abs(now - this.#compactedAt) < COMPACT_INTERVAL) return;
    // Otherwise each comparison writes another snapshot while files can't be removed.
    this.#compactedAt = now;
    const isDone = (await own.compact(read, this.#toTell(0))) && read.length === listed.length;
    if (isDone) this.#compactedAt = null;
    if (config.rewrites && isDone) {
      this.#ports.store.transaction(({ devices }) => devices.configure({ ...config, rewrites: false }));
    }
  }

  #compare(listing: FolderListing, unread: number, config: SharedFolder): Comparison {
    const sum = { ...NOT_COMPARED, unreadable: listing.skipped + unread };
    const refused: Refused = { ...listing.refused };
    for (const { file, broken, sealed, isPlain, refused: parts } of this.#read.values()) {
      // Own lines under an earlier passphrase are written again anyway.
      const isOwn = file.device === config.device;
      sum.unreadable += broken;
      if (!isOwn) sum.sealed += sealed;
      if (!isOwn && isPlain && config.encrypted) sum.plain += 1;
      for (const reason of FOLDER_REFUSALS) refuse(refused, reason, parts[reason] ?? 0);
    }
    return {
      ...sum,
      devices: listing.devices,
      refused: FOLDER_REFUSALS.flatMap((reason) => {
        const count = refused[reason] ?? 0;
        return count === 0 ? [] : [{ reason, count }];
      }),
      isKeyMissing: config.encrypted && this.#keys.length === 0,
      comparedAt: this.#ports.now(),
    };
  }

  get #name(): string {
    return this.#ports.name ?? hostname();
  }

  /** Null while the passphrase is missing. */
  get #ownFiles(): OwnFiles | null {
    const config = this.#ports.store.queries.devices.config();
    return (this.#own ??= config && ownFiles(config, this.#keys));
  }
}

function ownFiles({ folder, device, encrypted }: SharedFolder, [key]: readonly FolderKey[]): OwnFiles | null {
  if (encrypted && !key) return null;
  return new OwnFiles(folder, device, encrypted ? (key ?? null) : null);
}

function keyOf({ device, name }: DeviceFile): string {
  return `${device}/${name}`;
}

async function catchSystemError(work: Promise<void>): Promise<Error | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isSystemError(error)) return error;
    throw error;
  }
}
