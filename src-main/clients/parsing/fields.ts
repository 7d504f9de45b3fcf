import { z } from 'zod';
import type { Json } from '../../contract/model/json.ts';
import { LINE, addressWithin, cutText, textWithin } from './limits.ts';
import { isRecord, unknownMembers, type RawRecord } from './records.ts';

/** A field of the wrong type counts as absent, so that the rest of its record is still used (sheet 3). */
export const textOf = (limit: number) =>
  z
    .string()
    .nullish()
    .catch(null)
    .transform((value) => textWithin(value, limit));
/** A text of one line. */
export const text = textOf(LINE);
export const count = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
export const title = z.string('is missing or not a string').transform((value) => cutText(value, LINE));

/** Names in a list: those of a topic's sources. */
const MOST_TEXTS = 200;
const NAME = 200;

/** The first strings of a list; other values are skipped. */
export const texts = z
  .unknown()
  .optional()
  .transform((values) => (Array.isArray(values) ? (values as unknown[]).slice(0, MOST_TEXTS) : []))
  .transform((values) => values.flatMap((value) => textWithin(value, NAME) ?? []));

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
