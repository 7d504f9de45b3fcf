import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { BroadsheetError, fromFailure, logFields, toFailure } from '../../contract/errors.ts';
import { type SharedFolderStatus, type FolderKey, MAX_FOLDER_KEYS } from '../../contract/model/devices.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { isWithin, type SharedFolder } from '../../store/index.ts';
import { DeviceExchange, type ExchangePorts } from './exchange.ts';
import { explainError, invalidFolder, passphraseNeeded, quoteFolder } from './safe-folder.ts';
import { sampleSealed } from './folder-files.ts';
import {
  COMPARISON_PROPERTY,
  lastComparison,
  folderStatus,
  NOT_COMPARED,
  formatComparison,
  type Comparison,
} from './last-comparison.ts';
import { deriveKey, type DeriveKey, newSalt, unseal } from './lines.ts';

const COMPARE_INTERVAL = 30_000;
const STOP_WITHIN = 500;
const SAVE_INTERVAL = 300_000;

interface SharingPorts extends ExchangePorts {
  clock: Clock;
  log: Log;
  keys?: readonly FolderKey[];
  derive?: DeriveKey;
}

/** `passphrase`: null for no encryption. Default: as before. */
export interface FolderChoice {
  folder: string;
  passphrase?: string | null;
  settings?: boolean;
}

/** Shares records through a folder that the reader syncs (docs/decisions/131). Unfinished work continues the next time. */
export class DeviceSync {
  readonly #ports: SharingPorts;
  readonly #exchange: DeviceExchange;
  #comparison: Comparison;
  #saved: Comparison;
  readonly #queue = pLimit(1);
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(ports: SharingPorts) {
    this.#ports = ports;
    this.#exchange = new DeviceExchange(ports);
    this.#exchange.use(ports.keys ?? []);
    this.#comparison = this.#saved = lastComparison(ports.store.queries);
  }

  start(): void {
    this.#stopTimer();
    if (this.#stopped || !this.#config) return;
    if (this.#queue.activeCount + this.#queue.pendingCount === 0) void this.compare();
    this.#cancel = this.#ports.clock.after(COMPARE_INTERVAL, () => this.start());
  }

  /** Writes the last changes. Takes at most two times {@link STOP_WITHIN}, because a share may not answer. */
  async stop(): Promise<void> {
    this.#stopTimer();
    this.#exchange.stopReading();
    const isShared = this.#config !== null;
    await waitBriefly(this.#queue(async () => (isShared ? this.#writeLast() : undefined)));
    this.#stopped = true;
    this.#exchange.stopWriting();
    await waitBriefly(this.#queue(async () => undefined));
  }

  status(): SharedFolderStatus {
    return folderStatus(this.#ports.store.queries, this.#comparison);
  }

  get keys(): readonly FolderKey[] {
    return this.#exchange.keys;
  }

  async useKeys(keys: readonly FolderKey[]): Promise<void> {
    if (this.#exchange.keys.length > 0 || keys.length === 0) return;
    await this.#queue(async () => this.#exchange.use(keys));
    if (this.#cancel) await this.compare();
  }

  /** Changes nothing on errors: `invalid_argument` for the folder or the passphrase, `data_read_only`, `disk_full`. */
  async use({ folder, passphrase, settings }: FolderChoice): Promise<SharedFolderStatus> {
    await this.#checkFolder(folder);
    await this.#queue(async () => {
      const before = this.#config;
      const keys = await this.#keysOf(folder, passphrase);
      const config: SharedFolder = {
        folder,
        device: this.#ports.store.queries.records.ownDevice() || randomBytes(8).toString('hex'),
        encrypted: passphrase === undefined ? (before?.encrypted ?? false) : passphrase !== null,
        settings: settings ?? before?.settings ?? false,
        rewrites: passphrase !== undefined || (before?.rewrites ?? false),
      };
      await this.#exchange.writeHeartbeat(config, keys);
      this.#configure(config, keys);
    }).catch((error: unknown) => {
      throw explainError(error, folder);
    });
    this.#stopTimer();
    this.#cancel = this.#ports.clock.after(COMPARE_INTERVAL, () => this.start());
    await this.compare();
    return this.status();
  }

  async off(): Promise<SharedFolderStatus> {
    this.#stopTimer();
    await this.#queue(async () => this.#configure(null, []));
    return this.status();
  }

  /** Errors: `not_found`, `invalid_argument` for this device and for one that can't be read completely, the folder's. */
  async remove(device: string): Promise<SharedFolderStatus> {
    const config = this.#config;
    if (!config) throw new BroadsheetError('not_found', 'No shared folder is set.');
    if (device === config.device) {
      const words = 'This is the device itself. To stop sharing with it, turn the folder off.';
      throw new BroadsheetError('invalid_argument', words);
    }
    await this.compare();
    if (this.#comparison.failure) throw fromFailure(this.#comparison.failure);
    if (!this.#comparison.devices.some(({ id }) => id === device)) {
      throw new BroadsheetError('not_found', `The folder has no device ${device}.`);
    }
    await this.#queue(async () => {
      const now = this.#config;
      if (now) await this.#exchange.remove(now, device);
    }).catch((error: unknown) => {
      throw explainError(error, config.folder);
    });
    await this.compare();
    return this.status();
  }

  /** Does not reject: failures are in the status. */
  compare(): Promise<void> {
    return this.#queue(async () => {
      const config = this.#config;
      try {
        const found = config && (await this.#exchange.run(config, this.#comparison.devices));
        if (found) this.#setComparison(found);
      } catch (error) {
        if (!config || this.#stopped) return;
        this.#setComparison({ ...this.#comparison, failure: toFailure(explainError(error, config.folder)) });
      } finally {
        if (!this.#stopped) this.#save();
      }
    });
  }

  #setComparison(found: Comparison): void {
    const { failure } = found;
    if (failure && failure.code !== this.#comparison.failure?.code) {
      this.#ports.log('warn', 'The shared folder could not be used', logFields(fromFailure(failure)));
    }
    this.#comparison = found;
  }

  get #config(): SharedFolder | null {
    return this.#ports.store.queries.devices.config();
  }

  async #keysOf(folder: string, passphrase: FolderChoice['passphrase']): Promise<readonly FolderKey[]> {
    const { derive = deriveKey } = this.#ports;
    const held = this.#exchange.keys;
    if (typeof passphrase === 'string') return keysFor(folder, passphrase, held, derive);
    // Only the reader may choose to write plainly where others encrypt.
    const isNew = passphrase === undefined && this.#config?.folder !== folder;
    const samples = isNew ? await sampleSealed(folder) : [];
    if (samples.some(({ sealed }) => !held.some(({ salt }) => salt === sealed.salt))) throw passphraseNeeded();
    return held;
  }

  #configure(config: SharedFolder | null, keys: readonly FolderKey[]): void {
    this.#ports.store.transaction(({ devices }) => devices.configure(config));
    this.#exchange.use(keys);
    this.#comparison = NOT_COMPARED;
    this.#save();
  }

  async #checkFolder(folder: string): Promise<void> {
    const isFolder = isAbsolute(folder) && (await stat(folder).catch(() => null))?.isDirectory();
    if (!isFolder) {
      const words = `${quoteFolder(folder)} is not a folder. Create it first, in a place that your sync tool syncs.`;
      throw invalidFolder('devices_no_folder', words);
    }
    const own = this.#ports.store.folder;
    if (own !== ':memory:' && (await isWithin(folder, [own]))) {
      const words = 'The shared folder cannot be in the data folder: its databases must not be synced.';
      throw invalidFolder('devices_in_data_folder', words);
    }
  }

  /** A time alone is not worth a write every half minute. */
  #save(isLast = false): void {
    const found = this.#comparison;
    const { folder } = this.#config ?? {};
    const old = (found.comparedAt ?? 0) - (this.#saved.comparedAt ?? 0);
    if (isDeepStrictEqual({ ...found, comparedAt: this.#saved.comparedAt }, this.#saved)) {
      if (old === 0 || (!isLast && Math.abs(old) < SAVE_INTERVAL)) return;
    }
    const text = folder === undefined ? null : formatComparison(folder, found);
    try {
      this.#ports.store.transaction(({ mirror }) => mirror.set(COMPARISON_PROPERTY, text));
      this.#saved = found;
    } catch {
      // The next comparison saves it, or fails for the same reason.
    }
  }

  async #writeLast(): Promise<void> {
    try {
      this.#save(true);
      await this.#exchange.writeLast();
    } catch (error) {
      this.#ports.log('info', 'Marks wait for the next start', { code: toFailure(explainError(error, '')).code });
    }
  }

  #stopTimer(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}

async function waitBriefly(work: Promise<unknown>): Promise<void> {
  const limit = Promise.withResolvers<null>();
  const timer = setTimeout(() => limit.resolve(null), STOP_WITHIN);
  await Promise.race([work.catch(() => undefined), limit.promise]);
  clearTimeout(timer);
}

/**
 * The first key is for writing. Devices reuse a salt that is there, so that one key opens everything; those that began at
 * once have a salt each. Errors: `devices_wrong_passphrase`; the system's.
 */
async function keysFor(
  folder: string,
  passphrase: string,
  held: readonly FolderKey[],
  derive: DeriveKey,
): Promise<FolderKey[]> {
  const samples = await sampleSealed(folder);
  const opens = (key: FolderKey): boolean =>
    samples.some(({ sealed, purpose }) => sealed.salt === key.salt && unseal(sealed, key, purpose) !== null);
  const isLocked = (salt: string): boolean => !held.some((key) => key.salt === salt);
  const salts = [...new Set(samples.map(({ sealed }) => sealed.salt))];
  // Salts without a key come first: they are why the passphrase is entered.
  salts.sort((one, other) => Number(isLocked(other)) - Number(isLocked(one)));
  const opening: FolderKey[] = [];
  for (const salt of salts.slice(0, MAX_FOLDER_KEYS)) {
    const key = { salt, key: await derive(passphrase, salt) };
    if (opens(key)) opening.push(key);
  }
  if (opening.length === 0 && salts.some(isLocked)) {
    const words = 'The passphrase does not open what is in the folder. Enter the one that your other devices use.';
    throw invalidFolder('devices_wrong_passphrase', words);
  }
  // A first or a changed passphrase gets another salt.
  if (opening.length === 0) {
    const salt = newSalt();
    opening.push({ salt, key: await derive(passphrase, salt) });
  }
  opening.sort((one, other) => (one.salt < other.salt ? -1 : 1));
  const opened = new Set(opening.map(({ salt }) => salt));
  return [...opening, ...held.filter(({ salt }) => !opened.has(salt))].slice(0, MAX_FOLDER_KEYS);
}
