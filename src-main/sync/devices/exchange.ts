import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Mark, MarkKey, MarkKind } from '../../common/marks.ts';
import { toFailure } from '../../contract/errors.ts';
import type { ArrivedSettings, SharedSettings } from '../../contract/settings.ts';
import { MARKS_REFUSALS, type MarksKey } from '../../contract/model/marks-folder.ts';
import type { AppliedMarks, MarksFolderConfig, Store } from '../../store/index.ts';
import {
  inMachineFolder,
  isUnchanged,
  listFolder,
  MARKS_FOLDER,
  readMarks,
  refuse,
  turn,
  type FileContent,
  type FolderListing,
  type MarksFile,
  type Refused,
} from './folder-files.ts';
import { explainError, incompleteFiles, isSystemError, passphraseNeeded } from './safe-folder.ts';
import { NOT_COMPARED, type Comparison } from './last-comparison.ts';
import { LineWriter } from './lines.ts';
import { OwnFiles, removeMachineFiles } from './own-files.ts';

/** Heartbeat interval while idle, in ms. */
const HEARTBEAT = 3_600_000;
const STEP_MARKS = 250;
const STEPS_AN_EVENT = 20;
const STEP_LENGTH = 100_000;
/** These are compared with all others of their kind; each counts as SLOW_LENGTH characters. */
const SLOW_KINDS: ReadonlySet<MarkKind> = new Set(['note', 'saved', 'mute']);
const SLOW_LENGTH = 20_000;
const RETRY_BATCH = 5;
const COUNT_BATCH = 1_000;
const WRITE_BATCH = 2_000;
/** In bytes and files. The next comparisons read the rest, smallest files first. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_READ = 4_000;
const MAX_KNOWN = 100;
const COMPACT_INTERVAL = 3_600_000;
/** In ms, until a file with refused marks is read again: there may be room, or their time has come. */
const REFUSED_INTERVAL = 3_600_000;

export interface ExchangePorts {
  store: Store;
  /** The service's time if it is known, because this computer's clock may be wrong. */
  now(): number;
  onApplied(applied: AppliedMarks): void;
  settings?(): SharedSettings | undefined;
  onSettings?(arrived: ArrivedSettings): void;
  /** Default: the host name. */
  name?: string;
}

/**
 * Replicates marks through a folder that any sync tool carries: each machine appends to its own operation log and reads
 * those of the others; the last writer wins. The caller runs one task at a time.
 */
export class MarksExchange {
  readonly #ports: ExchangePorts;
  readonly #read = new Map<string, FileContent & { file: MarksFile; readAt: number }>();
  readonly #applied: AppliedMarks[] = [];
  /** The first one is for writing. */
  #keys: readonly MarksKey[] = [];
  #own: OwnFiles | null = null;
  #heartbeatAt: number | null = null;
  #known: readonly string[] = [];
  #round = 0;
  #isCounted = false;
  #retried: MarkKey | null = null;
  #compactedAt: number | null = null;
  #reads = true;
  #writes = true;

  constructor(ports: ExchangePorts) {
    this.#ports = ports;
  }

  get keys(): readonly MarksKey[] {
    return this.#keys;
  }

  use(keys: readonly MarksKey[]): void {
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
  async run(config: MarksFolderConfig, known: readonly string[]): Promise<Comparison | null> {
    await this.#stamp();
    const options = { keys: this.#keys, sealedOnly: config.encrypted };
    if (this.#known.length === 0) this.#known = known;
    const listing = await listFolder(config.folder, options, { known: this.#known, round: this.#round });
    this.#round += 1;
    const named = listing.machines.filter(({ seenAt }) => seenAt !== null).map(({ id }) => id);
    this.#known = [...new Set([...this.#known, ...named])].slice(0, MAX_KNOWN);
    const unwritten = await catchSystemError(this.write());
    const unread = await this.#readFiles(listing, config);
    if (!this.#reads) return null;
    await this.#retryLeftOut();
    this.#announce();
    this.#announceSettings();
    const heartbeatError = unwritten ?? (await catchSystemError(this.#writeHeartbeat(listing, config.machine)));
    const failed = heartbeatError ?? (await catchSystemError(this.#compact(listing, config)));
    const found = this.#compare(listing, unread, config);
    return failed ? { ...found, failure: toFailure(explainError(failed, config.folder)) } : found;
  }

  /** Counts the files that can't be read now. */
  async #readFiles(listing: FolderListing, config: MarksFolderConfig): Promise<number> {
    const all = new Set(listing.files.map(keyOf));
    for (const key of this.#read.keys()) if (!all.has(key)) this.#read.delete(key);
    const files = listing.files.filter((file) => !this.#isRead(file)).sort((one, other) => one.size - other.size);
    if (files.length > 0) await this.#count();
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

  async #retryLeftOut(): Promise<void> {
    for (let tried = 0; tried < STEP_MARKS; tried += RETRY_BATCH) {
      const from = this.#retried;
      const { applied, next } = this.#transaction((marks) => marks.retryLeftOut(from, RETRY_BATCH, this.#ports.now()));
      this.#applied.push(applied);
      this.#retried = next;
      if (next === null) return;
      await turn();
    }
  }

  #isRead(file: MarksFile): boolean {
    const read = this.#read.get(keyOf(file));
    if (read?.file.state !== file.state) return false;
    return Object.keys(read.refused).length === 0 || Math.abs(this.#ports.now() - read.readAt) < REFUSED_INTERVAL;
  }

  async #count(): Promise<void> {
    if (this.#isCounted) return;
    let position: MarkKey | null = null;
    do {
      const from: MarkKey | null = position;
      position = this.#transaction<MarkKey | null>((marks) => marks.countSome(from, COUNT_BATCH));
      await turn();
    } while (position !== null);
    this.#isCounted = true;
  }

  async writeLast(): Promise<void> {
    await this.#stamp();
    await this.write();
  }

  async writeHeartbeat(config: MarksFolderConfig, keys: readonly MarksKey[]): Promise<void> {
    await ownFiles(config, keys)?.writeHeartbeat(this.#name, this.#ports.now());
  }

  /** Errors: `marks_passphrase_needed` if some can't be read; `marks_incomplete` while a file is not whole. */
  async remove(config: MarksFolderConfig, machine: string): Promise<void> {
    const read = [...this.#read.values()].filter(({ file }) => file.machine === machine);
    if (this.#ownFiles === null || read.some(({ sealed }) => sealed > 0)) throw passphraseNeeded();
    const isWhole = ({ broken, isCut, isPlain, refused }: FileContent): boolean =>
      broken === 0 && !isCut && !(isPlain && config.encrypted) && Object.keys(refused).length === 0;
    if (!read.every(isWhole)) throw incompleteFiles(join(config.folder, MARKS_FOLDER, machine));
    const adopted = [...new Set([...config.adopted, machine])];
    this.#transaction((marks) => marks.configure({ ...config, adopted }));
    await this.#adopt(machine);
    await this.write();
    const files = read.map(({ file }) => file);
    await removeMachineFiles(config.folder, machine, files);
  }

  /** A kill before `confirmSaved` only writes the same marks again. */
  async write(): Promise<void> {
    const { store } = this.#ports;
    while (this.#writes) {
      const files = this.#ownFiles;
      const marks = files ? store.marks.listUnsaved(WRITE_BATCH) : [];
      if (!files || marks.length === 0) return;
      await files.append(marks);
      this.#heartbeatAt = null;
      for (let from = 0; from < marks.length; from += STEP_MARKS) {
        this.#transaction((carried) => carried.confirmSaved(marks.slice(from, from + STEP_MARKS)));
        await turn();
      }
    }
  }

  async #adopt(machine: string): Promise<void> {
    let position: MarkKey | null = null;
    do {
      const from: MarkKey | null = position;
      position = this.#transaction<MarkKey | null>((marks) => marks.adoptSome(machine, from, STEP_MARKS));
      await turn();
    } while (position !== null);
  }

  async #stamp(): Promise<void> {
    while (this.#writes && this.#transaction((marks) => marks.renewSome(STEP_MARKS))) await turn();
    while (this.#writes && this.#transaction((marks) => marks.noteSome(STEP_MARKS))) await turn();
    while (this.#writes && this.#transaction((marks) => marks.stampSome(STEP_MARKS, this.#ports.now())) > 0)
      await turn();
    const settings = this.#ports.settings?.();
    if (settings && this.#writes) this.#transaction((marks) => marks.stampSettings(settings, this.#ports.now()));
  }

  /** Returns false if it can't be read now. A file that changed meanwhile is read again. */
  async #readFile(file: MarksFile, { folder, encrypted }: MarksFolderConfig): Promise<boolean> {
    const now = this.#ports.now();
    let waiting: Mark[] = [];
    let length = 0;
    let overFull = 0;
    const flush = async (): Promise<void> => {
      const part = waiting;
      [waiting, length] = [[], 0];
      if (part.length > 0 && this.#reads) overFull += await this.#take(part);
    };
    const take = async (marks: Mark[]): Promise<void> => {
      for (const mark of marks) {
        waiting.push(mark);
        length += mark.id.length + mark.service.length + (mark.value?.length ?? 0);
        if (SLOW_KINDS.has(mark.kind)) length += SLOW_LENGTH;
        if (waiting.length >= STEP_MARKS || length >= STEP_LENGTH) await flush();
      }
    };
    const options = { keys: this.#keys, sealedOnly: encrypted, now };
    const found = await readMarks(folder, file, options, take).finally(() => this.#announce());
    await flush();
    this.#announce();
    if (found === null) return false;
    refuse(found.refused, 'no_room', overFull);
    const checked = await inMachineFolder(folder, file.machine, (files) => isUnchanged(files, file), {
      makes: false,
    }).catch(() => false);
    if (this.#reads && checked) this.#read.set(keyOf(file), { ...found, file, readAt: now });
    return true;
  }

  /** Counts the marks without room. */
  async #take(marks: readonly Mark[]): Promise<number> {
    const { applied, refused } = this.#transaction((carried) => carried.take(marks, this.#ports.now()));
    this.#applied.push(applied);
    if (this.#applied.length >= STEPS_AN_EVENT) this.#announce();
    await turn();
    return refused;
  }

  /** Sends one event for many steps, because pages reload their lists after each. */
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

  async #writeHeartbeat(listing: FolderListing, machine: string): Promise<void> {
    const files = this.#ownFiles;
    const now = this.#ports.now();
    if (!files || (this.#heartbeatAt !== null && Math.abs(now - this.#heartbeatAt) < HEARTBEAT)) return;
    await files.writeHeartbeat(this.#name, now);
    this.#heartbeatAt = now;
    const others = listing.machines.filter(({ id }) => id !== machine);
    listing.machines = [{ id: machine, name: this.#name, seenAt: now }, ...others];
  }

  /** Runs with another passphrase, too, until none of the files before it is left. */
  async #compact({ files: listed }: FolderListing, config: MarksFolderConfig): Promise<void> {
    const own = this.#ownFiles;
    const isRead = (file: MarksFile): boolean => this.#read.get(keyOf(file))?.file.state === file.state;
    const files = listed.filter(isRead);
    const now = this.#ports.now();
    if (!own || !(config.rewrites || own.hasMany(files))) return;
    if (this.#compactedAt !== null && Math.abs(now - this.#compactedAt) < COMPACT_INTERVAL) return;
    // Otherwise each comparison writes another snapshot while files can't be removed.
    this.#compactedAt = now;
    const isAll = listed.every((file) => file.machine !== config.machine || isRead(file));
    const isDone = (await own.compact(files, this.#allOwn())) && isAll;
    if (isDone) this.#compactedAt = null;
    if (config.rewrites && isDone) this.#transaction((marks) => marks.configure({ ...config, rewrites: false }));
  }

  async *#allOwn(): AsyncGenerator<readonly Mark[]> {
    let position: MarkKey | null = null;
    do {
      const part: { marks: Mark[]; next: MarkKey | null } = this.#ports.store.marks.listOwn(position, STEP_MARKS);
      yield part.marks;
      await turn();
      position = part.next;
    } while (position !== null);
  }

  #compare(listing: FolderListing, unread: number, config: MarksFolderConfig): Comparison {
    const sum = { ...NOT_COMPARED, unreadable: listing.skipped + unread };
    const refused: Refused = { ...listing.refused };
    for (const { file, broken, sealed, isPlain, refused: parts } of this.#read.values()) {
      // Own lines under an earlier passphrase are written again anyway.
      const isOwn = file.machine === config.machine;
      sum.unreadable += broken;
      if (!isOwn) sum.sealed += sealed;
      if (!isOwn && isPlain && config.encrypted) sum.plain += 1;
      for (const reason of MARKS_REFUSALS) refuse(refused, reason, parts[reason] ?? 0);
    }
    return {
      ...sum,
      machines: listing.machines,
      refused: MARKS_REFUSALS.flatMap((reason) => {
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
    const { config } = this.#ports.store.marks;
    return (this.#own ??= config && ownFiles(config, this.#keys));
  }

  #transaction<T>(work: (marks: Parameters<Parameters<Store['transaction']>[0]>[0]['carriedMarks']) => T): T {
    try {
      return this.#ports.store.transaction(({ carriedMarks }) => work(carriedMarks));
    } catch (error) {
      // The count was rolled back.
      this.#isCounted = false;
      throw error;
    }
  }
}

function ownFiles({ folder, machine, encrypted }: MarksFolderConfig, [key]: readonly MarksKey[]): OwnFiles | null {
  if (encrypted && !key) return null;
  return new OwnFiles(folder, machine, new LineWriter(machine, encrypted ? (key ?? null) : null));
}

function keyOf({ machine, name }: MarksFile): string {
  return `${machine}/${name}`;
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
