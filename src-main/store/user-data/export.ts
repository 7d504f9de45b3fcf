import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { TEN_YEARS } from '../../common/time.ts';
import { normalServiceAddress } from '../../contract/addresses.ts';
import { KIND_NAMES, KINDS } from '../../contract/records.ts';
import type { ExportedRecord } from '../../contract/user-data.ts';
import type { Exported } from '../records.ts';
import { rows, sql, type Db } from '../sql.ts';

const kinds = KIND_NAMES.filter((name) => KINDS[name].exported).map((name) => `'${name}'`);
const LIVE = `user.record WHERE value IS NOT NULL AND kind IN (${kinds.join(', ')})`;

const RECORDS = sql`SELECT kind, service.name AS service, record.id AS id, value
  FROM (SELECT * FROM ${LIVE}) AS record JOIN user.service ON service.id = record.service
  ORDER BY kind, service.name, record.id`;

export function records(db: Db): ExportedRecord[] {
  const found = rows<Omit<ExportedRecord, 'value'> & { value: string | number }>(db, RECORDS);
  return found.flatMap((record) => {
    const value = typeof record.value === 'number' ? record.value : parse(record.value);
    return value === undefined ? [] : [{ ...record, value }];
  });
}

/** Returns true for anything that the reader did, and for a history of models. The first download is no reason for a backup. */
export function holdsUserData(database: Database): boolean {
  const done = [`SELECT 1 FROM ${LIVE} AND kind <> 'start'`, 'SELECT 1 FROM user.refresh'];
  return done.some((sql) => database.prepare(`${sql} LIMIT 1`).get() !== undefined);
}

/** An address or `demo`. An edited file may spell the address differently. */
const service = z
  .string()
  .min(1)
  .max(2048)
  .transform((name) => normalServiceAddress(name) ?? name);

const RECORD = z.object({
  kind: z.string().max(32),
  service: z.union([z.literal(''), service]),
  id: z.string().max(8192),
  value: z.unknown().refine((value) => value !== undefined && value !== null),
});
const MEMBERS = new Set(Object.keys(RECORD.shape));
const TIMES = /^(?:at|.*At|time|value)$/;

/** `skipped`: unreadable records, times over ten years ahead; unknown members, once each. */
export function readExported(given: readonly unknown[], now: number): { records: Exported[]; skipped: number } {
  const read = given.flatMap((record) => RECORD.safeParse(record).data ?? []);
  const records = read.filter((record) => isPossible(record, now) && isPossible(record.value, now));
  return { records, skipped: given.length - records.length + unknownMembers(given) };
}

function isPossible(value: unknown, now: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([name, member]) => !TIMES.test(name) || typeof member !== 'number' || member <= now + TEN_YEARS,
  );
}

function unknownMembers(given: readonly unknown[]): number {
  const unknown = new Set<string>();
  for (const record of given) {
    if (typeof record !== 'object' || record === null) continue;
    for (const name of Object.keys(record)) if (!MEMBERS.has(name)) unknown.add(name);
  }
  return unknown.size;
}

function parse(text: string): ExportedRecord['value'] | undefined {
  try {
    return JSON.parse(text) as ExportedRecord['value'];
  } catch {
    return undefined;
  }
}
