import type { Database } from 'better-sqlite3';
import type { Failure } from '../../contract/errors.ts';
import { MODEL_LISTS, type ResourceName } from '../../contract/model/resource.ts';
import type { ResourceResult } from '../../contract/model/sync-status.ts';
import type { Properties } from '../database/properties.ts';

const KEPT_RUNS = 200;

/** What is known of when a resource was asked. Times are ms since 1970, spans ms. */
export interface ScheduleState {
  askedAt: number;
  answeredAt: number | null;
  /** How long the last answer is good for. */
  lifetime: number;
  /** How long the service asked for patience, from `askedAt`. */
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

/** The tables `schedule` and `run` of fetch-log.db: when each resource was asked, and what came of it. Writing is for transactions. */
export class FetchLog {
  readonly #mirror: Properties;
  readonly #facts;
  readonly #save;
  readonly #forget;
  readonly #addRun;
  readonly #prune;
  readonly #runs;

  /** @param mirror the properties of the mirror */
  constructor(database: Database, mirror: Properties) {
    this.#mirror = mirror;
    this.#facts = database.prepare<[string], ScheduleRow>(
      `SELECT asked_at AS askedAt, answered_at AS answeredAt, lifetime, retry_after AS retryAfter, due_at AS dueAt,
              failures, failure
       FROM fetchLog.schedule WHERE resource = ?`,
    );
    this.#save = database.prepare(
      `INSERT OR REPLACE INTO fetchLog.schedule
         (resource, asked_at, answered_at, lifetime, retry_after, due_at, failures, failure)
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

  /** When a resource is due, by itself: where the clock was set back. Within a transaction. */
  reschedule(resource: ResourceName, facts: ScheduleState): void {
    this.#save.run(
      resource,
      facts.askedAt,
      facts.answeredAt,
      facts.lifetime,
      facts.retryAfter,
      facts.dueAt,
      facts.failures,
      facts.failure && JSON.stringify(facts.failure),
    );
  }

  /** Within a transaction: as if the resource had never been asked. Its runs stay. */
  forget(resource: ResourceName): void {
    this.#forget.run(resource);
  }

  /**
   * Within a transaction: says whose model lists the log speaks of from here on. What it has of another gateway goes; in a new
   * mirror, which names none yet, a Retry-After stays. Null is no gateway.
   */
  nameGateway(owner: string | null): void {
    const named = this.#mirror.get('gateway');
    if (named === owner && owner !== null) return;
    if (named !== null || owner === null) for (const modelList of MODEL_LISTS) this.forget(modelList);
    this.#mirror.set('gateway', owner);
  }

  /**
   * What a run did and when the next one is due, within a transaction; no facts leave that as it was. The newest 200 runs of
   * a resource are kept.
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
