import type { ResourceResult } from '../../contract/model/sync-status.ts';
import { isNetworkFailure } from '../jobs/record-failures.ts';

const FIRST_PROBE = 30_000;
/** Longest interval, so that today's report arrives soon after the user is back online. */
const LONGEST_PROBE = 4 * 60_000;
const JITTER = 0.1;

/** Delay in ms until the next attempt after `misses` unsuccessful ones in a row. `chance` is in [0, 1). */
export function probeAfter(misses: number, chance: number): number {
  return Math.round(Math.min(LONGEST_PROBE, FIRST_PROBE * 2 ** (misses - 1)) * (1 + JITTER * chance));
}

/** A run that may have sent requests. `unanswered`: how many of its requests got no response. */
type Attempt = ResourceResult & { unanswered: number };

/** Start and end of a sync, in ms since 1970. */
export interface RoundTimes {
  startedAt: number;
  now: number;
}

/** Derives from the latest responses whether the news service is reachable, and if not, when to try again. */
export class Reachability {
  #reachable: boolean | null = null;
  #misses = 0;
  #answeredAt = -Infinity;
  #missedAt = 0;
  #probeAt = 0;

  /** Null before the first attempt. */
  get reachable(): boolean | null {
    return this.#reachable;
  }

  /** When to test the connection with one resource, in ms since 1970; at once if the clock was set back. */
  probeAt(now: number): number {
    return now < this.#missedAt ? now : this.#probeAt;
  }

  /**
   * Evaluates the results of a sync. Any response counts, including an error of the service, and one that another sync
   * got meanwhile. Times are ms since 1970. Returns true if the service is reachable again.
   */
  note(runs: readonly Attempt[], { startedAt, now }: RoundTimes, chance: number): boolean {
    const attempts = runs.filter(({ status, requests }) => requests > 0 || status === 'failed');
    if (attempts.length === 0) return false;
    const wasLost = this.#reachable === false;
    const isAnswered = attempts.some(isAnsweredIn);
    // A single record that can't be sent is no lost network, but no answer either.
    if (!isAnswered && !wasLost && attempts.every(({ status }) => status !== 'failed')) return false;
    if (!isAnswered && this.#reachable && this.#answeredAt >= startedAt) return false;
    if (isAnswered) this.#answeredAt = now;
    this.#reachable = isAnswered;
    this.#misses = this.#reachable ? 0 : this.#misses + 1;
    this.#missedAt = now;
    this.#probeAt = now + probeAfter(this.#misses, chance);
    return wasLost && this.#reachable;
  }
}

function isAnsweredIn({ error, requests, unanswered }: Attempt): boolean {
  return requests > unanswered || (error !== undefined && !isNetworkFailure(error.code));
}
