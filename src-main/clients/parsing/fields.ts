import { z } from 'zod';
import type { Json } from '../../contract/model/json.ts';
import { isRecord, unknownMembers, type RawRecord } from './records.ts';

/** A field of the wrong type counts as absent, so that the rest of its record is still used (sheet 3). */
export const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
export const count = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
export const title = z.string('is missing or not a string');

/** The strings of a list; other values are skipped. */
export const texts = z
  .array(z.unknown())
  .nullish()
  .catch(null)
  .transform((values) => (values ?? []).filter((value) => typeof value === 'string'));

type Members = { [unknown: string]: Json };

/** A record's `links`: the named ones as strings or null, and all unknown members. */
export function linksOf<Name extends string>(
  raw: RawRecord,
  names: readonly Name[],
): Members & Record<Name, string | null> {
  const links = raw['links'];
  const known = names.map((name): [Name, string | null] => [name, textOf(links, name)]);
  return { ...unknownMembers(links, new Set(names)), ...(Object.fromEntries(known) as Record<Name, string | null>) };
}

const SOURCE = new Set(['name']);

/** A record's `source` and its unknown members. */
export function sourceOf(raw: RawRecord): Members & { name: string | null } {
  return { ...unknownMembers(raw['source'], SOURCE), name: textOf(raw['source'], 'name') };
}

function textOf(holder: Json | undefined, name: string): string | null {
  const value = isRecord(holder) ? holder[name] : null;
  return typeof value === 'string' ? value : null;
}
