import type { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Json } from '../../contract/model/json.ts';
import { isShallow } from './json.ts';

export type RawRecord = Record<string, Json>;

/** A record of an answer that was left out, and why. */
export interface Skipped {
  reason: string;
  id?: string;
}

export interface Records<T> {
  records: T[];
  skipped: Skipped[];
}

/** What one record is: the thing itself, or the reason why it cannot be shown or keyed. */
export type Reading<T> = { record: T } | { skipped: Skipped };

/** Reads every record by itself: a bad one is counted and left out, the others stay (sheet 3). */
export function readRecords<T>(values: readonly unknown[], read: (raw: RawRecord) => Reading<T>): Records<T> {
  const records: T[] = [];
  const skipped: Skipped[] = [];
  for (const value of values) {
    const reading = isRecord(value) ? read(value) : skip({}, `a record is no object but ${kindOf(value)}`);
    if ('record' in reading) records.push(reading.record);
    else skipped.push(reading.skipped);
  }
  return { records, skipped };
}

/** A record that is left out, told with its id where it has one to go by. */
export function skip(raw: RawRecord, reason: string): { skipped: Skipped } {
  const id = raw['id'];
  const told = typeof id === 'string' && id !== '';
  return { skipped: told ? { reason, id: id.slice(0, 200) } : { reason } };
}

export function skipFor(raw: RawRecord, error: z.ZodError): { skipped: Skipped } {
  const issue = error.issues[0];
  return skip(raw, `${issue?.path.join('.') || 'record'} ${issue?.message ?? 'is not understood'}`);
}

/** The members of a record that a schema does not name, as they came. Runs four times an item: no lists are made. */
export function unknownMembers(raw: unknown, known: ReadonlySet<string>): RawRecord {
  const kept: RawRecord = {};
  if (!isRecord(raw)) return kept;
  for (const name in raw) {
    if (!known.has(name) && isShallow(raw[name])) kept[name] = raw[name] as Json;
  }
  return kept;
}

/** An answer whose frame is wrong is of no use at all, other than one with a bad record in it. */
export function checkEnvelope<T>(schema: z.ZodType<T>, value: unknown, sender?: Sender): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw brokenEnvelope(`${issue?.path.join('.') || 'it'} ${issue?.message ?? 'is not understood'}`, sender);
}

/** Who was asked. */
export type Sender = 'news service' | 'model gateway';

export function brokenEnvelope(what: string, sender: Sender = 'news service'): BroadsheetError {
  return new BroadsheetError(
    'invalid_body',
    `The answer is not what a ${sender} sends: ${what}. Nothing of it was kept; check the service address.`,
  );
}

export function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
