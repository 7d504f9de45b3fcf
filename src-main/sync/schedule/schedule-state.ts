import { ServiceError } from '../../clients/http/service-error.ts';
import { toFailure } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { ScheduleState } from '../../store/index.ts';
import type { JobResult } from '../jobs/sync-context.ts';
import { dueAfterAnswer, dueAfterFailure, dueAfterRefusal, isKeyRefusal, type Moment } from './due-rules.ts';

/** Schedule state of a resource before a fetch. */
interface Before {
  resource: ResourceName;
  state: ScheduleState | null;
}

/** State after a successful run. If nothing had to be fetched (`wasFetched` is false), there was no response either. */
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

/** State after a failure, which may include a Retry-After. */
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
