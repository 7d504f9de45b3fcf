import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import {
  MACHINE_ID,
  nextStamp,
  wins,
  type Mark,
  type MarkKey,
  type MarkKind,
  type StampedValue,
} from '../../common/marks.ts';
import type { ArrivedSettings, SharedSettings } from '../../contract/settings.ts';
import type { Properties } from '../database/properties.ts';
import { MarkJournal, type JournalKind, type JournalRow, type NotingPlace } from './mark-journal.ts';
import { MarkQueries, MARKS_FOLDER_PROPERTY, type MarksFolderConfig } from './mark-queries.ts';
import type { AppliedMarks, MarkTables } from './mark-tables.ts';
import { MarkRoom } from './mark-room.ts';
import { isKnownSetting, SettingMarks } from './setting-marks.ts';

const RENEWED = z.object({
  after: z.object({ kind: z.string(), service: z.string(), id: z.string() }).nullable(),
});
const PLACE = z.object({ table: z.int().min(0), after: z.array(z.string()).nullable() });

/** Properties of user.db. */
const NOTING = 'marks_noting';
/** Up to where all marks are to be written into a folder that is new. */
const RENEWING = 'marks_renewing';
/** This machine's name in the folder, also while it shares nothing. */
const MACHINE = 'marks_machine';
/** Machines in {@link MarksFolderConfig.adopted}. */
const MOST_ADOPTED = 1000;

type Row = MarkKey & StampedValue & { unsaved: number; left_out: number };

/** Result of applying marks: the changes in the tables, and the number of marks that there was no room for. */
export interface TakenMarks {
  applied: AppliedMarks;
  refused: number;
}

/** Where a reading of all marks goes on. */
export type MarkPlace = MarkKey;

/**
 * The marks that this machine shares with others through a folder (docs/decisions/131): table `carried_mark` of user.db
 * has the winner of each key, with its stamp. The reader's tables have the same values, except what they have no room for.
 * Write within a transaction.
 */
export class CarriedMarks {
  readonly #user: Properties;
  readonly #queries: MarkQueries;
  readonly #journal: MarkJournal;
  readonly #tables: MarkTables;
  readonly #settings: SettingMarks;
  readonly #room = new MarkRoom();
  readonly #get;
  readonly #put;
  readonly #unsaved;
  readonly #saved;
  readonly #adopt;
  readonly #machines;
  readonly #after;
  readonly #sizes;
  readonly #leftOut;

  constructor(database: Database, user: Properties, tables: MarkTables) {
    this.#user = user;
    this.#queries = new MarkQueries(database, user);
    this.#tables = tables;
    this.#settings = new SettingMarks(database, user);
    this.#journal = new MarkJournal(database);
    this.#get = database.prepare<[string, string, string], Row>(
      'SELECT * FROM user.carried_mark WHERE kind = ? AND service = ? AND id = ?',
    );
    this.#put = database.prepare<(string | number | null)[]>(
      `INSERT OR REPLACE INTO user.carried_mark (kind, service, id, epoch, time, machine, value, unsaved, left_out)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#unsaved = database.prepare<[number], Row>('SELECT * FROM user.carried_mark WHERE unsaved = 1 LIMIT ?');
    this.#saved = database.prepare<(string | number | null)[]>(
      `UPDATE user.carried_mark SET unsaved = 0 WHERE kind = ? AND service = ? AND id = ?
       AND epoch = ? AND time = ? AND machine = ? AND value IS ?`,
    );
    this.#adopt = database.prepare<[string, string, string]>(
      'UPDATE user.carried_mark SET unsaved = 1 WHERE kind = ? AND service = ? AND id = ?',
    );
    this.#machines = database.prepare<[], string>('SELECT DISTINCT machine FROM user.carried_mark').pluck();
    this.#after = database.prepare<[string, string, string, number], Row>(
      `SELECT * FROM user.carried_mark WHERE (kind, service, id) > (?, ?, ?) ORDER BY kind, service, id LIMIT ?`,
    );
    // The lengths alone, so that long texts are not read.
    this.#sizes = database.prepare<[string, string, string, number], MarkKey & { machine: string; bytes: number }>(
      `SELECT kind, service, id, machine,
              octet_length(service) + octet_length(id) + ifnull(octet_length(value), 0) AS bytes
       FROM user.carried_mark WHERE (kind, service, id) > (?, ?, ?) ORDER BY kind, service, id LIMIT ?`,
    );
    this.#leftOut = database.prepare<[string, string, string, number], Row>(
      `SELECT * FROM user.carried_mark WHERE left_out = 1 AND kind <> 'setting' AND (kind, service, id) > (?, ?, ?)
       ORDER BY kind, service, id LIMIT ?`,
    );
  }

  /** Null while marks are not shared. */
  get config(): MarksFolderConfig | null {
    return this.#queries.config;
  }

  /** Whether everything has been noted that was marked before there was a folder. */
  get isNoting(): boolean {
    return this.#user.get(NOTING) !== null;
  }

  /** This machine's name in the folder that was shared last. */
  get lastMachine(): string | null {
    return MACHINE_ID.exec(this.#user.get(MACHINE) ?? '')?.[0] ?? null;
  }

  /**
   * Shares through a folder, or not at all. A folder that is new gets everything that is known here, from whichever machine:
   * the others may not come there.
   */
  configure(config: MarksFolderConfig | null): void {
    const isNew = config !== null && this.config?.folder !== config.folder;
    if (isNew) {
      this.#user.set(NOTING, JSON.stringify({ table: 0, after: null } satisfies NotingPlace));
      this.#user.set(RENEWING, JSON.stringify({ after: null }));
    }
    const saved = isNew ? this.#adoptingAll(config) : config;
    this.#user.set(MARKS_FOLDER_PROPERTY, saved && JSON.stringify(saved));
    if (config) this.#user.set(MACHINE, config.machine);
    else for (const name of [NOTING, RENEWING]) this.#user.set(name, null);
    if (!config?.settings) this.#settings.forget();
  }

  /** Has a part of all marks written into a folder that is new. Returns whether there is more. */
  renewSome(limit: number): boolean {
    const place = this.#user.json(RENEWING, RENEWED);
    if (place === null) return false;
    const next = this.adoptSome(null, place.after, limit);
    this.#user.set(RENEWING, next && JSON.stringify({ after: next }));
    return next !== null;
  }

  /** Outside of a transaction: has the connection note what changes if there is a folder, or stop. */
  follow(): void {
    if (this.config) this.#journal.start();
    else this.#journal.stop();
  }

  /** Notes a part of what was marked before there was a folder. Returns whether there is more. */
  noteSome(limit: number): boolean {
    const place = this.#user.json(NOTING, PLACE);
    if (place === null) return false;
    const next = this.#journal.noteSome(place, limit);
    this.#user.set(NOTING, next && JSON.stringify(next));
    return next !== null;
  }

  /** Stamps some of what the reader changed. Returns how many rows of the journal that were. `now` is ms since 1970. */
  stampSome(limit: number, now: number): number {
    const { machine } = this.config ?? {};
    if (machine === undefined) return 0;
    const rows = this.#journal.first(limit);
    for (const row of rows) this.#stamp(row, machine, now);
    return rows.length;
  }

  /**
   * Takes marks of other machines, or of this one's own files: the winner of each key stays. What the reader changed here
   * meanwhile is stamped first. One for which its machine has no room left is refused, see {@link countSome}. `now` is ms
   * since 1970.
   */
  take(marks: readonly Mark[], now: number): TakenMarks {
    const { machine } = this.config ?? {};
    const taken: Mark[] = [];
    if (machine === undefined) return { applied: this.#tables.apply(taken).applied, refused: 0 };
    let refused = 0;
    for (const mark of marks) {
      const { kind, service, id } = mark;
      if (kind !== 'setting') {
        const noted = { kind: journalKind(kind), service, id };
        if (this.#journal.has(noted)) this.#stamp(noted, machine, now);
      }
      const here = this.#get.get(kind, service, id);
      if (here && !wins(mark, here)) continue;
      if (!this.#room.has(mark, here ?? null)) {
        refused += 1;
        continue;
      }
      // A setting is in no table: the core takes it.
      const leftOut = kind === 'setting' ? Number(!isKnownSetting(mark)) : (here?.left_out ?? 0);
      this.#write({ ...mark, unsaved: 0, left_out: leftOut }, here ?? null);
      if (kind !== 'setting' && (here?.value !== mark.value || here.left_out === 1)) taken.push(mark);
    }
    return { applied: this.#applyTo(taken, machine, now), refused };
  }

  /**
   * Counts what each machine takes, a part of all marks at a time; from the first (null) it begins again. Until then no mark is
   * refused. Returns where the next part begins.
   */
  countSome(place: MarkPlace | null, limit: number): MarkPlace | null {
    if (place === null) this.#room.clear();
    const rows = this.#sizes.all(place?.kind ?? '', place?.service ?? '', place?.id ?? '', limit);
    for (const { machine, bytes } of rows) this.#room.count(machine, bytes);
    return rows.length < limit ? null : (rows.at(-1) ?? null);
  }

  /** Stamps the settings that the reader changed, if they are shared. `now` is ms since 1970. */
  stampSettings(current: SharedSettings, now: number): void {
    const { machine, settings = false } = this.config ?? {};
    if (machine !== undefined && settings) this.#settings.stamp(current, machine, now);
  }

  /** The settings of other machines that this one does not have yet, if they are shared. */
  arrivedSettings(current: SharedSettings): ArrivedSettings {
    return this.config?.settings ? this.#settings.arrived(current) : { patch: {}, before: {} };
  }

  /**
   * Tries again some of what the reader's tables had no room for. Returns where the next part begins; null at the end. `now` is
   * ms since 1970.
   */
  retryLeftOut(place: MarkPlace | null, limit: number, now: number): { applied: AppliedMarks; next: MarkPlace | null } {
    const { machine } = this.config ?? {};
    if (machine === undefined) return { applied: this.#tables.apply([]).applied, next: null };
    const rows = this.#leftOut.all(place?.kind ?? '', place?.service ?? '', place?.id ?? '', limit);
    const last = rows.length < limit ? undefined : rows.at(-1);
    return { applied: this.#applyTo(rows, machine, now), next: last ? toMark(last) : null };
  }

  /** Marks that are not in the folder yet. */
  unsaved(limit: number): Mark[] {
    return this.#unsaved.all(limit).map(toMark);
  }

  /** These are in the folder now. One that changed meanwhile still waits. */
  saved(marks: readonly Mark[]): void {
    for (const mark of marks) this.#saved.run(...columnsOf(mark));
  }

  /** Some marks after a place that belong into this machine's files, and the next place; null at the end. */
  own(place: MarkPlace | null, limit: number): { marks: Mark[]; next: MarkPlace | null } {
    const { machine, adopted = [] } = this.config ?? {};
    const rows = this.#after.all(place?.kind ?? '', place?.service ?? '', place?.id ?? '', limit);
    const last = rows.length < limit ? undefined : rows.at(-1);
    const ours = new Set([machine, ...adopted]);
    return { marks: rows.filter((row) => ours.has(row.machine)).map(toMark), next: last ? toMark(last) : null };
  }

  /**
   * Has what a machine marked, or each (null), written into this one's files, a part at a time. Returns where the next part
   * begins.
   */
  adoptSome(of: string | null, place: Record<keyof MarkKey, string> | null, limit: number): MarkPlace | null {
    const rows = this.#after.all(place?.kind ?? '', place?.service ?? '', place?.id ?? '', limit);
    for (const { kind, service, id, machine } of rows)
      if (of === null || machine === of) this.#adopt.run(kind, service, id);
    const last = rows.length < limit ? undefined : rows.at(-1);
    return last ? toMark(last) : null;
  }

  #adoptingAll(config: MarksFolderConfig): MarksFolderConfig {
    const known = this.#machines.all().filter((machine) => machine !== config.machine);
    return { ...config, adopted: [...new Set([...config.adopted, ...known])].slice(0, MOST_ADOPTED) };
  }

  #applyTo(marks: readonly Mark[], machine: string, now: number): AppliedMarks {
    const { applied, leftOut } = this.#tables.apply(marks);
    for (const mark of marks) {
      const row = this.#get.get(mark.kind, mark.service, mark.id);
      const isLeftOut = Number(leftOut.has(mark));
      if (row && row.left_out !== isLeftOut) this.#save({ ...row, left_out: isLeftOut });
      // The triggers noted it, too. Only what the tables have otherwise, such as another name, is a mark of this machine.
      if (mark.kind === 'setting') continue;
      const noted = { kind: journalKind(mark.kind), service: mark.service, id: mark.id };
      if (this.#journal.has(noted)) this.#stamp(noted, machine, now);
    }
    return applied;
  }

  #stamp(row: JournalRow, machine: string, now: number): void {
    this.#journal.remove(row);
    const { service, id } = row;
    for (const { kind, value, madeAt } of this.#tables.valuesOf(row)) {
      const known = this.#get.get(kind, service, id) ?? null;
      if ((known?.value ?? null) === value) continue;
      // It never was in the table, so the reader did not remove it.
      if (known?.left_out === 1 && value === null) continue;
      const stamp = nextStamp(known, { now, madeAt, machine });
      this.#write({ kind, service, id, value, ...stamp, unsaved: 1, left_out: 0 }, known);
    }
  }

  #write(row: Row, before: Row | null): void {
    this.#save(row);
    this.#room.replace(row, before);
  }

  #save(row: Row): void {
    this.#put.run(...columnsOf(row), row.unsaved, row.left_out);
  }
}

export function journalKind(kind: Exclude<MarkKind, 'setting'>): JournalKind {
  if (kind === 'read' || kind === 'star') return 'item';
  return kind === 'follow' ? 'story' : kind;
}

function columnsOf({ kind, service, id, epoch, time, machine, value }: Mark): (string | number | null)[] {
  return [kind, service, id, epoch, time, machine, value];
}

function toMark({ kind, service, id, epoch, time, machine, value }: Row): Mark {
  return { kind, service, id, epoch, time, machine, value };
}
