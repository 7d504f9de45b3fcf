import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Mark } from '../../common/marks.ts';
import { mapSystemError } from '../../common/system-errors.ts';
import { BroadsheetError, fromFailure, toFailure, type FailureReason } from '../../contract/errors.ts';
import type { MarksFolder } from '../../contract/model/marks-folder.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { AppliedMarks, MarkPlace, MarksFolderConfig, Store } from '../../store/index.ts';
import {
  COMPARISON_PROPERTY,
  lastComparison,
  marksStatus,
  NOT_COMPARED,
  storedComparison,
  type Comparison,
} from './last-comparison.ts';
import {
  isUnchanged,
  listFolder,
  OwnFiles,
  readMarks,
  removeMachineFiles,
  type FolderListing,
  type MarksFile,
} from './marks-files.ts';

/** How often folder and marks are compared, in ms. */
const COMPARED_EVERY = 30_000;
/** How often this machine says that it is there if it marked nothing, in ms. */
const SAID_EVERY = 3_600_000;
/** In ms. */
const STOP_WITHIN = 500;
/** Rows in one transaction: some 10 ms. */
const STEP = 250;
/** How long what is stored of the last comparison may be old if nothing but its time is new, in ms. */
const NOTED_EVERY = 300_000;
const STEPS_AN_EVENT = 20;
/** Marks that are written to the disk at once. */
const WRITTEN_AT_ONCE = 2_000;

interface SharingPorts {
  store: Store;
  clock: Clock;
  /** The time for stamps, in ms since 1970: the service's if it is known, because this computer's clock may be wrong. */
  now(): number;
  log: Log;
  /** Marks of other machines were written into the tables. */
  onApplied(applied: AppliedMarks): void;
  /** What this machine is called in the folder. Default: its host name. */
  name?: string;
}

/**
 * Shares the reader's marks with other machines through a folder that the reader syncs (docs/decisions/131). Everything is
 * done in small steps, and what could not be done is done the next time.
 */
export class MarksSharing {
  readonly #ports: SharingPorts;
  /** The files that were read completely, as they were then, and how many of their lines were not whole. */
  readonly #read = new Map<string, { state: string; broken: number }>();
  /** What steps changed and no event has told yet. */
  readonly #applied: AppliedMarks[] = [];
  #own: OwnFiles | null = null;
  #found: Comparison;
  /** The {@link #found} that is stored. */
  #noted: Comparison;
  #saidAt: number | null = null;
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
    const last = this.#config ? this.#alone(() => this.#writeLast()) : this.#queue;
    await soon(last);
    this.#stopped = true;
    await soon(this.#queue);
  }

  status(): MarksFolder {
    return marksStatus(this.#ports.store.queries, this.#found);
  }

  /**
   * Shares marks through a folder. Errors: `invalid_argument` if it is none, or in the data folder; `data_read_only`,
   * `disk_full`.
   */
  async use(folder: string): Promise<MarksFolder> {
    await this.#checkFolder(folder);
    await this.#queue;
    const before = this.#config;
    const config = {
      folder,
      machine: before?.machine ?? this.#ports.store.marks.lastMachine ?? randomBytes(8).toString('hex'),
      adopted: before?.adopted ?? [],
    };
    await this.#writable(config);
    this.#configure(config);
    this.#cancel = this.#ports.clock.after(COMPARED_EVERY, () => this.start());
    await this.compare();
    return this.status();
  }

  /** Shares no more. What is in the folder stays there, and what came from it stays here. */
  async off(): Promise<MarksFolder> {
    this.#stopTimer();
    await this.#queue;
    this.#configure(null);
    return this.status();
  }

  /**
   * Removes a machine's files after everything in them is in this one's. If it still shares, it comes back. Errors:
   * `not_found`, `invalid_argument` for this machine, and those of the folder.
   */
  async remove(machine: string): Promise<MarksFolder> {
    const config = this.#config;
    if (!config) throw notShared();
    if (machine === config.machine) throw ownMachine();
    await this.compare();
    if (this.#found.failure) throw fromFailure(this.#found.failure);
    if (!this.#found.machines.some(({ id }) => id === machine)) throw unknownMachine(machine);
    await this.#alone(async () => {
      const adopted = [...new Set([...config.adopted, machine])];
      this.#transaction((marks) => marks.configure({ ...config, adopted }));
      await this.#adopt(machine);
      await this.#write();
      await removeMachineFiles(config.folder, machine);
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
        if (config && !this.#isStopping) await this.#exchange(config);
      } catch (error) {
        if (!config || this.#stopped) return;
        const failure = toFailure(explained(error, config.folder));
        if (failure.code !== this.#found.failure?.code) {
          this.#ports.log('warn', 'The folder of marks could not be used', { code: failure.code });
        }
        this.#found = { ...this.#found, failure };
      } finally {
        if (!this.#stopped) this.#note();
        this.#isComparing = false;
      }
    });
  }

  async #exchange({ folder, machine }: MarksFolderConfig): Promise<void> {
    await this.#stamp();
    const listing = await listFolder(folder);
    await this.#write();
    for (const file of listing.files) if (!this.#isStopping) await this.#readFile(file);
    for (const path of this.#read.keys()) {
      if (!listing.files.some((file) => file.path === path)) this.#read.delete(path);
    }
    if (this.#isStopping) return;
    this.#applied.push(this.#transaction((marks) => marks.retryLeftOut(STEP, this.#ports.now())));
    this.#announce();
    await this.#sayHere(listing, machine);
    if (this.#own?.isMany(listing.files)) await this.#own.compact(listing.files, this.#allOwn());
    const broken = [...this.#read.values()].reduce((sum, file) => sum + file.broken, 0);
    this.#found = {
      machines: listing.machines,
      unreadable: listing.skipped + broken,
      comparedAt: this.#ports.now(),
      failure: null,
    };
  }

  /** Has what another machine marked written into this one's files. */
  async #adopt(machine: string): Promise<void> {
    let place: MarkPlace | null = null;
    do {
      const from: MarkPlace | null = place;
      place = this.#transaction<MarkPlace | null>((marks) => marks.adoptSome(machine, from, STEP));
      await turn();
    } while (place !== null);
  }

  /** Gives what the reader changed its stamps. */
  async #stamp(): Promise<void> {
    while (!this.#stopped && this.#transaction((marks) => marks.renewSome(STEP))) await turn();
    while (!this.#stopped && this.#transaction((marks) => marks.noteSome(STEP))) await turn();
    while (!this.#stopped && this.#transaction((marks) => marks.stampSome(STEP, this.#ports.now())) > 0) await turn();
  }

  /** Writes what is not in the folder yet. What was written and not noted is written again, which does no harm. */
  async #write(): Promise<void> {
    const { store } = this.#ports;
    while (!this.#stopped) {
      const marks = store.marks.unsaved(WRITTEN_AT_ONCE);
      if (marks.length === 0) return;
      await this.#files.append(marks);
      this.#saidAt = null;
      for (let from = 0; from < marks.length; from += STEP) {
        this.#transaction((carried) => carried.saved(marks.slice(from, from + STEP)));
        await turn();
      }
    }
  }

  /** Takes the marks of a file that is new or has changed. It counts as read only if it was not changed meanwhile. */
  async #readFile(file: MarksFile): Promise<void> {
    if (this.#read.get(file.path)?.state === file.state) return;
    let waiting: Mark[] = [];
    const take = async (marks: Mark[]): Promise<void> => {
      waiting.push(...marks);
      if (waiting.length < STEP) return;
      const part = waiting;
      waiting = [];
      await this.#take(part);
    };
    const { broken } = await readMarks(file.path, take).finally(() => this.#announce());
    await this.#take(waiting);
    this.#announce();
    if (!this.#isStopping && (await isUnchanged(file))) this.#read.set(file.path, { state: file.state, broken });
  }

  async #take(marks: readonly Mark[]): Promise<void> {
    for (let from = 0; from < marks.length && !this.#isStopping; from += STEP) {
      const part = marks.slice(from, from + STEP);
      this.#applied.push(this.#transaction((carried) => carried.take(part, this.#ports.now())));
      if (this.#applied.length >= STEPS_AN_EVENT) this.#announce();
      await turn();
    }
  }

  /** Each step would have the pages load their lists again. */
  #announce(): void {
    const applied = this.#applied.splice(0);
    if (applied.length === 0) return;
    this.#ports.onApplied({
      items: applied.flatMap(({ items }) => items),
      stories: applied.flatMap(({ stories }) => stories),
      reports: applied.flatMap(({ reports }) => reports),
      notes: applied.flatMap(({ notes }) => notes),
      rules: applied.some(({ rules }) => rules),
      models: applied.some(({ models }) => models),
    });
  }

  async #sayHere(listing: FolderListing, machine: string): Promise<void> {
    const now = this.#ports.now();
    if (this.#saidAt !== null && Math.abs(now - this.#saidAt) < SAID_EVERY) return;
    const name = this.#ports.name ?? hostname();
    await this.#files.sayHere(name, now);
    this.#saidAt = now;
    const others = listing.machines.filter(({ id }) => id !== machine);
    listing.machines = [{ id: machine, name, seenAt: now }, ...others];
  }

  async *#allOwn(): AsyncGenerator<readonly Mark[]> {
    let place: MarkPlace | null = null;
    do {
      const part: { marks: Mark[]; next: MarkPlace | null } = this.#ports.store.marks.own(place, STEP);
      yield part.marks;
      await turn();
      place = part.next;
    } while (place !== null);
  }

  get #config(): MarksFolderConfig | null {
    return this.#ports.store.marks.config;
  }

  get #files(): OwnFiles {
    const config = this.#config;
    if (!config) throw notShared();
    return (this.#own ??= new OwnFiles(config.folder, config.machine));
  }

  #configure(config: MarksFolderConfig | null): void {
    this.#transaction((marks) => marks.configure(config));
    this.#ports.store.marks.follow();
    this.#own = null;
    this.#saidAt = null;
    this.#read.clear();
    this.#found = NOT_COMPARED;
    this.#note();
  }

  async #checkFolder(folder: string): Promise<void> {
    const isFolder = isAbsolute(folder) && (await stat(folder).catch(() => null))?.isDirectory();
    if (!isFolder)
      throw invalid(
        'marks_no_folder',
        `${folder} is not a folder. Create it first, in a place that your sync tool syncs.`,
      );
    const within = relative(resolve(this.#ports.store.folder), resolve(folder));
    if (this.#ports.store.folder !== ':memory:' && !within.startsWith('..') && !isAbsolute(within)) {
      throw invalid(
        'marks_in_data_folder',
        'The folder for marks cannot be in the data folder: its databases must not be synced.',
      );
    }
  }

  async #writable({ folder, machine }: MarksFolderConfig): Promise<void> {
    try {
      await new OwnFiles(folder, machine).sayHere(this.#ports.name ?? hostname(), this.#ports.now());
    } catch (error) {
      throw explained(error, folder);
    }
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

  #transaction<T>(work: (marks: Parameters<Parameters<Store['transaction']>[0]>[0]['carriedMarks']) => T): T {
    return this.#ports.store.transaction(({ carriedMarks }) => work(carriedMarks));
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #writeLast(): Promise<void> {
    try {
      this.#note({ also: 'time' });
      await this.#stamp();
      await this.#write();
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

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const CODES: Readonly<Record<string, 'data_read_only' | 'disk_full'>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'data_read_only',
  EPERM: 'data_read_only',
  EROFS: 'data_read_only',
};

function explained(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof BroadsheetError || code === undefined) return mapSystemError(error);
  const known = CODES[code];
  if (known)
    return new BroadsheetError(known, `${folder} cannot be written. Check its permissions and the free space.`, {
      reason: 'marks_folder_unwritable',
    });
  if (code === 'EMFILE' || code === 'ENFILE') return mapSystemError(error);
  const words = `${folder} cannot be read (${code}). Connect its disk, or choose another folder.`;
  return new BroadsheetError('data_unreadable', words, { retryable: true, reason: 'marks_folder_unreadable' });
}

function invalid(reason: FailureReason, message: string): BroadsheetError {
  return new BroadsheetError('invalid_argument', message, { reason });
}

function notShared(): BroadsheetError {
  return new BroadsheetError('not_found', 'No folder for marks is set.');
}

function unknownMachine(machine: string): BroadsheetError {
  return new BroadsheetError('not_found', `The folder has no machine ${machine}.`);
}

function ownMachine(): BroadsheetError {
  const words = 'This is the machine itself. To stop sharing marks on it, turn the folder off.';
  return new BroadsheetError('invalid_argument', words);
}
