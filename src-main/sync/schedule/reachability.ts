import type { ResourceResult } from '../../contract/model/sync-status.ts';
import { isNetworkFailure } from './due-rules.ts';

const FIRST_PROBE = 30_000;
/** A reader who comes back on line waits no longer than this for today's report. */
const LONGEST_PROBE = 4 * 60_000;
const JITTER = 0.1;

/** When to knock again after the `misses`th attempt in a row that reached nobody, in ms from now. `chance` is in [0, 1). */
export function probeAfter(misses: number, chance: number): number {
  return Math.round(Math.min(LONGEST_PROBE, FIRST_PROBE * 2 ** (misses - 1)) * (1 + JITTER * chance));
}

/** Whether the news service can be reached, as the latest answers tell; and, while it cannot, when to knock again. */
export class Reachability {
  #reachable: boolean | null = null;
  #misses = 0;
  #missedAt = 0;
  #probeAt = 0;

  /** Null before the first attempt. */
  get reachable(): boolean | null {
    return this.#reachable;
  }

  /** When one resource may be asked for the sake of an answer, in ms since 1970; at once where the clock was set back. */
  probeAt(now: number): number {
    return now < this.#missedAt ? now : this.#probeAt;
  }

  /** What came of a round. Any answer counts, an error of the service too. True where it can be reached again. */
  note(reports: readonly ResourceResult[], now: number, chance: number): boolean {
    const asked = reports.filter(({ status, requests }) => requests > 0 || status === 'failed');
    if (asked.length === 0) return false;
    const wasLost = this.#reachable === false;
    this.#reachable = asked.some(({ error }) => !isNetworkFailure(error?.code));
    this.#misses = this.#reachable ? 0 : this.#misses + 1;
    this.#missedAt = now;
    this.#probeAt = now + probeAfter(this.#misses, chance);
    return wasLost && this.#reachable;
  }
}
