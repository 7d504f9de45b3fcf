import type { ResourceName } from '../contract/model.ts';
import type { ScheduleFacts } from '../store/journal.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How often each resource is worth asking for while all is well. The service's own lifetime is the floor under it. */
export const INTERVAL: Record<ResourceName, number> = {
  items: 3 * MINUTE,
  selected: 3 * MINUTE,
};

const FIRST_BACKOFF = 30 * SECOND;
const LONGEST_BACKOFF = 30 * MINUTE;
/** Up to a tenth is added by chance, so that not every reader asks in the same second. */
const JITTER = 0.1;

export type Urgency = 'due' | 'permitted' | 'now';

/** When to ask next after an answer. `chance` is in [0, 1). Times and spans in ms. */
export function dueAfterAnswer(resource: ResourceName, now: number, lifetime: number, chance: number): number {
  return now + jittered(Math.max(lifetime, INTERVAL[resource]), chance);
}

/** When to ask next after the `failures`th failure in a row: doubling, and never before what the service asked for. */
export function dueAfterFailure(now: number, failures: number, retryAfter: number, chance: number): number {
  const backoff = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1));
  return now + jittered(Math.max(retryAfter, backoff), chance);
}

/** When a resource is next worth waking for; 0 for one that was never asked. */
export function wakeAt(facts: ScheduleFacts | null): number {
  return facts === null ? 0 : Math.max(facts.dueAt, facts.askedAt + facts.retryAfter);
}

/** Whether a resource may be asked now. A Retry-After holds against every urgency (document 1 section 7). */
export function mayAsk(facts: ScheduleFacts | null, now: number, urgency: Urgency): boolean {
  if (facts === null) return true;
  const elapsed = now - facts.askedAt;
  if (elapsed < facts.retryAfter) return false;
  if (urgency === 'now') return true;
  if (urgency === 'permitted') return elapsed >= facts.lifetime;
  return now >= wakeAt(facts);
}

/**
 * Facts as of a clock that was set back: what lies in the future is brought to now with its spans kept, so that nothing is
 * asked too early and nothing starves.
 */
export function reanchored(facts: ScheduleFacts, now: number): ScheduleFacts {
  if (facts.askedAt <= now) return facts;
  const shift = facts.askedAt - now;
  return {
    ...facts,
    askedAt: now,
    answeredAt: facts.answeredAt === null ? null : Math.min(facts.answeredAt, now),
    dueAt: facts.dueAt - shift,
  };
}

function jittered(span: number, chance: number): number {
  return Math.round(span * (1 + JITTER * chance));
}
