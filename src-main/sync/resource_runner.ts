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
import { dueAfterAnswer, dueAfterFailure, mayAsk, reanchored, wakeAt, type Urgency } from './schedule.ts';
import { syncSelected } from './selected.ts';
import type { Live } from './status.ts';

const STEPS: Record<ResourceName, (run: Run) => Promise<StepResult>> = {
  items: syncItems,
  selected: syncSelected,
};

/** What a resource reports that was not asked. */
export const NOT_DUE: ResourceReport = {
  status: 'notDue',
  requests: 0,
  added: 0,
  revised: 0,
  withdrawn: 0,
  skipped: 0,
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
  /** As the journal has them, read once: nobody else writes it, and a disk that is full must not undo a Retry-After. */
  #facts: ScheduleFacts | null;

  constructor(resource: ResourceName, ports: RunnerPorts) {
    this.#resource = resource;
    this.#ports = ports;
    this.#facts = ports.store.journal.facts(resource);
  }

  get live(): Live {
    return { running: this.#current !== null, progress: this.#progress };
  }

  /** When it was asked and is to be asked; null for a resource that never was. */
  get facts(): ScheduleFacts | null {
    if (this.#facts && this.#facts.askedAt > this.#ports.clock.now()) this.#reanchor(this.#facts);
    return this.#facts;
  }

  /** ms since 1970; in the past for a resource that was never asked. */
  get dueAt(): number {
    return wakeAt(this.facts);
  }

  /** Joins the run that is going on, if one is. Does not reject: a failure is in the report. */
  run(urgency: Urgency): Promise<ResourceReport> {
    if (this.#current) return this.#current;
    if (!mayAsk(this.facts, this.#ports.clock.now(), urgency)) return Promise.resolve(NOT_DUE);
    this.#current = this.#perform().finally(() => {
      this.#current = null;
      this.#progress = null;
      this.#ports.onState();
    });
    this.#ports.onState();
    return this.#current;
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
      this.#facts = this.#afterAnswer(result.lifetime);
      return this.#record(run, startedAt, { status: result.modified ? 'ok' : 'notModified', ...run.account });
    } catch (error) {
      return this.#fail(run, startedAt, explainStoreError(error));
    }
  }

  #fail(run: Run, startedAt: number, error: unknown): ResourceReport {
    const failure = toFailure(error);
    // A defect's stack belongs into the log; a failure is told in words.
    const trace = failure.code === 'internal' && error instanceof Error ? { trace: error.stack ?? error.message } : {};
    this.#ports.log('warn', failure.message, { resource: this.#resource, code: failure.code, ...trace });
    // Our own end is no fault of the service: the next start goes on where this one stopped.
    const isOurs = failure.code === 'aborted' || failure.code === 'closed';
    if (!isOurs) this.#facts = this.#afterFailure(error);
    return this.#record(run, startedAt, { status: 'failed', ...run.account, error: failure });
  }

  #afterAnswer(lifetime: number): ScheduleFacts {
    const now = this.#ports.clock.now();
    const dueAt = dueAfterAnswer(this.#resource, now, lifetime, Math.random());
    return { askedAt: now, answeredAt: now, lifetime, retryAfter: 0, dueAt, failures: 0, failure: null };
  }

  #afterFailure(error: unknown): ScheduleFacts {
    const now = this.#ports.clock.now();
    const retryAfter = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
    const failures = (this.#facts?.failures ?? 0) + 1;
    return {
      askedAt: now,
      answeredAt: this.#facts?.answeredAt ?? null,
      lifetime: 0,
      retryAfter,
      dueAt: dueAfterFailure(now, failures, retryAfter, Math.random()),
      failures,
      failure: toFailure(error),
    };
  }

  /** Written down, so that a short-lived process after this one does not wait anew. */
  #reanchor(facts: ScheduleFacts): void {
    const moved = reanchored(facts, this.#ports.clock.now());
    this.#facts = moved;
    this.#keep(() => {
      this.#ports.store.reschedule(this.#resource, moved);
    });
  }

  #record(run: Run, startedAt: number, report: ResourceReport): ResourceReport {
    const { store, clock } = this.#ports;
    const { skippedReasons } = run;
    if (report.skipped > 0) {
      const reasons = skippedReasons.join('; ');
      this.#ports.log('warn', 'Records that cannot be read were left out.', {
        resource: this.#resource,
        skipped: report.skipped,
        reasons,
      });
    }
    this.#keep(() => {
      store.record(
        { ...report, resource: this.#resource, startedAt, endedAt: clock.now(), skippedReasons },
        this.#facts,
      );
    });
    return report;
  }

  /** A journal that cannot be written (a full disk) must not hide what a run did. */
  #keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#ports.log('error', message, { resource: this.#resource, code });
    }
  }
}
