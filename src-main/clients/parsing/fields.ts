import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../contract/model/model.ts';
import type { Attribution, Links, Source } from '../../contract/model/record.ts';
import { numberIn } from '../../common/numbers.ts';
import { cutText } from '../../common/text.ts';
import { asTime, LATEST_TIME } from '../../common/time.ts';
import { unknownMembers } from './records.ts';

/** Limits in UTF-16 units, far above anything seen (observed-11-sizes, docs/decisions/144). */
export const LINE = 1_000;
/** Also of original titles: that of a post is all of it. */
export const PARAGRAPH = 10_000;
export const DOCUMENT = 100_000;
const ADDRESS = 2_048;
const NAME = 200;
const MAX_TEXTS = 200;

export function cutTextIn(value: unknown, limit = LINE): string | null {
  return typeof value === 'string' ? cutText(value, limit) : null;
}

/** A part of an address leads elsewhere, so a longer one counts as missing. */
export function addressIn(value: unknown): string | null {
  return typeof value === 'string' && value.length <= ADDRESS ? value : null;
}

/** A field of the wrong type counts as absent, so that the rest of its record is still used (observed-11-optional). */
export const textOf = (limit: number) =>
  z
    .string()
    .nullish()
    .catch(null)
    .transform((value) => cutTextIn(value, limit));

/** Seconds since 1970 from 1973 on, or milliseconds. Smaller numbers are no times. */
const MIN_SECONDS = 100_000_000;
const MIN_MS = 100_000_000_000;

/** Reads digits as seconds or milliseconds since 1970, as some services send them. */
export function timeIn(value: unknown): string | null {
  const number = typeof value === 'string' && !/^\d{9,}$/.test(value) ? null : numberIn(value);
  if (number === null) return cutTextIn(value);
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
export const list = z.custom<Json[]>(Array.isArray, 'is missing or not a list');
export const texts = z
  .unknown()
  .optional()
  .transform((values) => (Array.isArray(values) ? (values as unknown[]).slice(0, MAX_TEXTS) : []))
  .transform((values) => [...new Set(values.flatMap((value) => cutTextIn(value, NAME) ?? []))]);

export function namesOf(schema: z.ZodObject, ...more: string[]): ReadonlySet<string> {
  return new Set([...Object.keys(schema.shape), ...more]);
}

export function linksReader<Name extends string>(...names: Name[]): (raw: JsonObject) => Links<Name> {
  const known = new Set<string>(names);
  return (raw) => {
    const links = raw['links'];
    const read = unknownMembers(links, known);
    for (const name of names) read[name] = isJsonObject(links) ? addressIn(links[name]) : null;
    return read as Links<Name>;
  };
}

const SOURCE = new Set(['name']);
const ATTRIBUTION = new Set(['name', 'url']);

export function sourceOf({ source }: JsonObject): Source {
  return { ...unknownMembers(source, SOURCE), name: isJsonObject(source) ? cutTextIn(source['name']) : null };
}

export function attributionOf({ attribution }: JsonObject): Attribution | null {
  if (!isJsonObject(attribution)) return null;
  const { name, url } = attribution;
  return { ...unknownMembers(attribution, ATTRIBUTION), name: cutTextIn(name), url: addressIn(url) };
}
