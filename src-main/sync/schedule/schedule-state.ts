import { ServiceError } from '../../clients/http/service-error.ts';
import { toFailure } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { ScheduleState } from '../../store/index.ts';
import type { JobResult } from '../jobs/sync-context.ts';
import { dueAfterAnswer, dueAfterFailure, dueAfterRefusal, isKeyRefusal, type Moment } from './due-rules.ts';

/** A resource as it stood before it was asked. */
interface Before {
  resource: ResourceName;
  facts: ScheduleState | null;
}

/** What is known after an answer. A round that had nothing to ask for (`wasAsked`) has had no answer either. */
export function stateAfterAnswer(
  { resource, facts }: Before,
  { lifetime, again }: JobResult,
  wasAsked: boolean,
  moment: Moment,
): ScheduleState {
  const { now } = moment;
  const dueAt = dueAfterAnswer(resource, { lifetime, again }, moment);
  const answeredAt = wasAsked ? now : (facts?.answeredAt ?? null);
  return { requestedAt: now, answeredAt, lifetime, retryAfter: 0, dueAt, failures: 0, failure: null };
}

/** What is known after a failure, which may say for how long not to ask. */
export function stateAfterFailure({ resource, facts }: Before, error: unknown, moment: Moment): ScheduleState {
  const retryAfter = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
  const failures = (facts?.failures ?? 0) + 1;
  const failure = toFailure(error);
  return {
    requestedAt: moment.now,
    answeredAt: facts?.answeredAt ?? null,
    lifetime: 0,
    retryAfter,
    dueAt: isKeyRefusal(resource, failure.code)
      ? dueAfterRefusal(retryAfter, moment)
      : dueAfterFailure(resource, failures, retryAfter, moment),
    failures,
    failure,
  };
}
