/** `carried_mark` has the winner of each key with its stamp (docs/decisions/131). `now` is ms since 1970. */
import { z } from 'zod';
import { nextStamp, wins, type Mark, type MarkKey, type MarkKind, type StampedValue } from '../../common/marks.ts';
import type { SharedSettings } from '../../contract/settings.ts';
import { userProperties as user } from '../database/properties.ts';
import { perConnection, row, rows, run, sql, values, type Db, type WritableDb } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { firstNoted, isNoted, noteNext, removeNoted, type JournalRow, type NotingProgress } from './mark-journal.ts';
import { configOf, MACHINE, MARKS_FOLDER_PROPERTY, NOTING, type MarksFolderConfig } from './mark-queries.ts';
import { applyMarks, valueOf, type AppliedMarks } from './mark-tables.ts';
import { forgetSettings, isKnownSetting, stampChangedSettings } from './setting-marks.ts';

const RENEWED = z.object({
  after: z.object({ kind: z.string(), service: z.string(), id: z.string() }).nullable(),
});
const NOTING_PROGRESS = z.object({
  table: z.int().min(0),
  after: z.array(z.union([z.string(), z.number()])).nullable(),
});

/** How far all marks are written into a new folder. */
const RENEWING = 'marks_renewing';
const MAX_ADOPTED = 1000;

type Row = MarkKey & StampedValue & { unsaved: number; left_out: number };

interface TakenMarks {
  applied: AppliedMarks;
  refused: number;
}

const FIND = 'SELECT * FROM user.carried_mark WHERE kind = ? AND service = ? AND id = ?';
const PART = 'WHERE (kind, service, id) > (?, ?, ?) ORDER BY kind, service, id LIMIT ?';
const AFTER = sql`SELECT * FROM user.carried_mark ${PART}`;
// Long texts are not read.
const SIZES = sql`SELECT kind, service, id, machine,
    octet_length(service) + octet_length(id) + ifnull(octet_length(value), 0) AS bytes
  FROM user.carried_mark ${PART}`;
const LEFT_OUT = `SELECT * FROM user.carried_mark WHERE left_out = 1 AND kind <> 'setting'
  AND (kind, service, id) > (?, ?, ?) ORDER BY kind, service, id LIMIT ?`;

const roomOf = perConnection(() => new MarkRoom());

/** Gives a new folder everything known here, from any machine: the others may not come there. */
export function configure({ db }: Tx, config: MarksFolderConfig | null): void {
  const isNew = config !== null && configOf(db)?.folder !== config.folder;
  if (isNew) {
    user.set(db, NOTING, JSON.stringify({ table: 0, after: null } satisfies NotingProgress));
    user.set(db, RENEWING, JSON.stringify({ after: null }));
  }
  const saved = isNew ? withAllAdopted(db, config) : config;
  user.set(db, MARKS_FOLDER_PROPERTY, saved && JSON.stringify(saved));
  if (config) user.set(db, MACHINE, config.machine);
  else for (const name of [NOTING, RENEWING]) user.set(db, name, null);
  if (!config?.settings) forgetSettings(db);
}

export function renewSome(tx: Tx, limit: number): boolean {
  const part = user.json(tx.db, RENEWING, RENEWED);
  if (part === null) return false;
  const next = adoptSome(tx, null, part.after, limit);
  user.set(tx.db, RENEWING, next && JSON.stringify({ after: next }));
  return next !== null;
}

export function noteSome({ db }: Tx, limit: number): boolean {
  const part = user.json(db, NOTING, NOTING_PROGRESS);
  if (part === null) return false;
  const next = noteNext(db, part, limit);
  user.set(db, NOTING, next && JSON.stringify(next));
  return next !== null;
}

export function stampSome({ db }: Tx, limit: number, now: number): number {
  const { machine } = configOf(db) ?? {};
  if (machine === undefined) return 0;
  const noted = firstNoted(db, limit);
  for (const one of noted) stamp(db, one, machine, now);
  return noted.length;
}

/** Keeps the winner of each key, once local changes are stamped. Refuses marks of a machine without room. */
export function take(tx: Tx, marks: readonly Mark[], now: number): TakenMarks {
  const { db } = tx;
  const { machine } = configOf(db) ?? {};
  const taken: Mark[] = [];
  if (machine === undefined) return { applied: applyMarks(tx, taken).applied, refused: 0 };
  let refused = 0;
  for (const mark of marks) {
    const { kind, service, id } = mark;
    if (kind !== 'setting') stampNoted(db, { ...mark, kind }, machine, now);
    const here = row<Row>(db, FIND, kind, service, id);
    if (here && !wins(mark, here)) continue;
    if (!roomOf(db).has(mark, here ?? null)) {
      refused += 1;
      continue;
    }
    const leftOut = kind === 'setting' ? Number(!isKnownSetting(mark)) : (here?.left_out ?? 0);
    write(db, { ...mark, unsaved: 0, left_out: leftOut }, here ?? null);
    if (kind !== 'setting' && (here?.value !== mark.value || here.left_out === 1)) taken.push(mark);
  }
  return { applied: applyTo(tx, taken, machine, now), refused };
}

/** Counts what each machine takes, from the first (null) again. Until all is counted, no mark is refused. */
export function countSome({ db }: Tx, after: MarkKey | null, limit: number): MarkKey | null {
  const room = roomOf(db);
  if (after === null) room.clear();
  const part = rows<MarkKey & { machine: string; bytes: number }>(db, SIZES, ...keyOf(after), limit);
  for (const { machine, bytes } of part) room.count(machine, bytes);
  return lastOf(part, limit) ?? null;
}

export function stampSettings({ db }: Tx, current: SharedSettings, now: number): void {
  const { machine, settings = false } = configOf(db) ?? {};
  if (machine !== undefined && settings) stampChangedSettings(db, current, machine, now);
}

/** Retries marks that had no room. `next` is null at the end. */
export function retryLeftOut(
  tx: Tx,
  after: MarkKey | null,
  limit: number,
  now: number,
): { applied: AppliedMarks; next: MarkKey | null } {
  const { machine } = configOf(tx.db) ?? {};
  if (machine === undefined) return { applied: applyMarks(tx, []).applied, next: null };
  const part = rows<Row>(tx.db, LEFT_OUT, ...keyOf(after), limit);
  const last = lastOf(part, limit);
  return { applied: applyTo(tx, part, machine, now), next: last ? toMark(last) : null };
}

export function listUnsaved(db: Db, limit: number): Mark[] {
  return rows<Row>(db, 'SELECT * FROM user.carried_mark WHERE unsaved = 1 LIMIT ?', limit).map(toMark);
}

/** Skips marks that changed meanwhile. */
export function confirmSaved({ db }: Tx, marks: readonly Mark[]): void {
  for (const mark of marks) {
    run(
      db,
      `UPDATE user.carried_mark SET unsaved = 0 WHERE kind = ? AND service = ? AND id = ?
       AND epoch = ? AND time = ? AND machine = ? AND value IS ?`,
      ...columnsOf(mark),
    );
  }
}

export function listOwn(db: Db, after: MarkKey | null, limit: number): { marks: Mark[]; next: MarkKey | null } {
  const { machine, adopted = [] } = configOf(db) ?? {};
  const part = rows<Row>(db, AFTER, ...keyOf(after), limit);
  const last = lastOf(part, limit);
  const ours = new Set([machine, ...adopted]);
  return { marks: part.filter((one) => ours.has(one.machine)).map(toMark), next: last ? toMark(last) : null };
}

/** Has marks of machine `of`, or of each (null), written into this one's files, a part at a time. */
export function adoptSome(
  { db }: Tx,
  of: string | null,
  after: Record<keyof MarkKey, string> | null,
  limit: number,
): MarkKey | null {
  const part = rows<Row>(db, AFTER, ...keyOf(after), limit);
  for (const { kind, service, id, machine } of part) {
    if (of !== null && machine !== of) continue;
    run(
      db,
      'UPDATE user.carried_mark SET unsaved = 1 WHERE kind = ? AND service = ? AND id = ?',
      ...[kind, service, id],
    );
  }
  const last = lastOf(part, limit);
  return last ? toMark(last) : null;
}

function withAllAdopted(db: Db, config: MarksFolderConfig): MarksFolderConfig {
  const machines = values<string>(db, 'SELECT DISTINCT machine FROM user.carried_mark');
  const known = machines.filter((machine) => machine !== config.machine);
  return { ...config, adopted: [...new Set([...config.adopted, ...known])].slice(0, MAX_ADOPTED) };
}

function applyTo(tx: Tx, marks: readonly Mark[], machine: string, now: number): AppliedMarks {
  const { applied, leftOut } = applyMarks(tx, marks);
  for (const mark of marks) {
    const { kind, service, id } = mark;
    const here = row<Row>(tx.db, FIND, kind, service, id);
    const isLeftOut = Number(leftOut.has(mark));
    if (here && here.left_out !== isLeftOut) save(tx.db, { ...here, left_out: isLeftOut });
    // The triggers noted it, too. Only what the tables have otherwise, such as another name, is a mark of this machine.
    if (kind !== 'setting') stampNoted(tx.db, { ...mark, kind }, machine, now);
  }
  return applied;
}

function stampNoted(
  db: WritableDb,
  { kind, service, id }: { kind: Exclude<MarkKind, 'setting'>; service: string; id: string },
  machine: string,
  now: number,
): void {
  const noted = { kind, service, id };
  if (isNoted(db, noted)) stamp(db, noted, machine, now);
}

function stamp(db: WritableDb, noted: JournalRow, machine: string, now: number): void {
  removeNoted(db, noted);
  const { service, id } = noted;
  const { kind, value, madeAt } = valueOf(db, noted);
  const known = row<Row>(db, FIND, kind, service, id) ?? null;
  if ((known?.value ?? null) === value) return;
  // It never was in the table, so the reader did not remove it.
  if (known?.left_out === 1 && value === null) return;
  const next = nextStamp(known, { now, madeAt, machine });
  write(db, { kind, service, id, value, ...next, unsaved: 1, left_out: 0 }, known);
}

function write(db: WritableDb, mark: Row, before: Row | null): void {
  save(db, mark);
  roomOf(db).replace(mark, before);
}

function save(db: WritableDb, mark: Row): void {
  run(
    db,
    `INSERT OR REPLACE INTO user.carried_mark (kind, service, id, epoch, time, machine, value, unsaved, left_out)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...columnsOf(mark),
    ...[mark.unsaved, mark.left_out],
  );
}

function keyOf(after: Record<keyof MarkKey, string> | null): [kind: string, service: string, id: string] {
  return after ? [after.kind, after.service, after.id] : ['', '', ''];
}

function lastOf<T>(part: readonly T[], limit: number): T | undefined {
  return part.length < limit ? undefined : part.at(-1);
}

function columnsOf({ kind, service, id, epoch, time, machine, value }: Mark): (string | number | null)[] {
  return [kind, service, id, epoch, time, machine, value];
}

function toMark({ kind, service, id, epoch, time, machine, value }: Row): Mark {
  return { kind, service, id, epoch, time, machine, value };
}

const MIB = 1024 * 1024;
/** Bytes of one machine in user.db: some 400,000 items as read. */
const MAX_BYTES_A_MACHINE = 96 * MIB;
/** Machines that may take more than {@link SMALL}. */
const MAX_LARGE = 8;
const SMALL = MIB / 4;
const MAX_MACHINES = 256;
/** Without its texts, which a table of the reader has, too. */
const BYTES_A_MARK = 140;

type Counted = Pick<Mark, 'service' | 'id' | 'machine' | 'value'>;

/** Limits bytes and machines: anyone who can write into the folder can make up ids and machines. */
class MarkRoom {
  readonly #taken = new Map<string, number>();

  clear(): void {
    this.#taken.clear();
  }

  has(mark: Counted, before: Counted | null): boolean {
    const taken = this.#taken.get(mark.machine);
    if (taken === undefined && this.#taken.size >= MAX_MACHINES) return false;
    const next = (taken ?? 0) + bytesOf(mark) - (before?.machine === mark.machine ? bytesOf(before) : 0);
    if (next <= SMALL || next <= (taken ?? 0)) return true;
    return next <= MAX_BYTES_A_MACHINE && ((taken ?? 0) > SMALL || this.#large < MAX_LARGE);
  }

  replace(mark: Counted, before: Counted | null): void {
    if (before) this.#add(before.machine, -bytesOf(before));
    this.#add(mark.machine, bytesOf(mark));
  }

  count(machine: string, bytes: number): void {
    this.#add(machine, BYTES_A_MARK + 2 * bytes);
  }

  get #large(): number {
    return [...this.#taken.values()].filter((bytes) => bytes > SMALL).length;
  }

  #add(machine: string, bytes: number): void {
    const next = (this.#taken.get(machine) ?? 0) + bytes;
    if (next > 0) this.#taken.set(machine, next);
    else this.#taken.delete(machine);
  }
}

function bytesOf({ service, id, value }: Counted): number {
  return BYTES_A_MARK + 2 * Buffer.byteLength(service + id + (value ?? ''));
}
