import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fromFailure, toFailure } from '../../contract/errors.ts';
import type { MarksFolder, MarksKey } from '../../contract/model/marks-folder.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { isWithin, type MarksFolderConfig } from '../../store/index.ts';
import { MarksExchange, type ExchangePorts } from './exchange.ts';
import {
  explained,
  inDataFolder,
  noFolder,
  notShared,
  ownMachine,
  passphraseNeeded,
  unknownMachine,
} from './folder-errors.ts';
import { sampleSealed } from './folder-files.ts';
import {
  COMPARISON_PROPERTY,
  lastComparison,
  marksStatus,
  NOT_COMPARED,
  storedComparison,
  type Comparison,
} from './last-comparison.ts';
import { keysFor } from './passphrase.ts';
import { deriveKey, type DeriveKey } from './sealing.ts';

/** How often folder and marks are compared, in ms. */
const COMPARED_EVERY = 30_000;
/** In ms. */
const STOP_WITHIN = 500;
/** How long what is stored of the last comparison may be old if nothing but its time is new, in ms. */
const NOTED_EVERY = 300_000;

interface SharingPorts extends ExchangePorts {
  clock: Clock;
  log: Log;
  /** The keys that were saved. */
  keys?: readonly MarksKey[];
  /** Default: slow on purpose. */
  derive?: DeriveKey;
}

/** The folder to share, and whether to encrypt: with a passphrase, not at all (null), or as before. */
export interface MarksChoice {
  folder: string;
  passphrase?: string | null;
  /** Shares settings, too. Default: unchanged. */
  settings?: boolean;
}

/**
 * Shares the reader's marks with other machines through a folder that the reader syncs (docs/decisions/131). Everything is
 * done in small steps, and what could not be done is done the next time.
 */
export class MarksSharing {
  readonly #ports: SharingPorts;
  readonly #exchange: MarksExchange;
  #found: Comparison;
  /** The {@link #found} that is stored. */
  #noted: Comparison;
  /** Comparisons and changes of the folder run one after another. */
  #queue: Promise<unknown> = Promise.resolve();
  #isComparing = false;
  #cancel: (() => void) | null = null;
  /** Nothing more is read. */
  #isStopping = false;
  /** Nothing more is written. */
  #stopped = false;

  constructor(ports: SharingPorts) {
    this.#ports = ports;
    this.#exchange = new MarksExchange(ports);
    this.#exchange.use(ports.keys ?? []);
    this.#found = this.#noted = lastComparison(ports.store.queries);
  }

  /** Compares from now on, again and again. */
  start(): void {
    this.#stopTimer();
    if (this.#stopped || !this.#config) return;
    // A folder that is slow, such as a share, is not compared twice at once.
    if (!this.#isComparing) void this.compare();
    this.#cancel = this.#ports.clock.after(COMPARED_EVERY, () => this.start());
  }

  /**
   * Writes what the reader marked last, so that it is there for the next machine. Resolves when nothing more is read or
   * written, or after two times {@link STOP_WITHIN}: a share may not answer, and what is left is done after the next start.
   */
  async stop(): Promise<void> {
    this.#stopTimer();
    this.#isStopping = true;
    this.#exchange.stopReading();
    const last = this.#config ? this.#alone(() => this.#writeLast()) : this.#queue;
    await soon(last);
    this.#stopped = true;
    this.#exchange.stopWriting();
    await soon(this.#queue);
  }

  status(): MarksFolder {
    return marksStatus(this.#ports.store.queries, this.#found);
  }

  /** Those that are to be saved. Secret. */
  get keys(): readonly MarksKey[] {
    return this.#exchange.keys;
  }

  /** Takes the keys that were saved, if they could be read only now. */
  async useKeys(keys: readonly MarksKey[]): Promise<void> {
    if (this.#exchange.keys.length > 0 || keys.length === 0) return;
    await this.#alone(async () => this.#exchange.use(keys));
    if (this.#cancel) await this.compare();
  }

  /**
   * Shares marks through a folder. Errors: `invalid_argument` if it is none, or in the data folder, or if the passphrase does
   * not open what is there; `data_read_only`, `disk_full`. Nothing is changed then.
   */
  async use({ folder, passphrase, settings }: MarksChoice): Promise<MarksFolder> {
    await this.#checkFolder(folder);
    await this.#alone(async () => {
      const before = this.#config;
      const keys = await this.#keysOf(folder, passphrase);
      const config: MarksFolderConfig = {
        folder,
        machine: before?.machine ?? this.#ports.store.marks.lastMachine ?? randomBytes(8).toString('hex'),
        adopted: before?.adopted ?? [],
        encrypted: passphrase === undefined ? (before?.encrypted ?? false) : passphrase !== null,
        settings: settings ?? before?.settings ?? false,
        rewrites: passphrase !== undefined || (before?.rewrites ?? false),
      };
      await this.#exchange.sayHere(config, keys);
      this.#configure(config, keys);
    }).catch((error: unknown) => {
      throw explained(error, folder);
    });
    this.#stopTimer();
    this.#cancel = this.#ports.clock.after(COMPARED_EVERY, () => this.start());
    await this.compare();
    return this.status();
  }

  /** Shares no more. What is in the folder stays there, and what came from it stays here. The keys are forgotten. */
  async off(): Promise<MarksFolder> {
    this.#stopTimer();
    await this.#alone(async () => this.#configure(null, []));
    return this.status();
  }

  /**
   * Removes a machine's files after everything in them is in this one's. If it still shares, it comes back. Errors:
   * `not_found`, `invalid_argument` for this machine and for one whose marks can't be read completely, and those of the
   * folder.
   */
  async remove(machine: string): Promise<MarksFolder> {
    const config = this.#config;
    if (!config) throw notShared();
    if (machine === config.machine) throw ownMachine();
    await this.compare();
    if (this.#found.failure) throw fromFailure(this.#found.failure);
    if (!this.#found.machines.some(({ id }) => id === machine)) throw unknownMachine(machine);
    await this.#alone(async () => {
      const now = this.#config;
      if (now) await this.#exchange.remove(now, machine);
    }).catch((error: unknown) => {
      throw explained(error, config.folder);
    });
    await this.compare();
    return this.status();
  }

  /** Writes what is new here and reads what is new in the folder. Failures are in the status. */
  compare(): Promise<void> {
    this.#isComparing = true;
    return this.#alone(async () => {
      const config = this.#config;
      try {
        const known = this.#found.machines.filter(({ seenAt }) => seenAt !== null).map(({ id }) => id);
        const found = config && !this.#isStopping ? await this.#exchange.run(config, known) : null;
        if (found) this.#now(found);
      } catch (error) {
        if (!config || this.#stopped) return;
        this.#now({ ...this.#found, failure: toFailure(explained(error, config.folder)) });
      } finally {
        if (!this.#stopped) this.#note();
        this.#isComparing = false;
      }
    });
  }

  #now(found: Comparison): void {
    const { failure } = found;
    if (failure && failure.code !== this.#found.failure?.code) {
      this.#ports.log('warn', 'The folder of marks could not be used', { code: failure.code });
    }
    this.#found = found;
  }

  get #config(): MarksFolderConfig | null {
    return this.#ports.store.marks.config;
  }

  async #keysOf(folder: string, passphrase: MarksChoice['passphrase']): Promise<readonly MarksKey[]> {
    const { derive = deriveKey } = this.#ports;
    const held = this.#exchange.keys;
    if (typeof passphrase === 'string') return keysFor(folder, passphrase, held, derive);
    // To write plainly where others encrypt is for the reader to say.
    const isNew = passphrase === undefined && this.#config?.folder !== folder;
    const samples = isNew ? await sampleSealed(folder) : [];
    if (samples.some(({ sealed }) => !held.some(({ salt }) => salt === sealed.salt))) throw passphraseNeeded();
    return held;
  }

  #configure(config: MarksFolderConfig | null, keys: readonly MarksKey[]): void {
    this.#ports.store.transaction(({ carriedMarks }) => carriedMarks.configure(config));
    this.#ports.store.marks.follow();
    this.#exchange.use(keys);
    this.#found = NOT_COMPARED;
    this.#note();
  }

  async #checkFolder(folder: string): Promise<void> {
    const isFolder = isAbsolute(folder) && (await stat(folder).catch(() => null))?.isDirectory();
    if (!isFolder) throw noFolder(folder);
    const own = this.#ports.store.folder;
    if (own !== ':memory:' && (await isWithin(folder, [own]))) throw inDataFolder();
  }

  /** Stores what was found. A time alone is not worth a write every half minute. */
  #note({ also }: { also?: 'time' } = {}): void {
    const found = this.#found;
    const { folder } = this.#config ?? {};
    const old = (found.comparedAt ?? 0) - (this.#noted.comparedAt ?? 0);
    if (isDeepStrictEqual({ ...found, comparedAt: this.#noted.comparedAt }, this.#noted)) {
      if (old === 0 || (also !== 'time' && Math.abs(old) < NOTED_EVERY)) return;
    }
    const text = folder === undefined ? null : storedComparison(folder, found);
    try {
      this.#ports.store.transaction(({ mirror }) => mirror.set(COMPARISON_PROPERTY, text));
      this.#noted = found;
    } catch {
      // Nothing is shared less. The next comparison stores it, or fails for the same reason and says so.
    }
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #writeLast(): Promise<void> {
    try {
      this.#note({ also: 'time' });
      await this.#exchange.writeLast();
    } catch (error) {
      this.#ports.log('info', 'Marks wait for the next start', { code: toFailure(explained(error, '')).code });
    }
  }

  #stopTimer(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}

/** Resolves with the work, or after a while without it. */
async function soon(work: Promise<unknown>): Promise<void> {
  const limit = Promise.withResolvers<null>();
  const timer = setTimeout(() => limit.resolve(null), STOP_WITHIN);
  await Promise.race([work.catch(() => undefined), limit.promise]);
  clearTimeout(timer);
}
