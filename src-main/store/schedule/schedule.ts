import { z } from 'zod';
import { TEN_YEARS } from '../../common/time.ts';
import { MODEL_LISTS, type ResourceName } from '../../contract/model/resource.ts';
import type { ResourceResult } from '../../contract/model/sync-status.ts';
import { mirrorProperties, userProperties } from '../database/properties.ts';
import { readStored } from '../database/stored-json.ts';
import { perConnection, row, rows, run, sql, type Db, type WritableDb } from '../sql.ts';
import * as fetches from './fetches.ts';
import { FAILURE, type ScheduleState } from './fetches.ts';

export { state } from './fetches.ts';

const MAX_RUNS = 200;

const REASONS = z.array(z.string());

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

interface RunRow extends Omit<RunRecord, 'skippedReasons' | 'error'> {
  skippedReasons: string;
  failure: string | null;
}

const PRUNE = sql`DELETE FROM run WHERE resource = ? AND id <= (
  SELECT id FROM run WHERE resource = ? ORDER BY id DESC LIMIT 1 OFFSET ${MAX_RUNS})`;

/** Runs without news: written with the next one that has some, or by {@link saveNotes}. */
const unsaved = perConnection(() => ({ runs: new Map<ResourceName, RunRecord>(), written: false }));

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

/** Clears what is known of the requests to another gateway. */
export function nameGateway(db: WritableDb, owner: string | null): void {
  const named = mirrorProperties.get(db, 'gateway');
  if (named === owner && owner !== null) return;
  for (const modelList of MODEL_LISTS) {
    unsaved(db).runs.delete(modelList);
    fetches.forget(db, modelList);
  }
  mirrorProperties.set(db, 'gateway', owner);
}

/** Notes a run that found nothing new without a write. Runs in a row become one. */
export function remember(db: Db, latest: RunRecord, to: ScheduleState): void {
  const { resource } = latest;
  const before = unsaved(db).runs.get(resource);
  unsaved(db).runs.set(resource, before ? joinRuns(before, latest) : latest);
  fetches.note(db, resource, to);
}

/** Saves also what was noted. Null leaves the schedule unchanged. */
export function record(db: WritableDb, latest: RunRecord, to: ScheduleState | null): void {
  saveNotes(db);
  if (to) fetches.put(db, latest.resource, to);
  addRun(db, latest);
}

export function hasNotes(db: Db): boolean {
  return fetches.hasNotes(db) || unsaved(db).runs.size > 0;
}

export function saveNotes(db: WritableDb): void {
  fetches.saveNotes(db);
  for (const noted of unsaved(db).runs.values()) saveQuietRun(db, noted);
  unsaved(db).written = true;
}

/** Call it at the end of a transaction: what it saved of the notes is forgotten if it was committed. */
export function endNotes(db: Db, isCommitted: boolean): void {
  fetches.endNotes(db, isCommitted);
  if (isCommitted && unsaved(db).written) unsaved(db).runs.clear();
  unsaved(db).written = false;
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
  const noted = unsaved(db).runs.get(resource);
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

function saveQuietRun(db: WritableDb, noted: RunRecord): void {
  const { resource, endedAt, requests } = noted;
  const { changes } = run(
    db,
    `UPDATE run SET ended_at = ?, requests = requests + ?
     WHERE id = (SELECT max(id) FROM run WHERE resource = ?) AND status = 'notModified' AND skipped = 0`,
    ...[endedAt, requests, resource],
  );
  if (changes === 0) addRun(db, noted);
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
