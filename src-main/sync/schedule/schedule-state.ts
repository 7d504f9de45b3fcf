import { ServiceError } from '../../clients/http/service-error.ts';
import { toFailure } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { ScheduleState } from '../../store/index.ts';
import type { JobResult } from '../jobs/sync-context.ts';
import { dueAfterAnswer, dueAfterFailure, dueAfterRefusal, isKeyRefusal, type Moment, reportsOf } from './due-rules.ts';

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
  return { requestedAt: now, answeredAt, lifetime, retryAfter: 0, dueAt, failures: 0, failure: null };
}

export function stateAfterFailure({ resource, state }: Before, error: unknown, moment: Moment): ScheduleState {
  const retryAfter = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
  const failures = (state?.failures ?? 0) + 1;
  const failure = toFailure(error);
  return {
    requestedAt: moment.now,
    answeredAt: state?.answeredAt ?? null,
    lifetime: 0,
    retryAfter,
    dueAt: isKeyRefusal(resource, failure.code)
      ? dueAfterRefusal(retryAfter, moment)
      : dueAfterFailure(resource, failures, retryAfter, moment),
    failures,
    failure,
  };
}

const MINUTE = 60_000;
/** In ms. A report is due within five minutes, pause included. */
const LONGEST_WAIT = 5 * MINUTE;
const LONGEST_WAIT_FOR_REPORTS = 2 * MINUTE;
/** A wait lasts up to this many times the length of the pause. */
const SHARE = 3;

/**
 * Spreads the requests of one resource after a Retry-After (document 1 section 7): every resource of every installation
 * is due at its end, and would ask within the length of the pause (docs/scale.md).
 */
export class Resumption {
  readonly #longest: number;
  #pausedUntil = 0;
  #at = 0;

  constructor(resource: ResourceName) {
    this.#longest = reportsOf(resource) === null ? LONGEST_WAIT : LONGEST_WAIT_FOR_REPORTS;
  }

  /**
   * In ms since 1970, drawn once for each pause. A pause that is already over, as after a restart, is followed by no
   * wait. `draw` returns a number in [0, 1).
   */
  after(pausedUntil: number, now: number, draw: () => number): number {
    if (pausedUntil === this.#pausedUntil) return this.#at;
    const left = Math.max(0, pausedUntil - now);
    this.#pausedUntil = pausedUntil;
    this.#at = pausedUntil + Math.round(Math.min(this.#longest, SHARE * left) * draw());
    return this.#at;
  }
}
