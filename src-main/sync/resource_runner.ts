import { ServiceError } from '../clients/service_error.ts';
import type { NewsClient } from '../clients/news.ts';
import { toFailure } from '../contract/errors.ts';
import type { ResourceName, ResourceReport, SyncProgress } from '../contract/model.ts';
import type { Clock, Log } from '../contract/ports.ts';
import { explainStoreError } from '../store/errors.ts';
import type { ScheduleFacts } from '../store/journal.ts';
import type { StoreWriter, WriteSummary } from '../store/writer.ts';
import { syncItems } from './items.ts';
import { Run, type StepResult } from './run.ts';
import { dueAfterAnswer, dueAfterFailure, mayAsk, reanchored, type Urgency } from './schedule.ts';
import { syncSelected } from './selected.ts';
import type { Live } from './status.ts';

const STEPS: Record<ResourceName, (run: Run) => Promise<StepResult>> = {
  items: syncItems,
  selected: syncSelected,
};

interface RunnerPorts {
  store: StoreWriter;
  news: NewsClient;
  clock: Clock;
  log: Log;
  onWrite(summary: WriteSummary): void;
  /** Begin, progress and end of a run. */
  onState(): void;
}

/** Runs one resource: when it may be asked, its step, its record, and when it is due next. One run at a time. */
export class ResourceRunner {
  readonly #resource: ResourceName;
  readonly #ports: RunnerPorts;
  #current: Promise<ResourceReport> | null = null;
  #progress: SyncProgress | null = null;
  /** Stands in for the journal where that is not to be trusted: it could not be written, or is of a clock since set back. */
  #kept: ScheduleFacts | null = null;

  constructor(resource: ResourceName, ports: RunnerPorts) {
    this.#resource = resource;
    this.#ports = ports;
  }

  get live(): Live {
    return { running: this.#current !== null, progress: this.#progress };
  }

  /** ms since 1970; in the past for a resource that was never asked. */
  get dueAt(): number {
    return this.#facts()?.dueAt ?? 0;
  }

  /** Joins the run that is going on, if one is. Does not reject: a failure is in the report. */
  run(urgency: Urgency): Promise<ResourceReport> {
    if (this.#current) return this.#current;
    if (!mayAsk(this.#facts(), this.#ports.clock.now(), urgency)) {
      return Promise.resolve({ status: 'notDue', requests: 0, added: 0, revised: 0, withdrawn: 0, skipped: 0 });
    }
    this.#current = this.#perform().finally(() => {
      this.#current = null;
      this.#progress = null;
      this.#ports.onState();
    });
    this.#ports.onState();
    return this.#current;
  }

  async settled(): Promise<void> {
    await this.#current;
  }

  async #perform(): Promise<ResourceReport> {
    const { store, news, clock, onWrite } = this.#ports;
    const startedAt = clock.now();
    const run = new Run({
      store,
      news,
      onWrite,
      onProgress: (progress) => {
        this.#progress = progress;
        this.#ports.onState();
      },
    });
    try {
      const result = await STEPS[this.#resource](run);
      const report: ResourceReport = { status: result.modified ? 'ok' : 'notModified', ...run.account };
      return this.#record(run, report, startedAt, this.#answered(startedAt, result.lifetime));
    } catch (error) {
      return this.#fail(run, startedAt, explainStoreError(error));
    }
  }

  #fail(run: Run, startedAt: number, error: unknown): ResourceReport {
    const failure = toFailure(error);
    const report: ResourceReport = { status: 'failed', ...run.account, error: failure };
    const { log } = this.#ports;
    // A defect's stack belongs into the log; a failure is told in words.
    const trace = failure.code === 'internal' && error instanceof Error ? { trace: error.stack ?? error.message } : {};
    log('warn', failure.message, { resource: this.#resource, code: failure.code, ...trace });
    // Our own end is no fault of the service: the next start goes on where this one stopped.
    if (failure.code === 'aborted' || failure.code === 'closed') return report;
    const retryAfter = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
    const before = this.#facts();
    const failures = (before?.failures ?? 0) + 1;
    const now = this.#ports.clock.now();
    return this.#record(run, report, startedAt, {
      askedAt: now,
      answeredAt: before?.answeredAt ?? null,
      lifetime: 0,
      retryAfter,
      dueAt: dueAfterFailure(now, failures, retryAfter, Math.random()),
      failures,
      failure,
    });
  }

  #answered(startedAt: number, lifetime: number): ScheduleFacts {
    const now = this.#ports.clock.now();
    return {
      askedAt: startedAt,
      answeredAt: now,
      lifetime,
      retryAfter: 0,
      dueAt: dueAfterAnswer(this.#resource, now, lifetime, Math.random()),
      failures: 0,
      failure: null,
    };
  }

  /** A record that cannot be written (a full disk) must not hide what the run did. */
  #record(run: Run, report: ResourceReport, startedAt: number, facts: ScheduleFacts): ResourceReport {
    const { store, clock, log } = this.#ports;
    const record = { ...report, resource: this.#resource, startedAt, endedAt: clock.now(), skippedReasons: run.skippedReasons };
    try {
      store.record(record, facts);
      this.#kept = null;
    } catch (error) {
      this.#kept = facts;
      log('error', toFailure(error).message, { resource: this.#resource, code: toFailure(error).code });
    }
    return report;
  }

  #facts(): ScheduleFacts | null {
    const facts = this.#kept ?? this.#ports.store.journal.facts(this.#resource);
    const now = this.#ports.clock.now();
    if (facts && facts.askedAt > now) this.#kept = reanchored(facts, now);
    return this.#kept ?? facts;
  }
}
