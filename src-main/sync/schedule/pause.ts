import type { Pause } from '../../store/index.ts';

/**
 * A pause as of now (ms since 1970); null once it is over. If the clock was set back, the pause is moved back, so that
 * an hour doesn't become a year.
 */
export function pauseAt(pause: Pause | null, now: number): Pause | null {
  if (pause === null || pause.until === null) return pause;
  if (now < pause.since) return { since: now, until: pause.until - (pause.since - now) };
  return now < pause.until ? pause : null;
}
