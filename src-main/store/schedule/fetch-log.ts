import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { ERROR_CODES, FAILURE_REASONS, type Failure } from '../../contract/errors.ts';
import { MODEL_LISTS, type ResourceName } from '../../contract/model/resource.ts';
import type { ResourceResult } from '../../contract/model/sync-status.ts';
import { logSchema } from '../database/corruption.ts';
import type { Properties } from '../database/properties.ts';
import { readStored } from '../database/stored-json.ts';
import type { PendingLog } from './pending-log.ts';

const KEPT_RUNS = 200;

const FAILURE = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  retryable: z.boolean(),
  requestId: z.string().exactOptional(),
  reason: z.enum(FAILURE_REASONS).exactOptional(),
});

/** When a resource was requested and when it is due. Times are ms since 1970, durations are in ms. */
export interface ScheduleState {
  requestedAt: number;
  answeredAt: number | null;
  /** How long the last response stays fresh. */
  lifetime: number;
  /** The service's Retry-After, counted from `requestedAt`. */
  retryAfter: number;
  dueAt: number;
  failures: number;
  failure: Failure | null;
}

/** A Retry-After of a whole service: `span` ms from `since`, which is in ms since 1970. */
export interface ServicePause {
  since: number;
  span: number;
}

export interface RunRecord extends ResourceResult {
  resource: ResourceName;
  startedAt: number;
  endedAt: number;
  skippedReasons: string[];
}

interface ScheduleRow extends Omit<ScheduleState, 'failure'> {
  failure: string | null;
}

/**
 * The tables `schedule` and `run` of fetch-log.db: when each resource was requested, with what result. Call writing
 * methods within a transaction.
 */
export class FetchLog {
  readonly #mirror: Properties;
  readonly #pending: PendingLog;
  /** What {@link remember} noted and is not saved yet, by resource. */
  readonly #remembered = new Map<ResourceName, { run: RunRecord; state: ScheduleState }>();
  readonly #selectState;
  readonly #save;
  readonly #forget;
  readonly #addRun;
  readonly #extendRun;
  readonly #prune;
  readonly #runs;
  readonly #servicePause;
  readonly #pauseService;
  readonly #endPauses;

  /** @param mirror the properties of mirror.db */
  constructor(database: Database, mirror: Properties, pending: PendingLog) {
    this.#mirror = mirror;
    this.#pending = pending;
    const log = logSchema(database);
    this.#selectState = database.prepare<[string], ScheduleRow>(
      `SELECT requested_at AS requestedAt, answered_at AS answeredAt, lifetime, retry_after AS retryAfter, due_at AS dueAt,
              failures, failure
       FROM ${log}.schedule WHERE resource = ?`,
    );
    this.#save = database.prepare(
      `INSERT OR REPLACE INTO fetchLog.schedule
         (resource, requested_at, answered_at, lifetime, retry_after, due_at, failures, failure)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#forget = database.prepare<[string]>('DELETE FROM fetchLog.schedule WHERE resource = ?');
    this.#addRun = database.prepare(
      `INSERT INTO fetchLog.run (resource, started_at, ended_at, status, requests, added, revised, withdrawn, skipped,
                                skipped_reasons, failure)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    // Only the newest run of the resource, and only if it found nothing new either.
    this.#extendRun = database.prepare<[number, number, string]>(
      `UPDATE fetchLog.run SET ended_at = ?, requests = requests + ?
       WHERE id = (SELECT max(id) FROM fetchLog.run WHERE resource = ?) AND status = 'notModified' AND skipped = 0`,
    );
    this.#prune = database.prepare(
      `DELETE FROM fetchLog.run WHERE resource = ? AND id <= (
         SELECT id FROM fetchLog.run WHERE resource = ? ORDER BY id DESC LIMIT 1 OFFSET ${String(KEPT_RUNS)})`,
    );
    this.#runs = database.prepare<[string, number], Record<string, string | number | null>>(
      `SELECT * FROM ${log}.run WHERE resource = ? ORDER BY id DESC LIMIT ?`,
    );
    this.#servicePause = database.prepare<[string], ServicePause>(
      `SELECT since, span FROM ${log}.service_pause WHERE service = ?`,
    );
    this.#pauseService = database.prepare<[string, number, number]>(
      'INSERT OR REPLACE INTO fetchLog.service_pause (service, since, span) VALUES (?, ?, ?)',
    );
    this.#endPauses = database.prepare<[number]>('DELETE FROM fetchLog.service_pause WHERE since + span < ?');
  }

  /** The latest pause of a service, which may be over; null if none is saved. */
  servicePause(service: string): ServicePause | null {
    return this.#servicePause.get(service) ?? null;
  }

  /** Within a transaction. Saves the pause of a service, and deletes those that are over at `now` (ms since 1970). */
  pauseService(service: string, { since, span }: ServicePause, now: number): void {
    this.#endPauses.run(now);
    this.#pauseService.run(service, since, span);
  }

  state(resource: ResourceName): ScheduleState | null {
    const remembered = this.#remembered.get(resource);
    if (remembered) return remembered.state;
    const row = this.#selectState.get(resource);
    return row ? { ...row, failure: parseFailure(row.failure) } : null;
  }

  /** Within a transaction. Saves a schedule without a run, for example after the clock was set back. */
  reschedule(resource: ResourceName, state: ScheduleState): void {
    const remembered = this.#remembered.get(resource);
    if (remembered) this.#remembered.set(resource, { ...remembered, state });
    this.#saveState(resource, state);
  }

  #saveState(resource: ResourceName, state: ScheduleState): void {
    this.#save.run(
      resource,
      state.requestedAt,
      state.answeredAt,
      state.lifetime,
      state.retryAfter,
      state.dueAt,
      state.failures,
      state.failure && JSON.stringify(state.failure),
    );
  }

  /** Within a transaction. Clears a resource's schedule, as if it had never been requested. Its runs stay. */
  forget(resource: ResourceName): void {
    this.#remembered.delete(resource);
    this.#pending.drop(nameOf(resource));
    this.#forget.run(resource);
  }

  /**
   * Within a transaction. Sets the gateway that the schedules of the model lists belong to; null for none. Schedules of
   * another gateway are cleared. In a new mirror, which has no gateway name yet, a Retry-After stays.
   */
  nameGateway(owner: string | null): void {
    const named = this.#mirror.get('gateway');
    if (named === owner && owner !== null) return;
    if (named !== null || owner === null) for (const modelList of MODEL_LISTS) this.forget(modelList);
    this.#mirror.set('gateway', owner);
  }

  /**
   * Notes a run that found nothing new, and the next schedule. They are saved with the next {@link record} of any
   * resource, or by `Store.saveLog`. Runs in a row become one, from the start of the first to the end of the last.
   */
  remember(run: RunRecord, state: ScheduleState): void {
    const { resource } = run;
    const before = this.#remembered.get(resource);
    this.#remembered.set(resource, { run: before ? joined(before.run, run) : run, state });
    this.#pending.put(nameOf(resource), () => {
      this.#saveRemembered(resource);
    });
  }

  /**
   * Within a transaction. Saves a run and the next schedule; null leaves the schedule unchanged. Only the newest 200
   * runs of a resource are kept. What was remembered is saved, too.
   */
  record(run: RunRecord, state: ScheduleState | null): void {
    this.#pending.write();
    if (state) this.#saveState(run.resource, state);
    this.#add(run);
  }

  /** After a commit that saved what was remembered. */
  clearRemembered(): void {
    this.#remembered.clear();
  }

  #saveRemembered(resource: ResourceName): void {
    const remembered = this.#remembered.get(resource);
    if (!remembered) return;
    const { run, state } = remembered;
    this.#saveState(resource, state);
    if (this.#extendRun.run(run.endedAt, run.requests, resource).changes === 0) this.#add(run);
  }

  #add(run: RunRecord): void {
    this.#addRun.run(
      run.resource,
      run.startedAt,
      run.endedAt,
      run.status,
      run.requests,
      run.added,
      run.revised,
      run.withdrawn,
      run.skipped,
      JSON.stringify(run.skippedReasons),
      run.error ? JSON.stringify(run.error) : null,
    );
    this.#prune.run(run.resource, run.resource);
  }

  /** Newest first. */
  runs(resource: ResourceName, limit: number): RunRecord[] {
    const saved = this.#runs.all(resource, limit).map(toRun);
    const run = this.#remembered.get(resource)?.run;
    if (!run) return saved;
    const [newest, ...others] = saved;
    const runs = newest && isQuiet(newest) ? [joined(newest, run), ...others] : [run, ...saved];
    return runs.slice(0, limit);
  }
}

function nameOf(resource: ResourceName): string {
  return `schedule ${resource}`;
}

function isQuiet({ status, skipped, skippedReasons }: RunRecord): boolean {
  return status === 'notModified' && skipped === 0 && skippedReasons.length === 0;
}

function joined(first: RunRecord, last: RunRecord): RunRecord {
  return { ...first, endedAt: last.endedAt, requests: first.requests + last.requests };
}

function toRun(row: Record<string, string | number | null>): RunRecord {
  const error = parseFailure(row['failure'] as string | null);
  return {
    resource: row['resource'] as ResourceName,
    startedAt: Number(row['started_at']),
    endedAt: Number(row['ended_at']),
    status: row['status'] as RunRecord['status'],
    requests: Number(row['requests']),
    added: Number(row['added']),
    revised: Number(row['revised']),
    withdrawn: Number(row['withdrawn']),
    skipped: Number(row['skipped']),
    skippedReasons: readStored(String(row['skipped_reasons']), z.array(z.string())) ?? [],
    ...(error && { error }),
  };
}

function parseFailure(text: string | null): Failure | null {
  return readStored<Failure>(text, FAILURE);
}
