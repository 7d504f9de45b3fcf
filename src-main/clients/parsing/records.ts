import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Json } from '../../contract/model/json.ts';
import { CUT_MARK, cutText, EXTRA, mostOf, roomAfter } from './limits.ts';

/** In UTF-16 units: the same limit as in the contract, so that every record can be requested. */
const LONGEST_ID = 512;

/** NUL ends strings in many places. */
export const recordId = z
  .string('is missing or not a string')
  .min(1, 'is empty')
  .max(LONGEST_ID, `is longer than ${String(LONGEST_ID)} characters`)
  .refine((value) => !value.includes('\0'), 'contains a NUL character');

export type RawRecord = Record<string, Json>;

/**
 * A record that was skipped, or a known field that can't be read in one or more records of a list, and why; or a repetition,
 * which is normal.
 */
export interface Skipped {
  reason: string;
  /** The record's, or the first one's; missing if it can't be read. */
  id?: string;
  /** Set for a field: its records are used without it. */
  field?: string;
  /** Set for a record or a word that the answer has already: nothing is lost without it. */
  isRepeated?: true;
}

export interface Records<T> {
  records: T[];
  skipped: Skipped[];
}

/**
 * A parsed record, or why it was skipped. `lost`: the names of its known fields that can't be read, if the record isn't made of
 * the fields of the raw one.
 */
export type Reading<T> = { record: T; lost?: readonly string[] } | { skipped: Skipped };

/** Parses each record separately: an invalid one is skipped and reported, the others are used (observed-11-bad-records). */
export function readRecords<T>(values: readonly unknown[], read: (raw: RawRecord) => Reading<T>): Records<T> {
  const records: T[] = [];
  const skipped: Skipped[] = [];
  const fields = new Map<string, Skipped>();
  for (const value of values) {
    const reading = isRecord(value) ? read(value) : skip({}, `a record is ${kindOf(value)}, not an object`);
    if ('record' in reading) {
      records.push(reading.record);
      for (const field of reading.lost ?? lostFields(value as RawRecord, reading.record))
        if (!fields.has(field)) fields.set(field, lostField(value as RawRecord, field));
    } else skipped.push(reading.skipped);
  }
  return { records, skipped: fields.size === 0 ? skipped : [...skipped, ...fields.values()] };
}

/** Leaves out each record with the key of an earlier one, and reports it: as repeated, or with the reason why another one is lost. */
export function distinctBy<T>(
  { records, skipped }: Records<T>,
  keyOf: (record: T) => string | number,
  reason?: string,
): Records<T> {
  const keys = new Set<string | number>();
  const repeated: Skipped[] = [];
  const first = records.filter((record) => {
    const key = keyOf(record);
    if (!keys.has(key)) return keys.add(key);
    const left = skip(record as RawRecord, reason ?? 'is repeated').skipped;
    repeated.push(reason === undefined ? { ...left, isRepeated: true } : left);
    return false;
  });
  return repeated.length === 0 ? { records, skipped } : { records: first, skipped: [...skipped, ...repeated] };
}

/** The number of an answer's records that are not among those read from it: unreadable and repeated ones. */
export function countSkipped(skipped: readonly Skipped[]): number {
  return skipped.filter(({ field }) => field === undefined).length;
}

/**
 * True if an answer has a record whose id can't be read. It may be any of those that the answer seems to lack, so the answer
 * proves no absence: what it lacks stays until an answer without such a record.
 */
export function hidesIds(skipped: readonly Skipped[]): boolean {
  return countHiddenIds(skipped) > 0;
}

/** The number of an answer's records whose ids can't be read. */
export function countHiddenIds(skipped: readonly Skipped[]): number {
  return skipped.filter(({ id, field, isRepeated }) => id === undefined && field === undefined && isRepeated !== true)
    .length;
}

const NONE: readonly string[] = [];

/** The known fields that have a value which is null or empty in the record made of it. `raw` may be any record of a service. */
export function lostFields(raw: RawRecord, record: unknown, path = ''): readonly string[] {
  if (!isRecord(record)) return NONE;
  let lost = NONE;
  for (const name in record) {
    const [given, value] = [raw[name], record[name]];
    if (name === 'extra' || given === undefined || given === null || isBlank(given)) continue;
    // An address that is too long counts as missing (docs/decisions/049).
    if (typeof given === 'string' && (path === 'links.' || name === 'url')) continue;
    const isLost =
      value === null || (Array.isArray(value) ? !Array.isArray(given) : isRecord(value) && !isRecord(given));
    if (isLost) lost = [...lost, path + name];
    else if (path === '' && isRecord(given) && isRecord(value))
      lost = [...lost, ...lostFields(given, value, `${name}.`)];
  }
  return lost;
}

function isBlank(value: Json): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** Reports a known field that can't be read. */
export function lostField(raw: RawRecord, field: string): Skipped {
  return { ...skip(raw, `${field} can't be read; the rest is used`).skipped, field };
}

/** Limits of a list within a record. */
export interface ListLimits {
  /** Entries. */
  most: number;
  /** UTF-16 units of all entries together. */
  room: number;
}

/** Like {@link readRecords} for a list within a record: what is beyond its limits counts as one skipped record. */
export function readList<T>(
  list: unknown,
  read: (raw: RawRecord) => Reading<T>,
  { most, room }: ListLimits,
): Records<T> {
  const values: readonly unknown[] = Array.isArray(list) ? list : [];
  const { records, skipped } = readRecords(values.length > most ? values.slice(0, most) : values, read);
  let left = room;
  const end = records.findIndex((record) => (left = roomAfter(record as Json, left)) < 0);
  const used = end === -1 ? records : records.slice(0, end);
  if (values.length > most || end !== -1) {
    const reason = `${used.length} of the ${values.length} entries of a list are used: it is too long`;
    skipped.push({ reason });
  }
  return { records: used, skipped };
}

/** Checks the list of a page of which `asked` records were requested. Errors: `invalid_body` if it has far more. */
export function checkPage(values: readonly unknown[], asked: number): readonly unknown[] {
  if (values.length <= mostOf(asked)) return values;
  throw brokenEnvelope(`it has ${values.length} records, and ${asked} were requested`);
}

/** Skips a record, and reports its id if it can be read. */
export function skip(raw: RawRecord, reason: string): { skipped: Skipped } {
  const checked = recordId.safeParse(raw['id']);
  return { skipped: checked.success ? { reason, id: checked.data } : { reason } };
}

export function skipFor(raw: RawRecord, error: z.ZodError): { skipped: Skipped } {
  const issue = error.issues[0];
  return skip(raw, `${issue?.path.join('.') || 'record'} ${issue?.message ?? 'is invalid'}`);
}

/**
 * The members of a record that a schema does not name, of at most `limit` UTF-16 units together: a text is cut, and what
 * does not fit is left out. Called four times per item, so it creates no arrays.
 */
export function unknownMembers(raw: unknown, known: ReadonlySet<string>, limit = EXTRA): RawRecord {
  const members: RawRecord = {};
  if (!isRecord(raw)) return members;
  let room = limit;
  for (const name in raw) {
    if (room <= 0) break;
    if (known.has(name)) continue;
    const value = fitting(raw[name], Math.floor(room / 2));
    const left = roomAfter(value, room - name.length);
    if (left < 0) continue;
    members[name] = value as Json;
    room = left;
  }
  return members;
}

function fitting(value: Json | undefined, limit: number): Json | undefined {
  return typeof value === 'string' && limit > CUT_MARK.length ? cutText(value, limit) : value;
}

/** An invalid envelope rejects the whole response, unlike an invalid record in it. */
export function checkEnvelope<T>(schema: z.ZodType<T>, value: unknown, sender?: Sender): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw brokenEnvelope(`${issue?.path.join('.') || 'it'} ${issue?.message ?? 'is invalid'}`, sender);
}

export type Sender = 'news service' | 'model gateway';

export function brokenEnvelope(what: string, sender: Sender = 'news service'): BroadsheetError {
  return new BroadsheetError(
    'invalid_body',
    `This is not the response of a ${sender}: ${what}. Nothing was saved. Check the service address.`,
  );
}

export function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
