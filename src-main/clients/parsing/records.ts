import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/model/model.ts';
import { MAX_ID } from '../../contract/model/record.ts';
import { CUT_MARK, cutText } from '../../common/text.ts';

export const recordId = z
  .string('is missing or not a string')
  .min(1, 'is empty')
  .max(MAX_ID, `is longer than ${String(MAX_ID)} characters`)
  .refine((value) => !value.includes('\0'), 'contains a NUL character');

/** A skipped record, a known field that can't be read (`id` is that of the first record), or a repetition. */
export interface Skipped {
  reason: string;
  id?: string;
  field?: string;
  isRepeated?: true;
}

export interface Records<T> {
  records: T[];
  skipped: Skipped[];
}

/** `lost` fields can't be read; by default those that are null or empty in `record`. */
export type Parsed<T> = { record: T; lost?: readonly string[] } | { skipped: Skipped };

/** Skips and reports invalid records, and uses the others (observed-11-bad-records). */
export function readRecords<T>(values: readonly unknown[], read: (raw: JsonObject) => Parsed<T>): Records<T> {
  const records: T[] = [];
  const skipped: Skipped[] = [];
  const fields = new Map<string, Skipped>();
  for (const value of values) {
    const parsed = isJsonObject(value) ? read(value) : skip({}, `a record is ${kindOf(value)}, not an object`);
    if ('record' in parsed) {
      records.push(parsed.record);
      for (const field of parsed.lost ?? lostFields(value as JsonObject, parsed.record))
        if (!fields.has(field)) fields.set(field, lostField(value as JsonObject, field));
    } else skipped.push(parsed.skipped);
  }
  return { records, skipped: fields.size === 0 ? skipped : [...skipped, ...fields.values()] };
}

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
    const left = nameSkipped(record as JsonObject, reason ?? 'is repeated');
    repeated.push(reason === undefined ? { ...left, isRepeated: true } : left);
    return false;
  });
  return repeated.length === 0 ? { records, skipped } : { records: first, skipped: [...skipped, ...repeated] };
}

export function countSkipped(skipped: readonly Skipped[]): number {
  return skipped.filter(({ field }) => field === undefined).length;
}

/** If an id can't be read, the answer proves no absence: it may be one of the missing ones. */
export function hidesIds(skipped: readonly Skipped[]): boolean {
  return countHiddenIds(skipped) > 0;
}

export function countHiddenIds(skipped: readonly Skipped[]): number {
  return skipped.filter(({ id, field, isRepeated }) => id === undefined && field === undefined && isRepeated !== true)
    .length;
}

const NONE: readonly string[] = [];

/** Returns the known fields that have a value, but are null or empty in the record. */
export function lostFields(raw: JsonObject, record: unknown, path = ''): readonly string[] {
  if (!isJsonObject(record)) return NONE;
  let lost = NONE;
  for (const name in record) {
    const [given, value] = [raw[name], record[name]];
    if (name === 'extra' || given === undefined || given === null || isBlank(given)) continue;
    // An address that is too long counts as missing (docs/decisions/144).
    if (typeof given === 'string' && (path === 'links.' || name === 'url')) continue;
    const isLost =
      value === null || (Array.isArray(value) ? !Array.isArray(given) : isJsonObject(value) && !isJsonObject(given));
    if (isLost) lost = [...lost, path + name];
    else if (path === '' && isJsonObject(given) && isJsonObject(value))
      lost = [...lost, ...lostFields(given, value, `${name}.`)];
  }
  return lost;
}

function isBlank(value: Json): boolean {
  return typeof value === 'string' && value.trim() === '';
}

export function lostField(raw: JsonObject, field: string): Skipped {
  return { ...nameSkipped(raw, `${field} can't be read; the rest is used`), field };
}

/** `room` is in UTF-16 units. */
export function readList<T>(
  list: unknown,
  read: (raw: JsonObject) => Parsed<T>,
  { most, room }: { most: number; room: number },
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

/** Allows for a service that rounds up or repeats some records. Errors: `invalid_body` for far more than `asked`. */
export function checkPage(values: readonly unknown[], asked: number): readonly unknown[] {
  if (values.length <= 2 * asked + 10) return values;
  throw brokenEnvelope(`it has ${values.length} records, and ${asked} were requested`);
}

export function skip(raw: JsonObject, reason: string): { skipped: Skipped } {
  return { skipped: nameSkipped(raw, reason) };
}

function nameSkipped(raw: JsonObject, reason: string): Skipped {
  const checked = recordId.safeParse(raw['id']);
  return checked.success ? { reason, id: checked.data } : { reason };
}

export function skipFor(raw: JsonObject, error: z.ZodError): { skipped: Skipped } {
  const issue = error.issues[0];
  return skip(raw, `${issue?.path.join('.') || 'record'} ${issue?.message ?? 'is invalid'}`);
}

/** The undocumented members of a record together, with their names, in UTF-16 units. */
const EXTRA = 10_000;
const VALUE = 8;
/** More could overflow the stack of recursive code such as JSON.stringify. */
const MAX_DEPTH = 64;

/** Returns -1 if the value does not fit or is nested too deeply. Stops there, so `room` bounds the work. */
function roomAfter(value: Json | undefined, room: number, depth = 0): number {
  if (typeof value === 'string') return room - value.length - VALUE;
  if (typeof value !== 'object' || value === null) return room - VALUE;
  if (depth >= MAX_DEPTH) return -1;
  let left = room - VALUE;
  if (Array.isArray(value)) {
    for (const member of value) if (left >= 0) left = roomAfter(member, left, depth + 1);
    return left;
  }
  for (const name in value) {
    if (left < 0) return left;
    left = roomAfter(value[name], left - name.length, depth + 1);
  }
  return left;
}

/** Cuts and drops what exceeds `limit`. Called four times per item, so it creates no arrays. */
export function unknownMembers(raw: unknown, known: ReadonlySet<string>, limit = EXTRA): JsonObject {
  const members: JsonObject = {};
  if (!isJsonObject(raw)) return members;
  let room = limit;
  for (const name in raw) {
    if (room <= 0) break;
    if (known.has(name)) continue;
    const value = fit(raw[name], Math.floor(room / 2));
    const left = roomAfter(value, room - name.length);
    if (left < 0) continue;
    members[name] = value as Json;
    room = left;
  }
  return members;
}

function fit(value: Json | undefined, limit: number): Json | undefined {
  return typeof value === 'string' && limit > CUT_MARK.length ? cutText(value, limit) : value;
}

export function checkEnvelope<T>(schema: z.ZodType<T>, value: unknown, sender?: Sender): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw brokenEnvelope(`${issue?.path.join('.') || 'it'} ${issue?.message ?? 'is invalid'}`, sender);
}

type Sender = 'news service' | 'model gateway';

export function brokenEnvelope(what: string, sender: Sender = 'news service'): BroadsheetError {
  return new BroadsheetError(
    'invalid_body',
    `This is not the response of a ${sender}: ${what}. Nothing was saved. Check the service address.`,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
