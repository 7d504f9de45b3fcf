import type { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Json } from '../../contract/model/json.ts';
import { CUT_MARK, cutText, EXTRA, mostOf, roomAfter } from './limits.ts';

export type RawRecord = Record<string, Json>;

/** A record that was skipped, and why. */
export interface Skipped {
  reason: string;
  id?: string;
}

export interface Records<T> {
  records: T[];
  skipped: Skipped[];
}

/** A parsed record, or why it was skipped. */
export type Reading<T> = { record: T } | { skipped: Skipped };

/** Parses each record separately: an invalid one is skipped and reported, the others are used (sheet 3). */
export function readRecords<T>(values: readonly unknown[], read: (raw: RawRecord) => Reading<T>): Records<T> {
  const records: T[] = [];
  const skipped: Skipped[] = [];
  for (const value of values) {
    const reading = isRecord(value) ? read(value) : skip({}, `a record is ${kindOf(value)}, not an object`);
    if ('record' in reading) records.push(reading.record);
    else skipped.push(reading.skipped);
  }
  return { records, skipped };
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

/** Skips a record, and reports its id if it has one. */
export function skip(raw: RawRecord, reason: string): { skipped: Skipped } {
  const id = raw['id'];
  const hasId = typeof id === 'string' && id !== '';
  return { skipped: hasId ? { reason, id: id.slice(0, 200) } : { reason } };
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
