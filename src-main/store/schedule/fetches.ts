import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ERROR_CODES, FAILURE_REASONS, type Failure } from '../../contract/errors.ts';
import { LOST_KINDS, type LostKind } from '../../contract/model/sync-status.ts';
import { readStored } from '../database/stored-json.ts';
import { perConnection, row, run, sql, type Db, type WritableDb } from '../sql.ts';

/** About an answer that would remove implausibly much. `since` is in ms since 1970. */
export interface Doubt {
  since: number;
  stored: number;
  received: number;
  of?: LostKind | undefined;
}

/** When a list or document was requested, and when it may be again. Times are ms since 1970, durations are in ms. */
export interface ScheduleState {
  /** 0 if it never was. */
  requestedAt: number;
  answeredAt: number | null;
  /** After the last answer; of a resource that failed, its Retry-After. */
  lifetime: number;
  dueAt: number;
  failures: number;
  failure: Failure | null;
}

/** The ETag is that of the saved body, which came from `address`. */
export interface Fetch extends ScheduleState {
  address: string;
  etag: string | null;
  doubt: Doubt | null;
}

interface FetchRow extends Omit<Fetch, 'failure' | 'doubt'> {
  failure: string | null;
  doubt: string | null;
}

export const FAILURE: z.ZodType<Failure> = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  retryable: z.boolean(),
  requestId: z.string().exactOptional(),
  reason: z.enum(FAILURE_REASONS).exactOptional(),
});
const count = z.int().min(0);
const DOUBT: z.ZodType<Doubt> = z.object({
  since: count,
  stored: count,
  received: count,
  of: z.enum(LOST_KINDS).exactOptional(),
});

const NEW: Fetch = {
  requestedAt: 0,
  answeredAt: null,
  lifetime: 0,
  dueAt: 0,
  failures: 0,
  failure: null,
  address: '',
  etag: null,
  doubt: null,
};

export function answeredAt(now: number, lifetime: number): ScheduleState {
  return { requestedAt: now, answeredAt: now, lifetime, dueAt: now + lifetime, failures: 0, failure: null };
}

const ONE = sql`SELECT address, etag, asked AS requestedAt, answered AS answeredAt, lifetime, due AS dueAt, failures, failure,
  doubt FROM fetch WHERE name = ?`;
const PUT = sql`INSERT OR REPLACE INTO fetch
  (name, address, etag, asked, answered, lifetime, due, failures, failure, doubt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Times of answers without news, until they are saved with the next run (docs/decisions/188). */
const notesOf = perConnection(() => ({ states: new Map<string, ScheduleState>(), saved: new Set<string>() }));

export function get(db: Db, name: string): Fetch | null {
  const { states, saved } = notesOf(db);
  const noted = saved.has(name) ? undefined : states.get(name);
  const stored = storedFetch(db, name);
  return noted ? { ...(stored ?? NEW), ...noted } : stored;
}

export function state(db: Db, name: string): ScheduleState | null {
  const found = get(db, name);
  if (!found || found.requestedAt === 0) return null;
  const { requestedAt, answeredAt, lifetime, dueAt, failures, failure } = found;
  return { requestedAt, answeredAt, lifetime, dueAt, failures, failure };
}

/** Returns the ETag if the saved body came from exactly this address. */
export function etag(db: Db, name: string, address: string): string | undefined {
  const found = get(db, name);
  return found?.address === address ? (found.etag ?? undefined) : undefined;
}

/** An ETag must share the transaction of its body. Writes nothing if all of it is so already. */
export function put(db: WritableDb, name: string, change: Partial<Fetch>): void {
  const to = { ...(get(db, name) ?? NEW), ...change };
  const { states, saved } = notesOf(db);
  if (states.has(name)) saved.add(name);
  if (isDeepStrictEqual(storedFetch(db, name), to)) return;
  const { address, etag, requestedAt, answeredAt, lifetime, dueAt, failures, failure, doubt } = to;
  run(
    db,
    PUT,
    ...[name, address, etag, requestedAt, answeredAt, lifetime, dueAt, failures],
    ...[failure && JSON.stringify(failure), doubt && JSON.stringify(doubt)],
  );
}

/** "Not modified": if only times changed, they are noted. */
export function confirm(db: WritableDb, name: string, change: Partial<Fetch>): void {
  const before = get(db, name);
  const { requestedAt, answeredAt, lifetime, dueAt } = before ?? NEW;
  const to = { ...(before ?? NEW), ...change };
  if (isDeepStrictEqual(before, { ...to, requestedAt, answeredAt, lifetime, dueAt })) note(db, name, change);
  else put(db, name, change);
}

/** Like {@link put}, but without a write. If the process is killed, the next start sends one conditional request more. */
export function note(db: Db, name: string, change: Partial<ScheduleState>): void {
  const { requestedAt, answeredAt, lifetime, dueAt, failures, failure } = { ...(get(db, name) ?? NEW), ...change };
  const { states, saved } = notesOf(db);
  saved.delete(name);
  states.set(name, { requestedAt, answeredAt, lifetime, dueAt, failures, failure });
}

export function forget(db: WritableDb, name: string): void {
  notesOf(db).states.delete(name);
  run(db, 'DELETE FROM fetch WHERE name = ?', name);
}

export function hasNotes(db: Db): boolean {
  return notesOf(db).states.size > 0;
}

export function saveNotes(db: WritableDb): void {
  for (const name of notesOf(db).states.keys()) put(db, name, {});
}

export function endNotes(db: Db, isCommitted: boolean): void {
  const { states, saved } = notesOf(db);
  if (isCommitted) for (const name of saved) states.delete(name);
  saved.clear();
}

function storedFetch(db: Db, name: string): Fetch | null {
  const found = row<FetchRow>(db, ONE, name);
  return found
    ? { ...found, failure: readStored(found.failure, FAILURE), doubt: readStored(found.doubt, DOUBT) }
    : null;
}
