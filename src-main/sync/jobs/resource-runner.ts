import { ServiceError } from '../../clients/http/service-error.ts';
import type { NewsClient } from '../../clients/news/client.ts';
import { fromFailure, toFailure } from '../../contract/errors.ts';
import type { Emit } from '../../contract/events.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { ResourceResult, SyncProgress } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { ScheduleState, Store, WriteSummary } from '../../store/index.ts';
import { asTime } from '../../common/timestamp.ts';
import { stateAfterAnswer, stateAfterFailure } from '../schedule/schedule-state.ts';
import type { UserPriority } from '../engine/user-priority.ts';
import type { AskedGateway } from '../engine/gateway-source.ts';
import { Run, type JobResult } from './sync-context.ts';
import {
  reportsOf,
  isKeyRefusal,
  mayAsk,
  permittedAt,
  withClockCorrected,
  withPaceChanged,
  resumed,
  wakeAt,
  withAnotherKey,
  type Look,
  type Moment,
} from '../schedule/due-rules.ts';
import type { Pace, Urgency } from '../schedule/types.ts';
import { resourceOf, type Resource } from './registry.ts';
import type { Live } from '../engine/status.ts';

/** What a resource reports that was not asked. */
export const NOT_DUE: ResourceResult = {
  status: 'notDue',
  requests: 0,
  added: 0,
  revised: 0,
  withdrawn: 0,
  skipped: 0,
};

interface RunnerPorts {
  store: Store;
  news: NewsClient;
  clock: Clock;
  log: Log;
  emit: Emit;
  userPriority: UserPriority;
  /** How often the reader wants it. */
  pace(): Pace;
  /** For how many days unselected items are kept; null for ever. */
  keepDays(): number | null;
  /** The gateway that lists models; null without one: then the model lists sleep. */
  gateway(): AskedGateway | null;
  onWrite(summary: WriteSummary): void;
  /** Begin, progress and end of a run. */
  onState(): void;
}

/** Runs one resource: when it may be asked, its step, its record, and when it is due next. One run at a time. */
export class ResourceRunner {
  readonly #resource: ResourceName;
  readonly #ports: RunnerPorts;
  #current: Promise<ResourceResult> | null = null;
  #progress: SyncProgress | null = null;
  #attended = false;
  /** As the fetch log has them, read once: nobody else writes it, and a disk that is full must not undo a Retry-After. */
  #facts: ScheduleState | null;

  constructor(resource: ResourceName, ports: RunnerPorts) {
    this.#resource = resource;
    this.#ports = ports;
    this.#facts = ports.store.queries.schedule.facts(resource);
    // Nobody knows with which key that was: what one was refused is worth one question after each start.
    if (this.isRefused) this.markDue();
  }

  get live(): Live {
    return { running: this.#current !== null, progress: this.#progress };
  }

  /** When it was asked and is to be asked; null for a resource that never was. */
  get facts(): ScheduleState | null {
    if (this.#facts && this.#facts.requestedAt > this.#ports.clock.now()) this.#correctClock(this.#facts);
    return this.#facts;
  }

  /** ms since 1970; in the past for a resource that was never asked, Infinity for one that sleeps. */
  get dueAt(): number {
    if (!this.#step) return Infinity;
    return wakeAt(this.#resource, this.facts, this.#look);
  }

  /** From when on the cache rules permit to ask, in ms since 1970. */
  get permittedAt(): number {
    return permittedAt(this.facts);
  }

  /** ms that are left of a Retry-After. */
  get pauseLeft(): number {
    const { facts } = this;
    return facts ? Math.max(0, facts.requestedAt + facts.retryAfter - this.#ports.clock.now()) : 0;
  }

  /** Whether the page shows this resource now: then it is due sooner. */
  set attended(attended: boolean) {
    this.#attended = attended;
  }

  /** The service can be reached again: what only the network had failed is due. */
  resume(): void {
    if (this.facts) this.#facts = resumed(this.facts, this.#ports.clock.now());
  }

  /** The reader wants it more often, or less, from here on. */
  changePace(): void {
    if (this.facts) this.#facts = withPaceChanged(this.#resource, this.facts, this.#moment());
  }

  /** Whether it failed for its key, or for want of one. */
  get isRefused(): boolean {
    return isKeyRefusal(this.#resource, this.#facts?.failure?.code);
  }

  /** With another key, or perhaps another one, the resource is due at once, save for a Retry-After. */
  markDue(): void {
    if (this.facts) this.#facts = withAnotherKey(this.facts, this.#ports.clock.now());
  }

  /** What is known was of another gateway. The fetch log has been told already. */
  forget(): void {
    this.#facts = null;
  }

  /** Resolves once the run that is going on is over, if one is. */
  async settled(): Promise<void> {
    await this.#current;
  }

  /** Joins the run that is going on, if one is. Does not reject: a failure is in the report. */
  run(urgency: Urgency): Promise<ResourceResult> {
    if (this.#current) return this.#current;
    const step = this.#step;
    if (!step) return Promise.resolve(NOT_DUE);
    if (!this.#mayAsk(urgency)) return Promise.resolve(this.#notDue());
    this.#current = this.#perform(urgency, step).finally(() => {
      this.#current = null;
      this.#progress = null;
      this.#ports.onState();
    });
    this.#ports.onState();
    return this.#current;
  }

  /**
   * Sends what a reader waits for, beside the rounds. A Retry-After holds here as well, and one that comes holds for the
   * rounds too (document 1 section 7), unless it is of a service that was left meanwhile. Errors: what the service said when
   * it asked for patience; those of `send`.
   */
  async fetchOnDemand<T>(send: () => Promise<T>, isStillMeant = (): boolean => true): Promise<T> {
    const { facts } = this;
    const patience = facts?.failure && facts.requestedAt + facts.retryAfter > this.#ports.clock.now();
    if (patience && facts.failure) throw fromFailure(facts.failure);
    try {
      return await send();
    } catch (error) {
      const isPatience = error instanceof ServiceError && (error.retryAfterMs ?? 0) > 0;
      if (isPatience && isStillMeant()) this.#reschedule(this.#afterFailure(error));
      throw error;
    }
  }

  get #step(): ReturnType<Resource['job']> {
    return resourceOf(this.#resource).job(this.#ports.gateway());
  }

  get #look(): Look {
    return { attended: this.#attended, pace: this.#ports.pace() };
  }

  #mayAsk(urgency: Urgency): boolean {
    return mayAsk(this.#resource, this.facts, this.#ports.clock.now(), urgency, this.#look);
  }

  #notDue(): ResourceResult {
    return { ...NOT_DUE, permittedAt: asTime(this.permittedAt) };
  }

  async #perform(urgency: Urgency, step: (run: Run) => Promise<JobResult>): Promise<ResourceResult> {
    const { store, news, clock, emit, userPriority, keepDays, onWrite } = this.#ports;
    const startedAt = clock.now();
    const run = new Run({
      store,
      news,
      clock,
      urgency,
      emit,
      userPriority,
      keepDays: keepDays(),
      onWrite,
      onProgress: (progress) => {
        this.#progress = progress;
        this.#ports.onState();
      },
    });
    try {
      const result = await step(run);
      const before = { resource: this.#resource, facts: this.#facts };
      this.#facts = stateAfterAnswer(before, result, run.account.requests > 0, this.#moment());
      return this.#record(run, startedAt, { status: result.modified ? 'ok' : 'notModified', ...run.account });
    } catch (error) {
      return this.#fail(run, startedAt, error);
    }
  }

  #fail(run: Run, startedAt: number, error: unknown): ResourceResult {
    const failure = toFailure(error);
    // A defect's stack belongs into the log; a failure is told in words.
    const trace = failure.code === 'internal' && error instanceof Error ? { trace: error.stack ?? error.message } : {};
    this.#ports.log('warn', failure.message, { resource: this.#resource, code: failure.code, ...trace });
    // Our own end is no fault of the service: the next start goes on where this one stopped.
    const isOurs = failure.code === 'aborted' || failure.code === 'closed';
    if (!isOurs) this.#facts = this.#afterFailure(error);
    return this.#record(run, startedAt, { status: 'failed', ...run.account, error: failure });
  }

  #afterFailure(error: unknown): ScheduleState {
    return stateAfterFailure({ resource: this.#resource, facts: this.#facts }, error, this.#moment());
  }

  #moment(): Moment {
    const kind = reportsOf(this.#resource);
    const { clock, store, pace } = this.#ports;
    const newest = kind && store.queries.reports.newest(kind);
    return { now: clock.now(), chance: Math.random(), newest, pace: pace() };
  }

  /** Written down, so that a short-lived process after this one does not wait anew. */
  #correctClock(facts: ScheduleState): void {
    this.#reschedule(withClockCorrected(this.#resource, facts, this.#moment()));
  }

  #reschedule(facts: ScheduleState): void {
    this.#facts = facts;
    this.#keep(() => {
      this.#ports.store.transaction(({ schedule }) => {
        schedule.reschedule(this.#resource, facts);
      });
    });
  }

  #record(run: Run, startedAt: number, report: ResourceResult): ResourceResult {
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
      const record = { ...report, resource: this.#resource, startedAt, endedAt: clock.now(), skippedReasons };
      store.transaction(({ schedule }) => {
        schedule.record(record, this.#facts);
      });
    });
    return report;
  }

  /** A fetch log that cannot be written (a full disk) must not hide what a run did. */
  #keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#ports.log('error', message, { resource: this.#resource, code });
    }
  }
}
