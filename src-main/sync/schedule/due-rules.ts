import type { ReportKind } from '../../contract/model/report.ts';
import { isModelList, type ResourceName } from '../../contract/model/resource.ts';
import type { ScheduleState } from '../../store/index.ts';
import { nextReportAt, nextCheckAt, nextRoutineAt } from '../../common/publication-timetable.ts';
import { resourceOf } from '../jobs/registry.ts';
import type { Pace, Rule, Urgency } from './types.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const FIRST_BACKOFF = 30 * SECOND;
const LONGEST_BACKOFF = 30 * MINUTE;
/** What a key is refused today, it is refused in a minute as well: another key is asked with at once. */
const AFTER_REFUSAL = 6 * HOUR;
/** Up to a tenth is added by chance, so that not every reader asks in the same second. */
const JITTER = 0.1;
/** Where the reader wants it seldom, Broadsheet asks a quarter as often. */
const SELDOM = 4;

/** What a rule looks at besides the facts of a resource. Times and spans in ms. */
export interface Moment {
  now: number;
  /** In [0, 1). */
  chance: number;
  /** Of a report's resource: the label of the newest report that is stored. */
  newest: string | null;
  /** As usual where it is not said. */
  pace?: Pace;
}

/** Whether the page shows it now, and how often the reader wants it. */
export interface Look {
  attended?: boolean;
  pace?: Pace;
}

/** What an answer says of the next question. */
export interface AnswerTerms {
  /** For how long it is good: the floor (document 1 section 1). */
  lifetime: number;
  /** Where a step has left work for which that floor does not stand: when it wants to go on, in ms. */
  again?: number | undefined;
}

/** When to ask next after an answer. */
export function dueAfterAnswer(resource: ResourceName, { lifetime, again }: AnswerTerms, moment: Moment): number {
  const { now, chance } = moment;
  const rule = ruleOf(resource);
  const worthAt =
    'report' in rule
      ? lookAt(rule.report, moment)
      : now + jittered(Math.max(rule.every * stretch(moment.pace), lifetime), chance);
  const dueAt = Math.max(worthAt, now + lifetime);
  return again === undefined ? dueAt : Math.min(dueAt, now + again);
}

/**
 * When to ask next after the `failures`th failure in a row: doubling, but not past the next look at an index, for a report
 * may be out by now, and never before what the service asked for.
 */
export function dueAfterFailure(resource: ResourceName, failures: number, retryAfter: number, moment: Moment): number {
  const { now, chance } = moment;
  const rule = ruleOf(resource);
  const backoff = now + jittered(Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1)), chance);
  const nextLook = 'report' in rule ? lookAt(rule.report, moment) : Infinity;
  return Math.max(Math.min(backoff, nextLook), now + jittered(retryAfter, chance));
}

/** When to ask a gateway by itself again that will not list for this key (document 2 section 5). */
export function dueAfterRefusal(retryAfter: number, { now, chance }: Moment): number {
  return now + jittered(Math.max(AFTER_REFUSAL, retryAfter), chance);
}

/** When a resource is next worth wake-up for; 0 for one that was never asked. */
export function wakeAt(
  resource: ResourceName,
  facts: ScheduleState | null,
  { attended = false, pace }: Look = {},
): number {
  if (facts === null) return 0;
  const rule = ruleOf(resource);
  // A failure's backoff holds for whoever looks on, too.
  const sooner = attended && facts.failures === 0 && 'attended' in rule;
  const seenAt = sooner ? facts.requestedAt + Math.max(rule.attended * stretch(pace), facts.lifetime) : Infinity;
  return Math.max(Math.min(facts.dueAt, seenAt), facts.requestedAt + facts.retryAfter);
}

/** From when on a reader's refresh may ask: once the answer has outlived its lifetime (document 1 section 1). */
export function permittedAt(facts: ScheduleState | null): number {
  return facts === null ? 0 : facts.requestedAt + Math.max(facts.lifetime, facts.retryAfter);
}

/** Whether a resource may be asked now. A Retry-After holds against every urgency (document 1 section 7). */
export function mayAsk(
  resource: ResourceName,
  facts: ScheduleState | null,
  now: number,
  urgency: Urgency,
  look: Look = {},
): boolean {
  if (facts === null) return true;
  if (urgency === 'due') return now >= wakeAt(resource, facts, look);
  if (urgency === 'permitted') return now >= permittedAt(facts);
  return now - facts.requestedAt >= facts.retryAfter;
}

/**
 * Facts as of a clock that was set back: what lies in the future is brought to now with its spans kept, so that nothing is
 * asked too early and nothing starves. A report's hour is one of the clock's, and is found anew.
 */
export function withClockCorrected(
  resource: ResourceName,
  facts: ScheduleState,
  { now, chance }: Moment,
): ScheduleState {
  if (facts.requestedAt <= now) return facts;
  const shift = facts.requestedAt - now;
  const dueAt = facts.dueAt - shift;
  const rule = ruleOf(resource);
  return {
    ...facts,
    requestedAt: now,
    answeredAt: facts.answeredAt === null ? null : Math.min(facts.answeredAt, now),
    dueAt: 'report' in rule ? Math.min(dueAt, nextReportAt(rule.report, now, chance)) : dueAt,
  };
}

/**
 * Facts as of another pace: when to ask next is found anew, as after the last answer. A failure's backoff stays, and a pace
 * that is quicker never puts off what is due sooner.
 */
export function withPaceChanged(resource: ResourceName, facts: ScheduleState, moment: Moment): ScheduleState {
  if (facts.failures > 0) return facts;
  const dueAt = dueAfterAnswer(resource, facts, { ...moment, now: facts.requestedAt });
  return { ...facts, dueAt: moment.pace === 'seldom' ? dueAt : Math.min(dueAt, facts.dueAt) };
}

/** Facts of a resource that the network had failed, now that the service can be reached again: due, save for a Retry-After. */
export function resumed(facts: ScheduleState, now: number): ScheduleState {
  return isNetworkFailure(facts.failure?.code) ? { ...facts, dueAt: Math.min(facts.dueAt, now) } : facts;
}

/** Facts of a model list that is to be asked with another key: the last answer says nothing of the next, save a Retry-After. */
export function withAnotherKey(facts: ScheduleState, now: number): ScheduleState {
  return { ...facts, lifetime: 0, dueAt: Math.min(facts.dueAt, now) };
}

/** Whether a model list failed for its key, or for want of one. */
export function isKeyRefusal(resource: ResourceName, code: string | undefined): boolean {
  return isModelList(resource) && (code === 'unauthorized' || code === 'forbidden');
}

/** Whether the service did not say anything at all. */
export function isNetworkFailure(code: string | undefined): boolean {
  return code === 'unreachable' || code === 'timeout';
}

/** The kind of reports that a resource is made of, if it is one of reports. */
export function reportsOf(resource: ResourceName): ReportKind | null {
  const rule = ruleOf(resource);
  return 'report' in rule ? rule.report : null;
}

/** Where the reader wants it seldom, a late report is not waited for: it comes with the next look. */
function lookAt(kind: ReportKind, { now, newest, chance, pace }: Moment): number {
  return pace === 'seldom' ? nextRoutineAt(kind, now, chance) : nextCheckAt(kind, now, newest, chance);
}

function stretch(pace: Pace | undefined): number {
  return pace === 'seldom' ? SELDOM : 1;
}

function ruleOf(resource: ResourceName): Rule {
  return resourceOf(resource).rule;
}

function jittered(span: number, chance: number): number {
  return Math.round(span * (1 + JITTER * chance));
}
