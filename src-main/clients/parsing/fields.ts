import { z } from 'zod';
import type { Json } from '../../contract/model/model.ts';
import { numberIn } from '../../common/numbers.ts';
import { asTime, LATEST_TIME } from '../../common/time.ts';
import { LINE, addressWithin, cutText, textWithin } from './limits.ts';
import { isRecord, unknownMembers, type RawRecord } from './records.ts';

/** A field of the wrong type counts as absent, so that the rest of its record is still used (observed-11-optional). */
export const textOf = (limit: number) =>
  z
    .string()
    .nullish()
    .catch(null)
    .transform((value) => textWithin(value, limit));
/** Seconds since 1970 from 1973 on, or milliseconds. Smaller numbers are no times. */
const MIN_SECONDS = 100_000_000;
const MIN_MS = 100_000_000_000;
/** Reads digits as seconds or milliseconds since 1970, as some services send them. */
export function timeIn(value: unknown): string | null {
  const number = typeof value === 'string' && !/^\d{9,}$/.test(value) ? null : numberIn(value);
  if (number === null) return textWithin(value, LINE);
  const ms = number < MIN_MS ? number * 1000 : number;
  return number >= MIN_SECONDS && ms <= LATEST_TIME ? asTime(Math.round(ms)) : null;
}

export function flagIn(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : null;
}

export const text = textOf(LINE);
export const count = z.unknown().optional().transform(numberIn);
export const time = z.unknown().optional().transform(timeIn);
export const title = z.string('is missing or not a string').transform((value) => cutText(value, LINE));

const MAX_TEXTS = 200;
const NAME = 200;

export const texts = z
  .unknown()
  .optional()
  .transform((values) => (Array.isArray(values) ? (values as unknown[]).slice(0, MAX_TEXTS) : []))
  .transform((values) => [...new Set(values.flatMap((value) => textWithin(value, NAME) ?? []))]);

type Members = { [unknown: string]: Json };

export function linksOf<Name extends string>(
  raw: RawRecord,
  names: readonly Name[],
): Members & Record<Name, string | null> {
  const links = raw['links'];
  const known = names.map((name): [Name, string | null] => [name, addressIn(links, name)]);
  return { ...unknownMembers(links, new Set(names)), ...(Object.fromEntries(known) as Record<Name, string | null>) };
}

const SOURCE = new Set(['name']);

export function sourceOf(raw: RawRecord): Members & { name: string | null } {
  const source = raw['source'];
  return { ...unknownMembers(source, SOURCE), name: isRecord(source) ? textWithin(source['name'], LINE) : null };
}

function addressIn(holder: Json | undefined, name: string): string | null {
  return isRecord(holder) ? addressWithin(holder[name]) : null;
}
