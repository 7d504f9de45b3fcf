import type { ResourceName } from '../../contract/model/resource.ts';
import { reportsOf } from './due-rules.ts';

const MINUTE = 60_000;
/** The most that a resource waits after a pause of its service, in ms. A report is wanted within five minutes, pause included. */
const LONGEST_WAIT = 5 * MINUTE;
const LONGEST_WAIT_FOR_REPORTS = 2 * MINUTE;
/** A short pause is followed by a short wait: up to this many times its length. */
const SHARE = 3;

/**
 * Spreads the requests of one resource after a pause of its service (Retry-After, document 1 section 7). At the end of a
 * pause every resource of every installation is due; without a wait, all of them ask within the length of the pause
 * (docs/scale.md).
 */
export class Resumption {
  readonly #longest: number;
  #pausedUntil = 0;
  #at = 0;

  constructor(resource: ResourceName) {
    this.#longest = reportsOf(resource) === null ? LONGEST_WAIT : LONGEST_WAIT_FOR_REPORTS;
  }

  /**
   * When to ask again after a pause, in ms since 1970: a time drawn once for each pause. One that was over before it was
   * heard of, as after a restart, is followed by no wait. `draw` answers a number in [0, 1).
   */
  after(pausedUntil: number, now: number, draw: () => number): number {
    if (pausedUntil === this.#pausedUntil) return this.#at;
    const left = Math.max(0, pausedUntil - now);
    this.#pausedUntil = pausedUntil;
    this.#at = pausedUntil + Math.round(Math.min(this.#longest, SHARE * left) * draw());
    return this.#at;
  }
}
