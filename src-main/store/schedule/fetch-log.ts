import type { Database } from 'better-sqlite3';
import type { Failure } from '../../contract/errors.ts';
import { MODEL_LISTS, type ResourceName } from '../../contract/model/resource.ts';
import type { ResourceResult } from '../../contract/model/sync-status.ts';
import type { Properties } from '../database/properties.ts';

const KEPT_RUNS = 200;

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
  readonly #facts;
  readonly #save;
  readonly #forget;
  readonly #addRun;
  readonly #prune;
  readonly #runs;

  /** @param mirror the properties of mirror.db */
  constructor(database: Database, mirror: Properties) {
    this.#mirror = mirror;
    this.#facts = database.prepare<[string], ScheduleRow>(
      `SELECT requested_at AS requestedAt, answered_at AS answeredAt, lifetime, retry_after AS retryAfter, due_at AS dueAt,
              failures, failure
       FROM fetchLog.schedule WHERE resource = ?`,
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
    this.#prune = database.prepare(
      `DELETE FROM fetchLog.run WHERE resource = ? AND id <= (
         SELECT id FROM fetchLog.run WHERE resource = ? ORDER BY id DESC LIMIT 1 OFFSET ${String(KEPT_RUNS)})`,
    );
    this.#runs = database.prepare<[string, number], Record<string, string | number | null>>(
      'SELECT * FROM fetchLog.run WHERE resource = ? ORDER BY id DESC LIMIT ?',
    );
  }

  facts(resource: ResourceName): ScheduleState | null {
    const row = this.#facts.get(resource);
    return row ? { ...row, failure: parseFailure(row.failure) } : null;
  }

  /** Within a transaction. Saves a schedule without a run, for example after the clock was set back. */
  reschedule(resource: ResourceName, facts: ScheduleState): void {
    this.#save.run(
      resource,
      facts.requestedAt,
      facts.answeredAt,
      facts.lifetime,
      facts.retryAfter,
      facts.dueAt,
      facts.failures,
      facts.failure && JSON.stringify(facts.failure),
    );
  }

  /** Within a transaction. Clears a resource's schedule, as if it had never been requested. Its runs stay. */
  forget(resource: ResourceName): void {
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
   * Within a transaction. Saves a run and the next schedule; null leaves the schedule unchanged. Only the newest 200
   * runs of a resource are kept.
   */
  record(run: RunRecord, facts: ScheduleState | null): void {
    if (facts) this.reschedule(run.resource, facts);
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
    return this.#runs.all(resource, limit).map(toRun);
  }
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
    skippedReasons: JSON.parse(String(row['skipped_reasons'])) as string[],
    ...(error && { error }),
  };
}

function parseFailure(text: string | null): Failure | null {
  return text === null ? null : (JSON.parse(text) as Failure);
}
