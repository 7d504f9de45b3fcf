/** The register of the reader's data: one row a key, whichever the kind (docs/decisions/187). */
import { FAR_AHEAD, LAST_EPOCH, wins, type StampedValue } from '../common/stamps.ts';
import { oneLine } from '../common/text.ts';
import { LATEST_TIME } from '../common/time.ts';
import {
  isKind,
  isRecordKey,
  KINDS,
  kindOf,
  LONGEST_ADDRESS,
  LONGEST_TITLE,
  readValue,
  valueText,
  type Kind,
  type Name,
  type ValueOf,
} from '../contract/records.ts';
import { thisMirror, THIS_SERVICE } from './database/properties.ts';
import { arrays, type Db, jsonText, rows, run, sql, value, type WritableDb } from './sql.ts';
import type { Changed, Tx } from './tx.ts';

/** As in the database: an integer, or JSON. Null: removed. */
type Stored = number | string | null;

/** `service` is '' where none has the id. */
export interface Key {
  kind: string;
  service: string;
  id: string;
}

/** A record as devices exchange it. */
export type Stamped = Key & StampedValue;

export type Since = Stamped & { seq: number; isOwn: boolean };

export interface Exported extends Key {
  value: unknown;
}

/** Sets again what an action changed ({@link restore}). */
export interface Before {
  kind: Kind;
  service: string;
  pairs: [id: string, value: Stored][];
}

/** `skipped`: invalid, of a kind that is not imported, or without room. */
export type Merged = 'taken' | 'unchanged' | 'skipped';

interface Held {
  value: Stored;
  made: number;
  epoch: number;
  device: string;
}

type Found = Held & { seq: number; deviceId: number };
type Incoming = Key & Held;
type Row = Key & Found;

type Changing = [id: string, wanted: Stored, value: Stored, device: number, made: number | null, epoch: number];

/** The reader's row of the service in use; `id` is SQL. Its value is null if there is none. */
export function joinRecord(kind: Kind, id: string, alias: string = kind): string {
  return `LEFT JOIN user.record AS ${alias} ON ${alias}.service = ${THIS_SERVICE} AND ${alias}.kind = '${kind}'
    AND ${alias}.id = ${id}`;
}

const OF_SERVICE = '(SELECT id FROM user.service WHERE name = ?)';
const GIVEN = 'SELECT value ->> 0 AS id, value ->> 1 AS wanted FROM json_each(?)';
const CHANGING = sql`SELECT given.id, wanted, here.value, ifnull(here.device, 0), here.made, here.epoch FROM (${GIVEN}) AS given
  LEFT JOIN user.record AS here ON here.service = ? AND here.kind = ? AND here.id = given.id
  WHERE given.wanted IS NOT here.value AND ifnull(here.seq, 0) <= ?`;
const PUT = sql`INSERT OR REPLACE INTO user.record (service, kind, id, value, made, epoch, device)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(?)`;
const PUT_BATCH = 250;

const COLUMNS = `seq, service.name AS service, kind, record.id, value, made, epoch, device AS deviceId,
  device.name AS device`;
const FROM = `user.record CROSS JOIN user.service ON service.id = record.service
  CROSS JOIN user.device ON device.id = record.device`;
const FIND = sql`SELECT key.key AS at, record.seq, record.value, made, epoch, record.device AS deviceId,
    device.name AS device
  FROM json_each(?) AS key CROSS JOIN user.service ON service.name = key.value ->> 0
  CROSS JOIN user.record ON record.service = service.id AND record.kind = key.value ->> 1 AND record.id = key.value ->> 2
  CROSS JOIN user.device ON device.id = record.device`;
const SINCE = sql`SELECT ${COLUMNS} FROM ${FROM} WHERE seq > ? ORDER BY seq LIMIT ?`;
const VALUE = sql`SELECT value FROM user.record WHERE service = ${OF_SERVICE} AND kind = ? AND id = ?`;
const LIST = sql`SELECT id, value FROM user.record WHERE service = ${OF_SERVICE} AND kind = ? AND value IS NOT NULL ORDER BY id`;
const COUNT = sql`SELECT count(*) FROM user.record WHERE service = ${OF_SERVICE} AND kind = ? AND value IS NOT NULL`;
const PART = 'SELECT seq, kind, value FROM user.record WHERE seq > ? AND value IS NOT NULL ORDER BY seq LIMIT 2000';
const BYTES = 'SELECT ifnull(sum(octet_length(value)), 0) FROM user.record WHERE kind = ?';

/** The reader acts: one record or 100,000. Equal values write nothing. Null removes. */
export function setAll<K extends Kind>(
  tx: Tx,
  kind: K,
  pairs: readonly (readonly [id: string, value: ValueOf<K> | null])[],
  service = homeOf(tx.db, kind),
): Before {
  const stored = new Map(pairs.map(([id, value]) => [id, toStored(value === null ? null : valueText(value))]));
  return restore(tx, { kind, service, pairs: [...stored] });
}

export function set<K extends Kind>(tx: Tx, kind: K, id: string, value: ValueOf<K> | null, service?: string): Before {
  return setAll(tx, kind, [[id, value]], service);
}

/** For what is on or off: an earlier value stays. Returns false if it was so before. */
export function turn<K extends Kind>(tx: Tx, kind: K, id: string, value: ValueOf<K> | null, service?: string): boolean {
  if ((get(tx.db, kind, id, service) !== null) === (value !== null)) return false;
  return set(tx, kind, id, value, service).pairs.length > 0;
}

/** Undo is an act, too: the stamps are later than those of what it takes back. What changed after `since` stays. */
export function restore(tx: Tx, { kind, service, pairs }: Before, since = Number.MAX_SAFE_INTEGER): Before {
  if (pairs.length === 0) return { kind, service, pairs };
  const { db, stampTime: now } = tx;
  const home = serviceId(db, service);
  const changing = arrays<Changing>(db, CHANGING, jsonText(pairs), home, kind, since);
  if (changing.length === 0) return { kind, service, pairs: [] };
  const columns = changing.map(([id, wanted, , , made, epoch]) => {
    const stamp = made === null ? { made: now, epoch: 0 } : laterThan({ made, epoch }, now);
    return [home, kind, id, wanted, stamp.made, stamp.epoch, 0];
  });
  run(db, PUT, jsonText(columns));
  const ofOthers = changing.filter(([, , , device]) => device !== 0);
  if (ofOthers.length > 0) {
    const quotas = new Quotas(db, { isForeign: false });
    for (const [id, , value, device] of ofOthers) quotas.drop(device, { service, id, value });
    quotas.save();
  }
  noteChange(tx, { kind, service, ids: changing.map(([id]) => id) });
  return { kind, service, pairs: changing.map(([id, , value]) => [id, value]) };
}

/** A stamp from far ahead is replaced in the next epoch, or the wrong clock would decide until that time comes. */
function laterThan({ made, epoch }: { made: number; epoch: number }, now: number): { made: number; epoch: number } {
  if (made > now + FAR_AHEAD && epoch < LAST_EPOCH) return { made: now, epoch: epoch + 1 };
  return { made: Math.min(LATEST_TIME, Math.max(now, made + 1)), epoch };
}

/** Not the reader's act: the same stamp under another key, as on each device that learns the same. */
export function adopt(tx: Tx, from: Key, to: Key): boolean {
  const record = find(tx.db, from);
  return record !== undefined && putAll(tx, [{ ...record, ...to }]).taken > 0;
}

/** Not the reader's act: the latest stamp of `from`, and one ms, as on each device that learns the same. */
export function derive<K extends Kind>(
  tx: Tx,
  from: readonly Key[],
  to: Key & { kind: string },
  value: ValueOf<K> | null,
): void {
  const known = from.flatMap((key) => find(tx.db, key) ?? []);
  const [latest] = known.sort((one, other) => (wins(stampedOf(one), stampedOf(other)) ? -1 : 1));
  if (!latest) return;
  const made = Math.min(LATEST_TIME, latest.made + 1);
  putAll(tx, [{ ...latest, ...to, value: toStored(value === null ? null : valueText(value)), made }]);
}

/** Not the reader's act, and the oldest stamp: what any other device has stays. */
export function begin<K extends Kind>(tx: Tx, kind: K, id: string, value: ValueOf<K>): void {
  const key = { kind, service: homeOf(tx.db, kind), id };
  putAll(tx, [{ ...key, value: toStored(valueText(value)), made: 0, epoch: 0, device: ownDevice(tx.db) }]);
}

/** Takes records of other devices: of two, the greater stamp stays. A device without room is refused. */
export function take(tx: Tx, records: readonly Stamped[]): { taken: number; refused: number } {
  const given = records.map(({ value, time, ...record }) => ({ ...record, value: toStored(value), made: time }));
  return putAll(tx, given, new Quotas(tx.db, { isForeign: true }));
}

/** Sets what a file has, by the rule of each kind. Removes nothing. */
export function merge(tx: Tx, exported: readonly Exported[]): Merged[] {
  const groups = new Map<string, Group>();
  const outcomes = exported.map(({ kind, service, id, value: given }) => {
    if (!isKind(kind) || !kindOf(kind).exported || !isRecordKey({ kind, service, id })) return 'skipped';
    const text = readValue(kind, given) ?? null;
    if (text === null) return 'skipped';
    const name = JSON.stringify([kind, service]);
    const group = groups.get(name) ?? new Group(tx.db, kind, service);
    groups.set(name, group);
    return group.add(id, JSON.parse(text));
  });
  for (const { kind, service, pairs } of groups.values()) restore(tx, { kind, service, pairs: [...pairs] });
  return outcomes;
}

export function get<K extends Kind>(db: Db, kind: K, id: string, service = homeOf(db, kind)): ValueOf<K> | null {
  return decode(kind, value<Exclude<Stored, null>>(db, VALUE, service, kind, id) ?? null);
}

export function list<K extends Kind>(db: Db, kind: K, service = homeOf(db, kind)): [id: string, value: ValueOf<K>][] {
  return arrays<[string, Stored]>(db, LIST, service, kind).flatMap(([id, stored]) => {
    const value = decode(kind, stored);
    return value === null ? [] : [[id, value]];
  });
}

/** Counts what {@link list} passes over: damage leaves values that are not of their kind. */
export function countUnreadable(db: Db): number {
  let count = 0;
  let part: [seq: number, kind: string, value: Stored][];
  for (let seq = 0; (part = arrays(db, PART, seq)).length > 0; seq = part.at(-1)?.[0] ?? Infinity)
    count += part.filter(([, kind, stored]) => isKind(kind) && decode(kind, stored) === null).length;
  return count;
}

export function nameOf({ title, link }: { title: string | null; link: string | null }): Name {
  return {
    title: oneLine(title, LONGEST_TITLE),
    link: link !== null && link.length <= LONGEST_ADDRESS ? link : null,
  };
}

export function lastSeq(db: Db): number {
  return value<number | null>(db, 'SELECT max(seq) FROM user.record') ?? 0;
}

export function since(db: Db, seq: number, limit: number): Since[] {
  return rows<Row>(db, SINCE, seq, limit).map(toSince);
}

export function stamped(db: Db, key: Key): Stamped | null {
  const found = find(db, key);
  return found ? toSince(found) : null;
}

function toSince({ seq, kind, service, id, value, made, epoch, deviceId, device }: Row): Since {
  const text = value === null ? null : String(value);
  return { seq, kind, service, id, epoch, device, value: text, time: made, isOwn: deviceId === 0 };
}

/** Returns false if the reader has no room for it. What is there may always be replaced by less. */
export function hasRoom<K extends Kind>(
  db: Db,
  kind: K,
  id: string,
  wanted: ValueOf<K>,
  service = homeOf(db, kind),
): boolean {
  return new Group(db, kind, service).add(id, wanted, 'replace') !== 'skipped';
}

/** '' as long as no other device knows this one. */
export function ownDevice(db: Db): string {
  return value<string>(db, 'SELECT name FROM user.device WHERE id = 0') ?? '';
}

/** The name under which other devices know this one. It never changes: stamps have it. */
export function nameDevice({ db }: Tx, name: string): void {
  run(db, "UPDATE user.device SET name = ? WHERE id = 0 AND name = ''", name);
}

class Group {
  readonly kind: Kind;
  readonly service: string;
  readonly pairs = new Map<string, Stored>();
  readonly #db: Db;
  #room: Room | undefined;
  #added = 0;
  #grown = 0;

  constructor(db: Db, kind: Kind, service: string) {
    this.#db = db;
    this.kind = kind;
    this.service = service;
  }

  add(id: string, given: unknown, how: 'merge' | 'replace' = 'merge'): Merged {
    const { kind, service, pairs } = this;
    const stored = pairs.get(id) ?? value<Exclude<Stored, null>>(this.#db, VALUE, service, kind, id) ?? null;
    const here: unknown = decode(kind, stored);
    const next = toStored(valueText(here === null || how === 'replace' ? given : kindOf(kind).merge(here, given)));
    if (next === stored) return 'unchanged';
    const grown = bytesOf(next) - bytesOf(stored);
    if (!this.#hasRoom(here === null, grown)) return 'skipped';
    pairs.set(id, next);
    this.#added += Number(here === null);
    this.#grown += grown;
    return 'taken';
  }

  #hasRoom(isNew: boolean, grown: number): boolean {
    const { limit, bytes } = KINDS[this.kind];
    const room = (this.#room ??= roomOf(this.#db, this.kind, this.service));
    if (isNew && room.records + this.#added >= limit) return false;
    return grown <= 0 || room.bytes + this.#grown + grown <= bytes;
  }
}

interface Room {
  records: number;
  bytes: number;
}

function roomOf(db: Db, kind: Kind, service: string): Room {
  const { limit, bytes } = KINDS[kind];
  return {
    records: limit === Infinity ? 0 : (value<number>(db, COUNT, service, kind) ?? 0),
    bytes: bytes === Infinity ? 0 : (value<number>(db, BYTES, kind) ?? 0),
  };
}

function putAll(
  tx: Tx,
  records: readonly Incoming[],
  quotas = new Quotas(tx.db, { isForeign: false }),
): { taken: number; refused: number } {
  const sum = { taken: 0, refused: 0 };
  for (let from = 0; from < records.length; from += PUT_BATCH) {
    const part = records.slice(from, from + PUT_BATCH);
    const keys = part.map(keyText);
    const before = findAll(tx.db, keys);
    const next = new Map<string, Incoming>();
    for (const [at, record] of part.entries()) {
      const key = keys[at] ?? '';
      const here = next.get(key) ?? before.get(key);
      if (here && !wins(stampedOf(record), stampedOf(here))) continue;
      const isTaken = quotas.replace(here ?? null, record);
      if (isTaken) next.set(key, record);
      sum[isTaken ? 'taken' : 'refused'] += 1;
    }
    writeAll(tx, [...next.values()], quotas);
    for (const [key, { kind, service, id, value: stored }] of next)
      if (before.get(key)?.value !== stored) noteChange(tx, { kind, service, ids: [id] });
  }
  quotas.save();
  return sum;
}

function writeAll({ db }: Tx, records: readonly Incoming[], quotas: Quotas): void {
  if (records.length === 0) return;
  const services = new Map<string, number>();
  const columns = records.map(({ service, kind, id, value: stored, made, epoch, device }) => {
    const home = services.get(service) ?? serviceId(db, service);
    services.set(service, home);
    return [home, kind, id, stored, made, epoch, quotas.idOf(device)];
  });
  run(db, PUT, jsonText(columns));
}

function findAll(db: Db, keys: readonly string[]): Map<string, Found> {
  const found = rows<Found & { at: number }>(db, FIND, `[${keys.join(',')}]`);
  return new Map(found.map((one) => [keys[one.at] ?? '', one]));
}

function keyText({ service, kind, id }: Key): string {
  return jsonText([service, kind, id]);
}

function find(db: Db, { service, kind, id }: Key): Row | undefined {
  const text = keyText({ service, kind, id });
  const found = findAll(db, [text]).get(text);
  return found && { ...found, service, kind, id };
}

/** Effects follow at the end of the transaction. */
function noteChange(tx: Tx, changed: Changed): void {
  tx.past = null;
  const last = tx.changed.at(-1);
  if (last?.kind === changed.kind && last.service === changed.service) last.ids.push(...changed.ids);
  else tx.changed.push(changed);
}

function serviceId(db: WritableDb, name: string): number {
  const known = value<number>(db, 'SELECT id FROM user.service WHERE name = ?', name);
  return known ?? Number(run(db, 'INSERT INTO user.service (name) VALUES (?)', name).lastInsertRowid);
}

function homeOf(db: Db, kind: Kind): string {
  return KINDS[kind].scope === 'service' ? thisMirror(db) : '';
}

function decode<K extends Kind>(kind: K, stored: Stored): ValueOf<K> | null {
  if (stored === null) return null;
  const raw: unknown = typeof stored === 'number' ? stored : parse(stored);
  return (kindOf(kind).value.safeParse(raw).data ?? null) as ValueOf<K> | null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The same number has one form only, so that equal values are equal in SQL, too. */
function toStored(text: string | null): Stored {
  const number = text !== null && /^-?\d{1,16}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

function stampedOf({ epoch, made: time, device, value }: Held): StampedValue {
  return { epoch, time, device, value: value === null ? null : String(value) };
}

const MIB = 1024 * 1024;
/** Some 400,000 items as read. */
const MAX_BYTES_A_DEVICE = 96 * MIB;
/** Devices that may take more than {@link SMALL}. */
const MAX_LARGE = 8;
const SMALL = MIB / 4;
const MAX_DEVICES = 256;
const BYTES_A_RECORD = 80;
/** In limits of the reader's rules. */
const MAX_BEYOND_LIMIT = 10;

interface Device {
  readonly id: number;
  readonly name: string;
  records: number;
  bytes: number;
}

/** Anyone who can write into the shared folder can make up ids and devices, and use the name of this one. */
class Quotas {
  readonly #db: WritableDb;
  readonly #isForeign: boolean;
  readonly #all: Device[];
  readonly #changed = new Set<Device>();
  readonly #rules = new Map<Kind, number>();

  constructor(db: WritableDb, { isForeign }: { isForeign: boolean }) {
    this.#db = db;
    this.#isForeign = isForeign;
    this.#all = rows<Device>(db, 'SELECT id, name, records, bytes FROM user.device');
  }

  idOf(name: string): number {
    return this.#named(name)?.id ?? 0;
  }

  /** Returns false if its device has no room left. */
  replace(before: Held | null, next: Incoming): boolean {
    const freed = before ? size({ ...next, value: before.value }) : 0;
    const device = this.#named(next.device);
    if (!this.#hasRoom(device, size(next) - (before?.device === next.device ? freed : 0))) return false;
    if (this.#isForeign && !this.#isRuleRead(before, next)) return false;
    this.#count(device ?? this.#add(next.device), 1, size(next));
    const last = before && this.#named(before.device);
    if (last) this.#count(last, -1, -freed);
    return true;
  }

  /** The reader replaces a record of the device with one of this device. */
  drop(id: number, record: Pick<Row, 'service' | 'id' | 'value'>): void {
    const device = this.#all.find((one) => one.id === id);
    if (device) this.#count(device, -1, -size(record));
  }

  save(): void {
    for (const { id, records, bytes } of this.#changed) {
      if (records > 0 || id === 0)
        run(this.#db, 'UPDATE user.device SET records = ?, bytes = ? WHERE id = ?', records, bytes, id);
      else run(this.#db, 'DELETE FROM user.device WHERE id = ?', id);
    }
  }

  #hasRoom(device: Device | undefined, grown: number): boolean {
    if (device?.id === 0) return !this.#isForeign || grown <= 0 || device.bytes + grown <= MAX_BYTES_A_DEVICE;
    const others = this.#all.filter(({ id, records }) => id !== 0 && records > 0);
    if (!device?.records && others.length >= MAX_DEVICES) return false;
    const taken = device?.bytes ?? 0;
    const bytes = taken + grown;
    if (bytes <= SMALL || bytes <= taken) return true;
    if (bytes > MAX_BYTES_A_DEVICE) return false;
    return taken > SMALL || others.filter((one) => one.bytes > SMALL).length < MAX_LARGE;
  }

  /** All rules are read for each change, also those beyond the limit. */
  #isRuleRead(before: Held | null, { kind, service, value: wanted }: Incoming): boolean {
    const isAdded = wanted !== null && (before?.value ?? null) === null;
    if (!isAdded || !isKind(kind) || KINDS[kind].effect !== 'rules') return true;
    const live = this.#rules.get(kind) ?? value<number>(this.#db, COUNT, service, kind) ?? 0;
    if (live >= MAX_BEYOND_LIMIT * KINDS[kind].limit) return false;
    this.#rules.set(kind, live + 1);
    return true;
  }

  #named(name: string): Device | undefined {
    return this.#all.find((device) => device.name === name);
  }

  #add(name: string): Device {
    const id = Number(run(this.#db, 'INSERT INTO user.device (name) VALUES (?)', name).lastInsertRowid);
    const device = { id, name, records: 0, bytes: 0 };
    this.#all.push(device);
    return device;
  }

  #count(device: Device, records: number, bytes: number): void {
    // The reader's own acts have no quota.
    if (device.id === 0 && (!this.#isForeign || records < 0)) return;
    device.records += records;
    device.bytes += bytes;
    this.#changed.add(device);
  }
}

function size({ service, id, value }: Pick<Row, 'service' | 'id' | 'value'>): number {
  return BYTES_A_RECORD + 2 * Buffer.byteLength(id) + Buffer.byteLength(service) + bytesOf(value);
}

function bytesOf(value: Stored): number {
  return value === null ? 0 : Buffer.byteLength(String(value));
}
