import { toFailure } from '../../contract/errors.ts';
import { isModelList, type ResourceName } from '../../contract/model/resource.ts';
import type { ResourceResult, SyncProgress } from '../../contract/model/sync-status.ts';
import { countOf } from '../../common/numbers.ts';
import { nextPublication } from '../../common/publication-timetable.ts';
import type { Log } from '../../contract/ports.ts';
import type { RunRecord, ScheduleState } from '../../store/index.ts';
import { asTime } from '../../common/time.ts';
import type { Activity } from '../engine/activity.ts';
import type { CurrentGateway } from '../engine/services.ts';
import {
  reportsOf,
  isKeyRefusal,
  mayFetch,
  permittedAt,
  retryAfterEnd,
  withClockCorrected,
  resume,
  stateAfterAnswer,
  stateAfterFailure,
  wakeAt,
  withAnotherKey,
  type Moment,
} from '../schedule/due-rules.ts';
import { Resumption } from '../schedule/service-gates.ts';
import type { ServiceTime } from '../schedule/service-time.ts';
import { resourceOf, type Job } from './registry.ts';
import { isMoreUrgent, SyncContext, type SyncContextOptions, type Urgency } from './sync-context.ts';

export const NOT_DUE: ResourceResult = {
  status: 'notDue',
  requests: 0,
  added: 0,
  revised: 0,
  withdrawn: 0,
  skipped: 0,
};

export interface Live {
  running: boolean;
  progress: SyncProgress | null;
}

interface RunnerPorts extends Omit<SyncContextOptions, 'urgency' | 'keepDays'> {
  gatewayTime(): ServiceTime;
  pausedUntil(resource: ResourceName): number;
  log: Log;
  activity: Activity;
  keepDays(): number | null;
  gateway(): CurrentGateway | null;
  onState(): void;
}

/** Runs the sync of one resource, one run at a time. */
export class ResourceRunner {
  readonly #resource: ResourceName;
  readonly #ports: RunnerPorts;
  #current: Promise<ResourceResult> | null = null;
  #urgency: Urgency = 'due';
  #progress: SyncProgress | null = null;
  unanswered = 0;
  attended = false;
  readonly #resumption: Resumption;
  /** Cached: nothing else writes it, and a full disk must not cancel a Retry-After. */
  #state: ScheduleState | null;

  constructor(resource: ResourceName, ports: RunnerPorts) {
    this.#resource = resource;
    this.#ports = ports;
    this.#resumption = new Resumption(resource);
    this.#state = ports.store.queries.schedule.state(resource);
    // The key of the last run is unknown: after each start a list that was refused is worth one request.
    if (this.isRefused) this.markDue();
  }

  get live(): Live {
    return { running: this.#current !== null, progress: this.#progress };
  }

  get state(): ScheduleState | null {
    if (this.#state && this.#state.requestedAt > this.#ports.clock.now()) this.#correctClock(this.#state);
    return this.#state;
  }

  get dueAt(): number {
    if (!this.#job) return Infinity;
    return Math.max(wakeAt(this.#resource, this.state, this.attended), this.#resumesAt);
  }

  get permittedAt(): number {
    return Math.max(permittedAt(this.state), this.#pausedUntil);
  }

  resume(): void {
    if (this.state) this.#state = resume(this.state, this.#ports.clock.now());
  }

  get isRefused(): boolean {
    return isKeyRefusal(this.#resource, this.#state?.failure?.code);
  }

  /** Also that of a rebuild, which is not a run. */
  showProgress(progress: SyncProgress | null): void {
    this.#progress = progress;
    if (progress) this.#ports.onProgress(progress);
    else this.#ports.onState();
  }

  markDue(): void {
    if (this.state) this.#state = withAnotherKey(this.state, this.#ports.clock.now());
  }

  /** The saved schedule must already be cleared. */
  forget(): void {
    this.#state = null;
  }

  async whenSettled(): Promise<void> {
    await this.#current;
  }

  /** Joins a run at least as urgent, and follows one less so. Never rejects: failures are in the result. */
  async run(urgency: Urgency): Promise<ResourceResult> {
    while (this.#current && isMoreUrgent(urgency, this.#urgency)) await this.#current;
    return this.#current ?? this.#start(urgency);
  }

  #start(urgency: Urgency): Promise<ResourceResult> {
    const job = this.#job;
    if (!job) return Promise.resolve(NOT_DUE);
    if (!this.#mayFetch(urgency)) return Promise.resolve(this.#notDue());
    const { activity, onState } = this.#ports;
    this.#urgency = urgency;
    this.#current = this.#perform(urgency, job).finally(() => {
      this.#current = null;
      this.#progress = null;
      activity.running.delete(this.#resource);
      onState();
    });
    activity.running.add(this.#resource);
    onState();
    return this.#current;
  }

  get #pausedUntil(): number {
    return this.#ports.pausedUntil(this.#resource);
  }

  /** Polling continues right after a pause for what the page shows, and for what was never fetched. */
  get #resumesAt(): number {
    const until = this.#pausedUntil;
    if (this.attended || this.#state === null) return until;
    return this.#resumption.after(until, this.#ports.clock.now(), Math.random);
  }

  get #job(): Job | null {
    return resourceOf(this.#resource).job(this.#ports.gateway());
  }

  #mayFetch(urgency: Urgency): boolean {
    const now = this.#ports.clock.now();
    const from = urgency === 'due' ? this.#resumesAt : this.#pausedUntil;
    return now >= from && mayFetch(this.#resource, this.state, now, urgency, this.attended);
  }

  #notDue(): ResourceResult {
    const end = Math.max(this.#pausedUntil, retryAfterEnd(this.state));
    const waitUntil = end > this.#ports.clock.now() ? asTime(end) : null;
    return { ...NOT_DUE, permittedAt: asTime(this.permittedAt), ...(waitUntil !== null && { waitUntil }) };
  }

  async #perform(urgency: Urgency, job: Job): Promise<ResourceResult> {
    const { store, clock, keepDays, serviceTime, gatewayTime } = this.#ports;
    const startedAt = clock.now();
    const context = new SyncContext({
      ...this.#ports,
      serviceTime: isModelList(this.#resource) ? gatewayTime() : serviceTime,
      urgency,
      keepDays: keepDays(),
      onProgress: (progress) => this.showProgress(progress),
    });
    try {
      const done = await job(context);
      const before = { resource: this.#resource, state: this.#state };
      const state = stateAfterAnswer(before, done, context.account.requests > context.unanswered, this.#moment());
      this.#state = state;
      const result: ResourceResult = { status: done.modified ? 'ok' : 'notModified', ...context.account };
      // Kept in memory without news: a kill costs one conditional request (docs/decisions/188).
      const isInMemory = isQuiet(result) && before.state?.failures === 0;
      if (isInMemory) store.remember(this.#toRecord(context, startedAt, result), state);
      else this.#record(context, startedAt, result);
      return result;
    } catch (error) {
      return this.#fail(context, startedAt, error);
    } finally {
      this.unanswered = context.unanswered;
    }
  }

  #fail(context: SyncContext, startedAt: number, error: unknown): ResourceResult {
    const failure = toFailure(error);
    const trace = failure.code === 'internal' && error instanceof Error ? { trace: error.stack ?? error.message } : {};
    // Closing Broadsheet is not a failure of the service.
    const isOurs = failure.code === 'aborted' || failure.code === 'closed';
    const level = isOurs ? 'info' : 'warn';
    this.#ports.log(level, failure.message, { resource: this.#resource, code: failure.code, ...trace });
    if (!isOurs) this.#state = this.#afterFailure(error);
    const result: ResourceResult = { status: 'failed', ...context.account, error: failure };
    this.#record(context, startedAt, result);
    return result;
  }

  #afterFailure(error: unknown): ScheduleState {
    return stateAfterFailure({ resource: this.#resource, state: this.#state }, error, this.#moment());
  }

  #moment(): Moment {
    const kind = reportsOf(this.#resource);
    const { clock, store, serviceTime } = this.#ports;
    const newest = kind && store.queries.reports.newest(kind, nextPublication(kind, serviceTime.now).label);
    return { now: clock.now(), chance: Math.random(), newest };
  }

  /** Saves, so that the next short-lived process doesn't start the backoff over. */
  #correctClock(state: ScheduleState): void {
    this.#reschedule(withClockCorrected(this.#resource, state, this.#moment()));
  }

  #reschedule(state: ScheduleState): void {
    this.#state = state;
    this.#writeLog(() => {
      this.#ports.store.transaction(({ fetches }) => {
        fetches.put(this.#resource, state);
      });
    });
  }

  #record(context: SyncContext, startedAt: number, result: ResourceResult): void {
    this.#logUnread(context);
    const record = this.#toRecord(context, startedAt, result);
    this.#writeLog(() => {
      this.#ports.store.transaction(({ schedule }) => {
        schedule.record(record, this.#state);
      });
    });
  }

  #toRecord({ skippedReasons }: SyncContext, startedAt: number, result: ResourceResult): RunRecord {
    return { ...result, resource: this.#resource, startedAt, endedAt: this.#ports.clock.now(), skippedReasons };
  }

  #logUnread({ account, repeated, skippedReasons }: SyncContext): void {
    const { log } = this.#ports;
    const { skipped, missed = 0, unreadableFields = 0 } = account;
    const what = skipped > 0 ? countOf(skipped, 'record') : countOf(unreadableFields, 'field');
    const until =
      skipped > 0 && skipped === missed
        ? 'that could not be downloaded, until a later sync can'
        : "that can't be read, until the service corrects that";
    const fields = { resource: this.#resource, reason: skippedReasons.join('; ') };
    if (skipped + unreadableFields > 0) log('warn', `Left out ${what} ${until}`, fields);
    if (repeated > 0) log('info', 'Left out repetitions', { resource: this.#resource, repeated });
  }

  #writeLog(write: () => void): void {
    try {
      write();
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#ports.log('error', message, { resource: this.#resource, code });
    }
  }
}

function isQuiet({ status, skipped, unreadableFields = 0, added, revised, withdrawn }: ResourceResult): boolean {
  return status === 'notModified' && skipped + unreadableFields + added + revised + withdrawn === 0;
}
