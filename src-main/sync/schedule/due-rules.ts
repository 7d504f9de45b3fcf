import { LATEST_TIME } from '../../common/time.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import { isModelList, type ResourceName } from '../../contract/model/resource.ts';
import type { ScheduleState, Pause } from '../../store/index.ts';
import { ServiceError } from '../../clients/http/service-error.ts';
import { nextReportAt, nextCheckAt } from '../../common/publication-timetable.ts';
import { toFailure } from '../../contract/errors.ts';
import { backoffAfter, isNetworkFailure } from '../jobs/record-failures.ts';
import { resourceOf, type Rule } from '../jobs/registry.ts';
import type { JobResult, Urgency } from '../jobs/sync-context.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const FIRST_BACKOFF = 30 * SECOND;
const MAX_BACKOFF = 30 * MINUTE;
/** A changed key is used at once. */
const AFTER_REFUSAL = 6 * HOUR;
/** Added at random, so that clients don't all send requests in the same second. */
const JITTER = 0.1;

/** Times are in ms since 1970, `chance` is in [0, 1), `newest` the label of a report. */
export interface Moment {
  now: number;
  chance: number;
  newest: string | null;
}

/** The lifetime is the minimum interval (document 1 section 1), except for unfinished work. */
export function dueAfterAnswer(resource: ResourceName, result: Omit<JobResult, 'modified'>, moment: Moment): number {
  const { lifetime, again, spread = 0 } = result;
  const { now, chance, newest } = moment;
  const rule = ruleOf(resource);
  const worthAt =
    'report' in rule
      ? nextCheckAt(rule.report, now, newest, chance)
      : now + addJitter(Math.max(rule.every, lifetime), chance);
  // Readers who looked in the same seconds would otherwise all look again one lifetime later (docs/scale.md).
  const dueAt = cap(Math.max(worthAt, now + addJitter(lifetime, chance)));
  return again === undefined ? dueAt : Math.min(dueAt, now + again + Math.round(spread * chance));
}

/** Waits no longer than until the next index check, because a report may be out by then. A Retry-After is the minimum. */
export function dueAfterFailure(resource: ResourceName, failures: number, retryAfter: number, moment: Moment): number {
  const { now, chance, newest } = moment;
  const rule = ruleOf(resource);
  const backoff = now + addJitter(backoffAfter(failures, FIRST_BACKOFF, MAX_BACKOFF), chance);
  const nextCheck = 'report' in rule ? nextCheckAt(rule.report, now, newest, chance) : Infinity;
  return cap(Math.max(Math.min(backoff, nextCheck), now + addJitter(retryAfter, chance)));
}

/** Document 2 section 5. */
export function dueAfterRefusal(retryAfter: number, { now, chance }: Moment): number {
  return cap(now + addJitter(Math.max(AFTER_REFUSAL, retryAfter), chance));
}

interface Before {
  resource: ResourceName;
  state: ScheduleState | null;
}

/** If nothing had to be fetched (`wasFetched` is false), there was no response either. */
export function stateAfterAnswer(
  { resource, state }: Before,
  result: JobResult,
  wasFetched: boolean,
  moment: Moment,
): ScheduleState {
  const { now } = moment;
  const { lifetime } = result;
  const dueAt = dueAfterAnswer(resource, result, moment);
  const answeredAt = wasFetched ? now : (state?.answeredAt ?? null);
  return { requestedAt: now, answeredAt, lifetime, dueAt, failures: 0, failure: null };
}

export function stateAfterFailure({ resource, state }: Before, error: unknown, moment: Moment): ScheduleState {
  const retryAfter = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
  const failures = (state?.failures ?? 0) + 1;
  const failure = toFailure(error);
  return {
    requestedAt: moment.now,
    answeredAt: state?.answeredAt ?? null,
    lifetime: retryAfter,
    dueAt: isKeyRefusal(resource, failure.code)
      ? dueAfterRefusal(retryAfter, moment)
      : dueAfterFailure(resource, failures, retryAfter, moment),
    failures,
    failure,
  };
}

/** 0 for a resource that was never fetched. */
export function wakeAt(resource: ResourceName, state: ScheduleState | null, attended = false): number {
  if (state === null) return 0;
  const rule = ruleOf(resource);
  // The backoff after a failure also applies while the page shows the resource.
  const sooner = attended && state.failures === 0 && 'attended' in rule;
  const seenAt = sooner ? state.requestedAt + Math.max(rule.attended, state.lifetime) : Infinity;
  return Math.max(Math.min(state.dueAt, seenAt), retryAfterEnd(state));
}

/** Permits a manual refresh once the response has outlived its lifetime, or after a Retry-After (document 1 section 1). */
export function permittedAt(state: ScheduleState | null): number {
  return state === null ? 0 : state.requestedAt + state.lifetime;
}

export function retryAfterEnd(state: ScheduleState | null): number {
  return state === null || state.failures === 0 ? 0 : state.requestedAt + state.lifetime;
}

/** Document 1 section 7. */
export function mayFetch(
  resource: ResourceName,
  state: ScheduleState | null,
  now: number,
  urgency: Urgency,
  attended = false,
): boolean {
  if (state === null) return true;
  if (urgency === 'due') return now >= wakeAt(resource, state, attended);
  if (urgency === 'permitted') return now >= permittedAt(state);
  return now >= retryAfterEnd(state);
}

/** Moves times after the clock was set back; durations stay. A report check is computed again: it is a time of day. */
export function withClockCorrected(
  resource: ResourceName,
  state: ScheduleState,
  { now, chance }: Moment,
): ScheduleState {
  if (state.requestedAt <= now) return state;
  const shift = state.requestedAt - now;
  const dueAt = state.dueAt - shift;
  const rule = ruleOf(resource);
  return {
    ...state,
    requestedAt: now,
    answeredAt: state.answeredAt === null ? null : Math.min(state.answeredAt, now),
    dueAt: 'report' in rule ? Math.min(dueAt, nextReportAt(rule.report, now, chance)) : dueAt,
  };
}

/** Keeps a Retry-After, which applies although the network is back. */
export function resume(state: ScheduleState, now: number): ScheduleState {
  return isNetworkFailure(state.failure?.code) ? { ...state, dueAt: Math.min(state.dueAt, now) } : state;
}

export function withAnotherKey(state: ScheduleState, now: number): ScheduleState {
  const lifetime = state.failures > 0 ? state.lifetime : 0;
  return { ...state, lifetime, dueAt: Math.min(state.dueAt, now) };
}

export function isKeyRefusal(resource: ResourceName, code: string | undefined): boolean {
  return isModelList(resource) && (code === 'unauthorized' || code === 'forbidden');
}

export function reportsOf(resource: ResourceName): ReportKind | null {
  const rule = ruleOf(resource);
  return 'report' in rule ? rule.report : null;
}

function ruleOf(resource: ResourceName): Rule {
  return resourceOf(resource).rule;
}

/** A service may send any number as a lifetime or a Retry-After. */
function cap(at: number): number {
  return Math.min(at, LATEST_TIME);
}

export function addJitter(span: number, chance: number): number {
  return Math.round(span * (1 + JITTER * chance));
}

/** Null once the pause is over. If the clock was set back, the pause moves back, so that an hour doesn't become a year. */
export function pauseAt(pause: Pause | null, now: number): Pause | null {
  if (pause === null || pause.until === null) return pause;
  if (now < pause.since) return { since: now, until: pause.until - (pause.since - now) };
  return now < pause.until ? pause : null;
}
