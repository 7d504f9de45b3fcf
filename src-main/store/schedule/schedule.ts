import { z } from 'zod';
import { TEN_YEARS } from '../../common/time.ts';
import { ERROR_CODES, FAILURE_REASONS, type Failure } from '../../contract/errors.ts';
import { MODEL_LISTS, type ResourceName } from '../../contract/model/resource.ts';
import type { ResourceResult } from '../../contract/model/sync-status.ts';
import { mirrorProperties, userProperties } from '../database/properties.ts';
import { readStored } from '../database/stored-json.ts';
import { perConnection, row, rows, run, sql, value, type Db, type WritableDb } from '../sql.ts';
import { pendingLog } from './pending-log.ts';

const MAX_RUNS = 200;

const REASONS = z.array(z.string());
const FAILURE: z.ZodType<Failure> = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  retryable: z.boolean(),
  requestId: z.string().exactOptional(),
  reason: z.enum(FAILURE_REASONS).exactOptional(),
});

/** Times are ms since 1970, durations are in ms. */
export interface ScheduleState {
  requestedAt: number;
  answeredAt: number | null;
  lifetime: number;
  /** The service's Retry-After, counted from `requestedAt`. */
  retryAfter: number;
  dueAt: number;
  failures: number;
  failure: Failure | null;
}

/** When and for how long (in ms) a body counts as fresh. */
export interface FetchTerms {
  etag: string | null;
  lifetime: number;
  now: number;
}

/** A Retry-After of a whole service, in ms. */
export interface ServicePause {
  since: number;
  span: number;
}

/** The reader's pause of syncing, in ms since 1970. */
export interface Pause {
  since: number;
  until: number | null;
}

export interface RunRecord extends ResourceResult {
  resource: ResourceName;
  startedAt: number;
  endedAt: number;
  skippedReasons: string[];
}

const pauseTime = z.int().min(0).max(8.64e15);
const PAUSE: z.ZodType<Pause> = z
  .object({ since: pauseTime, until: pauseTime.nullable() })
  .refine(({ since, until }) => until === null || until - since <= TEN_YEARS);

interface ScheduleRow extends Omit<ScheduleState, 'failure'> {
  failure: string | null;
}

interface RunRow extends Omit<RunRecord, 'skippedReasons' | 'error'> {
  skippedReasons: string;
  failure: string | null;
}

const PRUNE = sql`DELETE FROM run WHERE resource = ? AND id <= (
  SELECT id FROM run WHERE resource = ? ORDER BY id DESC LIMIT 1 OFFSET ${MAX_RUNS})`;

const unsavedRuns = perConnection(() => new Map<ResourceName, { run: RunRecord; state: ScheduleState }>());

export function servicePause(db: Db, service: string): ServicePause | null {
  return (
    row<ServicePause>(
      db,
      'SELECT wait_since AS since, wait_span AS span FROM user.service WHERE name = ? AND wait_since IS NOT NULL',
      service,
    ) ?? null
  );
}

export function pauseService(db: WritableDb, service: string, { since, span }: ServicePause): void {
  run(
    db,
    `INSERT INTO user.service (name, wait_since, wait_span) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET wait_since = excluded.wait_since, wait_span = excluded.wait_span`,
    ...[service, since, span],
  );
}

export function state(db: Db, resource: ResourceName): ScheduleState | null {
  const noted = unsavedRuns(db).get(resource);
  if (noted) return noted.state;
  const found = row<ScheduleRow>(
    db,
    `SELECT requested_at AS requestedAt, answered_at AS answeredAt, lifetime, retry_after AS retryAfter, due_at AS dueAt,
       failures, failure
     FROM schedule WHERE resource = ?`,
    resource,
  );
  return found ? { ...found, failure: readStored(found.failure, FAILURE) } : null;
}

export function reschedule(db: WritableDb, resource: ResourceName, to: ScheduleState): void {
  const noted = unsavedRuns(db).get(resource);
  if (noted) unsavedRuns(db).set(resource, { ...noted, state: to });
  saveState(db, resource, to);
}

export function forget(db: WritableDb, resource: ResourceName): void {
  unsavedRuns(db).delete(resource);
  pendingLog(db).drop(nameOf(resource));
  run(db, 'DELETE FROM schedule WHERE resource = ?', resource);
}

/** Clears schedules of another gateway. */
export function nameGateway(db: WritableDb, owner: string | null): void {
  const named = mirrorProperties.get(db, 'gateway');
  if (named === owner && owner !== null) return;
  for (const modelList of MODEL_LISTS) forget(db, modelList);
  mirrorProperties.set(db, 'gateway', owner);
}

/** Notes a run that found nothing new without a write. Runs in a row become one. */
export function remember(db: Db, latest: RunRecord, to: ScheduleState): void {
  const { resource } = latest;
  const before = unsavedRuns(db).get(resource);
  unsavedRuns(db).set(resource, { run: before ? joinRuns(before.run, latest) : latest, state: to });
  pendingLog(db).put(nameOf(resource), (tx) => {
    saveRemembered(tx, resource);
  });
}

/** Saves also what was remembered. Null leaves the schedule unchanged. */
export function record(db: WritableDb, latest: RunRecord, to: ScheduleState | null): void {
  pendingLog(db).write(db);
  if (to) saveState(db, latest.resource, to);
  addRun(db, latest);
}

/** Call it after a commit that saved what was remembered. */
export function clearRemembered(db: Db): void {
  unsavedRuns(db).clear();
}

export function runs(db: Db, resource: ResourceName, limit: number): RunRecord[] {
  const found = rows<RunRow>(
    db,
    `SELECT resource, started_at AS startedAt, ended_at AS endedAt, status, requests, added, revised, withdrawn, skipped,
       skipped_reasons AS skippedReasons, failure
     FROM run WHERE resource = ? ORDER BY id DESC LIMIT ?`,
    resource,
    limit,
  );
  const saved = found.map(toRun);
  const noted = unsavedRuns(db).get(resource)?.run;
  if (!noted) return saved;
  const [newest, ...others] = saved;
  const all = newest && isQuiet(newest) ? [joinRuns(newest, noted), ...others] : [noted, ...saved];
  return all.slice(0, limit);
}

export function pause(db: Db): Pause | null {
  return userProperties.json(db, 'pause', PAUSE);
}

export function setPause(db: WritableDb, to: Pause | null): void {
  userProperties.set(db, 'pause', to && JSON.stringify(to));
}

/** Returns the ETag if the saved body came from exactly this address. */
export function validator(db: Db, resource: string, address: string): string | undefined {
  return value<string>(db, 'SELECT etag FROM validator WHERE resource = ? AND address = ?', resource, address);
}

/** Call it in the transaction that saves the body. */
export function setValidator(db: WritableDb, resource: string, address: string, etag: string | null): void {
  if (etag === null) return clearValidator(db, resource);
  run(
    db,
    `INSERT INTO validator (resource, address, etag) VALUES (?, ?, ?)
     ON CONFLICT (resource) DO UPDATE SET address = excluded.address, etag = excluded.etag
     WHERE address <> excluded.address OR etag <> excluded.etag`,
    ...[resource, address, etag],
  );
}

export function clearValidator(db: WritableDb, resource: string): void {
  run(db, 'DELETE FROM validator WHERE resource = ?', resource);
}

function saveRemembered(db: WritableDb, resource: ResourceName): void {
  const noted = unsavedRuns(db).get(resource);
  if (!noted) return;
  const { endedAt, requests } = noted.run;
  saveState(db, resource, noted.state);
  const { changes } = run(
    db,
    `UPDATE run SET ended_at = ?, requests = requests + ?
     WHERE id = (SELECT max(id) FROM run WHERE resource = ?) AND status = 'notModified' AND skipped = 0`,
    ...[endedAt, requests, resource],
  );
  if (changes === 0) addRun(db, noted.run);
}

function saveState(db: WritableDb, resource: ResourceName, to: ScheduleState): void {
  const { requestedAt, answeredAt, lifetime, retryAfter, dueAt, failures, failure } = to;
  run(
    db,
    `INSERT OR REPLACE INTO schedule
       (resource, requested_at, answered_at, lifetime, retry_after, due_at, failures, failure)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[resource, requestedAt, answeredAt, lifetime, retryAfter, dueAt, failures],
    failure && JSON.stringify(failure),
  );
}

function addRun(db: WritableDb, added: RunRecord): void {
  const { resource, startedAt, endedAt, status, requests, skippedReasons, error } = added;
  run(
    db,
    `INSERT INTO run (resource, started_at, ended_at, status, requests, added, revised, withdrawn, skipped,
       skipped_reasons, failure)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[resource, startedAt, endedAt, status, requests, added.added, added.revised, added.withdrawn, added.skipped],
    ...[JSON.stringify(skippedReasons), error ? JSON.stringify(error) : null],
  );
  run(db, PRUNE, resource, resource);
}

function nameOf(resource: ResourceName): string {
  return `schedule ${resource}`;
}

function isQuiet({ status, skipped, skippedReasons }: RunRecord): boolean {
  return status === 'notModified' && skipped === 0 && skippedReasons.length === 0;
}

function joinRuns(first: RunRecord, last: RunRecord): RunRecord {
  return { ...first, endedAt: last.endedAt, requests: first.requests + last.requests };
}

function toRun({ skippedReasons, failure, ...others }: RunRow): RunRecord {
  const error = readStored(failure, FAILURE);
  return { ...others, skippedReasons: readStored(skippedReasons, REASONS) ?? [], ...(error && { error }) };
}
