import { LATEST_TIME } from '../../common/timestamp.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import { isModelList, type ResourceName } from '../../contract/model/resource.ts';
import type { ScheduleState } from '../../store/index.ts';
import { nextReportAt, nextCheckAt, nextRoutineAt } from '../../common/publication-timetable.ts';
import { isNetworkFailure } from '../jobs/record-failures.ts';
import { resourceOf } from '../jobs/registry.ts';
import type { Pace, Rule, Urgency } from './types.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const FIRST_BACKOFF = 30 * SECOND;
const LONGEST_BACKOFF = 30 * MINUTE;
/** Minimum delay after a rejected key. A changed key is used at once. */
const AFTER_REFUSAL = 6 * HOUR;
/** Up to a tenth is added at random, so that clients don't all send requests in the same second. */
const JITTER = 0.1;
/** Factor for the setting `seldom`. */
const SELDOM = 4;

/** Inputs of a rule other than a resource's schedule state. Times and durations in ms. */
export interface Moment {
  now: number;
  /** In [0, 1). */
  chance: number;
  /** For report resources: label of the newest saved report. */
  newest: string | null;
  /** Default `usual`. */
  pace?: Pace;
}

/** `attended`: the page shows the resource. `pace` is the polling setting. */
export interface PollingContext {
  attended?: boolean;
  pace?: Pace;
}

/** The parts of a response that decide when the next fetch is due. */
export interface AnswerTerms {
  /** Lifetime of the response: the minimum interval (document 1 section 1). */
  lifetime: number;
  /** Delay until a job's unfinished work continues, for which the lifetime is no minimum. In ms. */
  again?: number | undefined;
  /** Up to this many ms are added to `again` at random. */
  spread?: number | undefined;
}

/** When to fetch next after a response. */
export function dueAfterAnswer(resource: ResourceName, terms: AnswerTerms, moment: Moment): number {
  const { lifetime, again, spread = 0 } = terms;
  const { now, chance } = moment;
  const rule = ruleOf(resource);
  const worthAt =
    'report' in rule
      ? checkAt(rule.report, moment)
      : now + jittered(Math.max(rule.every * stretch(moment.pace), lifetime), chance);
  // Readers who looked in the same seconds would otherwise all look again one lifetime later (docs/scale.md).
  const dueAt = within(Math.max(worthAt, now + jittered(lifetime, chance)));
  return again === undefined ? dueAt : Math.min(dueAt, now + again + Math.round(spread * chance));
}

/**
 * When to fetch next after the `failures`th failure in a row: the delay doubles, but doesn't pass the next index check,
 * because a report may be out by then. A Retry-After is the minimum.
 */
export function dueAfterFailure(resource: ResourceName, failures: number, retryAfter: number, moment: Moment): number {
  const { now, chance } = moment;
  const rule = ruleOf(resource);
  const backoff = now + jittered(Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1)), chance);
  const nextCheck = 'report' in rule ? checkAt(rule.report, moment) : Infinity;
  return within(Math.max(Math.min(backoff, nextCheck), now + jittered(retryAfter, chance)));
}

/** When to try a gateway again that rejects this key (document 2 section 5). */
export function dueAfterRefusal(retryAfter: number, { now, chance }: Moment): number {
  return within(now + jittered(Math.max(AFTER_REFUSAL, retryAfter), chance));
}

/** When a resource is due next; 0 for one that was never fetched. */
export function wakeAt(
  resource: ResourceName,
  state: ScheduleState | null,
  { attended = false, pace }: PollingContext = {},
): number {
  if (state === null) return 0;
  const rule = ruleOf(resource);
  // The backoff after a failure also applies while the page shows the resource.
  const sooner = attended && state.failures === 0 && 'attended' in rule;
  const seenAt = sooner ? state.requestedAt + Math.max(rule.attended * stretch(pace), state.lifetime) : Infinity;
  return Math.max(Math.min(state.dueAt, seenAt), retryAfterEnd(state));
}

/** When a manual refresh may fetch: once the response has outlived its lifetime (document 1 section 1). */
export function permittedAt(state: ScheduleState | null): number {
  return state === null ? 0 : state.requestedAt + Math.max(state.lifetime, state.retryAfter);
}

/** Until when a Retry-After of the resource applies. */
export function retryAfterEnd(state: ScheduleState | null): number {
  return state === null ? 0 : state.requestedAt + state.retryAfter;
}

/** Decides whether a resource may be fetched now. A Retry-After applies with every urgency (document 1 section 7). */
export function mayFetch(
  resource: ResourceName,
  state: ScheduleState | null,
  now: number,
  urgency: Urgency,
  context: PollingContext = {},
): boolean {
  if (state === null) return true;
  if (urgency === 'due') return now >= wakeAt(resource, state, context);
  if (urgency === 'permitted') return now >= permittedAt(state);
  return now >= retryAfterEnd(state);
}

/**
 * Corrects the state after the clock was set back: future times move to now and durations stay, so that nothing is
 * fetched too early or too late. The time of a report check is computed again, because it is a time of day.
 */
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

/**
 * Recomputes the next fetch for a changed polling setting. The backoff after a failure stays, and a shorter interval
 * never delays what is already due sooner.
 */
export function withPaceChanged(resource: ResourceName, state: ScheduleState, moment: Moment): ScheduleState {
  if (state.failures > 0) return state;
  const dueAt = dueAfterAnswer(resource, state, { ...moment, now: state.requestedAt });
  return { ...state, dueAt: moment.pace === 'seldom' ? dueAt : Math.min(dueAt, state.dueAt) };
}

/** After a network failure, when the service is reachable again: due now, except for a Retry-After. */
export function resumed(state: ScheduleState, now: number): ScheduleState {
  return isNetworkFailure(state.failure?.code) ? { ...state, dueAt: Math.min(state.dueAt, now) } : state;
}

/** For a model list when the key changed: due now, except for a Retry-After. */
export function withAnotherKey(state: ScheduleState, now: number): ScheduleState {
  return { ...state, lifetime: 0, dueAt: Math.min(state.dueAt, now) };
}

/** Checks that a model list failed because the key was missing or rejected. */
export function isKeyRefusal(resource: ResourceName, code: string | undefined): boolean {
  return isModelList(resource) && (code === 'unauthorized' || code === 'forbidden');
}

/** The kind of report of a resource; null for other resources. */
export function reportsOf(resource: ResourceName): ReportKind | null {
  const rule = ruleOf(resource);
  return 'report' in rule ? rule.report : null;
}

/** With `seldom`, a late report isn't waited for: the next check finds it. */
function checkAt(kind: ReportKind, { now, newest, chance, pace }: Moment): number {
  return pace === 'seldom' ? nextRoutineAt(kind, now, chance) : nextCheckAt(kind, now, newest, chance);
}

function stretch(pace: Pace | undefined): number {
  return pace === 'seldom' ? SELDOM : 1;
}

function ruleOf(resource: ResourceName): Rule {
  return resourceOf(resource).rule;
}

/** A service may send any number as a lifetime or a Retry-After. */
function within(at: number): number {
  return Math.min(at, LATEST_TIME);
}

function jittered(span: number, chance: number): number {
  return Math.round(span * (1 + JITTER * chance));
}
