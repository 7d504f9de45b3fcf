import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Mark } from '../../common/marks.ts';
import type { ArrivedSettings, CarriedSettings } from '../../contract/carried-settings.ts';
import type { MarksKey } from '../../contract/model/marks-folder.ts';
import type { AppliedMarks, MarkPlace, MarksFolderConfig, Store } from '../../store/index.ts';
import {
  folderOf,
  isUnchanged,
  listFolder,
  readMarks,
  type FileContent,
  type FolderListing,
  type MarksFile,
} from './folder-files.ts';
import { incompleteFiles, passphraseNeeded } from './folder-errors.ts';
import { NOT_COMPARED, type Comparison } from './last-comparison.ts';
import { LineWriter } from './lines.ts';
import { OwnFiles, removeMachineFiles } from './own-files.ts';

/** How often this machine says that it is there if it marked nothing, in ms. */
const SAID_EVERY = 3_600_000;
/** Rows in one transaction: some 10 ms. */
const STEP = 250;
const STEPS_AN_EVENT = 20;
/** Marks that are written to the disk at once. */
const WRITTEN_AT_ONCE = 2_000;

export interface ExchangePorts {
  store: Store;
  /** The time for stamps, in ms since 1970: the service's if it is known, because this computer's clock may be wrong. */
  now(): number;
  /** Marks of other machines were written into the tables. */
  onApplied(applied: AppliedMarks): void;
  /** The settings of this machine; without them, none are shared. */
  settings?(): CarriedSettings | undefined;
  /** Other machines set something. */
  onSettings?(arrived: ArrivedSettings): void;
  /** What this machine is called in the folder. Default: its host name. */
  name?: string;
}

/**
 * Writes what is new here into this machine's files, and takes what is new in those of others, in small steps with a turn
 * of the event loop in between. The caller runs one task at a time.
 */
export class MarksExchange {
  readonly #ports: ExchangePorts;
  /** The files that were read completely, as they were then. */
  readonly #read = new Map<string, FileContent & { state: string }>();
  /** What steps changed and no event has told yet. */
  readonly #applied: AppliedMarks[] = [];
  /** First the key that this machine writes with. */
  #keys: readonly MarksKey[] = [];
  #own: OwnFiles | null = null;
  #saidAt: number | null = null;
  #reads = true;
  #writes = true;

  constructor(ports: ExchangePorts) {
    this.#ports = ports;
  }

  get keys(): readonly MarksKey[] {
    return this.#keys;
  }

  /** The folder is another one, or what is encrypted with these keys can be read from now on. */
  use(keys: readonly MarksKey[]): void {
    this.#keys = keys;
    this.#own = null;
    this.#saidAt = null;
    this.#read.clear();
  }

  stopReading(): void {
    this.#reads = false;
  }

  stopWriting(): void {
    this.#writes = false;
  }

  /** Errors: those of the folder. Null if it was stopped before its end. */
  async run(config: MarksFolderConfig): Promise<Comparison | null> {
    await this.#stamp();
    const listing = await listFolder(config.folder, this.#keys);
    await this.write();
    let unread = 0;
    for (const file of listing.files) {
      if (this.#reads && !(await this.#readFile(file))) unread += 1;
    }
    for (const path of this.#read.keys()) {
      if (!listing.files.some((file) => file.path === path)) this.#read.delete(path);
    }
    if (!this.#reads) return null;
    this.#applied.push(this.#transaction((marks) => marks.retryLeftOut(STEP, this.#ports.now())));
    this.#announce();
    this.#announceSettings();
    await this.#sayHere(listing, config.machine);
    await this.#compact(listing, config);
    return this.#found(listing, unread, config);
  }

  /** Writes what the reader marked last. */
  async writeLast(): Promise<void> {
    await this.#stamp();
    await this.write();
  }

  /** Says that this machine is there. Errors: those of the folder. */
  async sayHere(config: MarksFolderConfig, keys: readonly MarksKey[]): Promise<void> {
    await ownFiles(config, keys)?.sayHere(this.#name, this.#ports.now());
  }

  /**
   * Removes the files of a machine after what it marked is in this one's. Errors: `marks_passphrase_needed` if some of it
   * can't be read here, or this machine can't write; `marks_incomplete` if a file is not whole: the rest of it may be on its way.
   */
  async remove(config: MarksFolderConfig, machine: string): Promise<void> {
    const path = folderOf(config.folder, machine);
    const read = [...this.#read].filter(([file]) => dirname(file) === path);
    if (this.#files === null || read.some(([, { sealed }]) => sealed > 0)) throw passphraseNeeded();
    if (read.some(([, { broken, isCut }]) => broken > 0 || isCut)) throw incompleteFiles(path);
    const adopted = [...new Set([...config.adopted, machine])];
    this.#transaction((marks) => marks.configure({ ...config, adopted }));
    await this.#adopt(machine);
    await this.write();
    const files = read.map(([file, { state }]) => ({ path: file, state }));
    await removeMachineFiles(config.folder, machine, files);
  }

  /** Writes what is not in the folder yet. What was written and not noted is written again, which does no harm. */
  async write(): Promise<void> {
    const { store } = this.#ports;
    while (this.#writes) {
      const files = this.#files;
      const marks = files ? store.marks.unsaved(WRITTEN_AT_ONCE) : [];
      if (!files || marks.length === 0) return;
      await files.append(marks);
      this.#saidAt = null;
      for (let from = 0; from < marks.length; from += STEP) {
        this.#transaction((carried) => carried.saved(marks.slice(from, from + STEP)));
        await turn();
      }
    }
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
    while (this.#writes && this.#transaction((marks) => marks.renewSome(STEP))) await turn();
    while (this.#writes && this.#transaction((marks) => marks.noteSome(STEP))) await turn();
    while (this.#writes && this.#transaction((marks) => marks.stampSome(STEP, this.#ports.now())) > 0) await turn();
    const settings = this.#ports.settings?.();
    if (settings && this.#writes) this.#transaction((marks) => marks.stampSettings(settings, this.#ports.now()));
  }

  /**
   * Takes the marks of a file that is new or has changed. It counts as read only if it was not changed meanwhile. Returns
   * false if it can't be read now.
   */
  async #readFile(file: MarksFile): Promise<boolean> {
    if (this.#read.get(file.path)?.state === file.state) return true;
    let waiting: Mark[] = [];
    const take = async (marks: Mark[]): Promise<void> => {
      waiting.push(...marks);
      if (waiting.length < STEP) return;
      const part = waiting;
      waiting = [];
      await this.#take(part);
    };
    const found = await readMarks(file.path, this.#keys, take).finally(() => this.#announce());
    await this.#take(waiting);
    this.#announce();
    if (found === null) return false;
    if (this.#reads && (await isUnchanged(file))) this.#read.set(file.path, { ...found, state: file.state });
    return true;
  }

  async #take(marks: readonly Mark[]): Promise<void> {
    for (let from = 0; from < marks.length && this.#reads; from += STEP) {
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

  #announceSettings(): void {
    const settings = this.#ports.settings?.();
    if (!settings) return;
    const arrived = this.#ports.store.marks.arrivedSettings(settings);
    if (Object.keys(arrived.patch).length > 0) this.#ports.onSettings?.(arrived);
  }

  async #sayHere(listing: FolderListing, machine: string): Promise<void> {
    const files = this.#files;
    const now = this.#ports.now();
    if (!files || (this.#saidAt !== null && Math.abs(now - this.#saidAt) < SAID_EVERY)) return;
    await files.sayHere(this.#name, now);
    this.#saidAt = now;
    const others = listing.machines.filter(({ id }) => id !== machine);
    listing.machines = [{ id: machine, name: this.#name, seenAt: now }, ...others];
  }

  /** With another passphrase, too: until none of the files before it is left. */
  async #compact({ files }: FolderListing, config: MarksFolderConfig): Promise<void> {
    const own = this.#files;
    if (!own || !(config.rewrites || own.isMany(files))) return;
    const isDone = await own.compact(files, this.#allOwn());
    if (config.rewrites && isDone) this.#transaction((marks) => marks.configure({ ...config, rewrites: false }));
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

  #found(listing: FolderListing, unread: number, config: MarksFolderConfig): Comparison {
    const sum = { ...NOT_COMPARED, unreadable: listing.skipped + unread };
    const own = folderOf(config.folder, config.machine);
    for (const [path, { broken, sealed, isPlain }] of this.#read) {
      // What this machine wrote before with another passphrase is here anyway, and is written again.
      const isOwn = dirname(path) === own;
      sum.unreadable += broken;
      if (!isOwn) sum.sealed += sealed;
      if (!isOwn && isPlain && config.encrypted) sum.plain += 1;
    }
    return {
      ...sum,
      machines: listing.machines,
      isKeyMissing: config.encrypted && this.#keys.length === 0,
      comparedAt: this.#ports.now(),
    };
  }

  get #name(): string {
    return this.#ports.name ?? hostname();
  }

  /** Null while this machine has nothing to write with: its marks wait for the passphrase. */
  get #files(): OwnFiles | null {
    const { config } = this.#ports.store.marks;
    return (this.#own ??= config && ownFiles(config, this.#keys));
  }

  #transaction<T>(work: (marks: Parameters<Parameters<Store['transaction']>[0]>[0]['carriedMarks']) => T): T {
    return this.#ports.store.transaction(({ carriedMarks }) => work(carriedMarks));
  }
}

function ownFiles({ folder, machine, encrypted }: MarksFolderConfig, [key]: readonly MarksKey[]): OwnFiles | null {
  if (encrypted && !key) return null;
  return new OwnFiles(folder, machine, new LineWriter(machine, encrypted ? (key ?? null) : null));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
