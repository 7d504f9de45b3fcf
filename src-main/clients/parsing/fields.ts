import { z } from 'zod';
import type { Json } from '../../contract/model/json.ts';
import { numberIn } from '../../common/numbers.ts';
import { asTime, LATEST_TIME } from '../../common/timestamp.ts';
import { LINE, addressWithin, cutText, textWithin } from './limits.ts';
import { isRecord, unknownMembers, type RawRecord } from './records.ts';

/** A field of the wrong type counts as absent, so that the rest of its record is still used (observed-11-optional). */
export const textOf = (limit: number) =>
  z
    .string()
    .nullish()
    .catch(null)
    .transform((value) => textWithin(value, limit));
/** Seconds since 1970 from 1973 on, and milliseconds: more than any seconds that are meant. Smaller numbers are no times. */
const LEAST_SECONDS = 100_000_000;
const LEAST_MS = 100_000_000_000;
/** A text of a time. Digits are seconds or milliseconds since 1970, as some services send them. */
export function timeIn(value: unknown): string | null {
  const number = typeof value === 'string' && !/^\d{9,}$/.test(value) ? null : numberIn(value);
  if (number === null) return textWithin(value, LINE);
  const ms = number < LEAST_MS ? number * 1000 : number;
  return number >= LEAST_SECONDS && ms <= LATEST_TIME ? asTime(Math.round(ms)) : null;
}

/** True or false, also as a text; null for anything else. */
export function flagIn(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : null;
}

/** A text of one line. */
export const text = textOf(LINE);
export const count = z.unknown().optional().transform(numberIn);
/** A time as RFC 3339. */
export const time = z.unknown().optional().transform(timeIn);
export const title = z.string('is missing or not a string').transform((value) => cutText(value, LINE));

/** Names in a list: those of a topic's sources. */
const MOST_TEXTS = 200;
const NAME = 200;

/** The first strings of a list, each once; other values are skipped. */
export const texts = z
  .unknown()
  .optional()
  .transform((values) => (Array.isArray(values) ? (values as unknown[]).slice(0, MOST_TEXTS) : []))
  .transform((values) => [...new Set(values.flatMap((value) => textWithin(value, NAME) ?? []))]);

type Members = { [unknown: string]: Json };

/** A record's `links`: the named ones as strings or null, and all unknown members. */
export function linksOf<Name extends string>(
  raw: RawRecord,
  names: readonly Name[],
): Members & Record<Name, string | null> {
  const links = raw['links'];
  const known = names.map((name): [Name, string | null] => [name, addressIn(links, name)]);
  return { ...unknownMembers(links, new Set(names)), ...(Object.fromEntries(known) as Record<Name, string | null>) };
}

const SOURCE = new Set(['name']);

/** A record's `source` and its unknown members. */
export function sourceOf(raw: RawRecord): Members & { name: string | null } {
  const source = raw['source'];
  return { ...unknownMembers(source, SOURCE), name: isRecord(source) ? textWithin(source['name'], LINE) : null };
}

function addressIn(holder: Json | undefined, name: string): string | null {
  return isRecord(holder) ? addressWithin(holder[name]) : null;
}
