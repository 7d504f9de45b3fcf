import { setTimeout as wait } from 'node:timers/promises';
import { BroadsheetError } from '../contract/errors.ts';

/** The pause between two attempts, in ms. */
const INTERVAL = 200;

/** How long a short command waits for another program to release the data folder, in ms. */
export const RETRY_LIMIT = 10_000;

interface Time {
  /** In ms. */
  now(): number;
  wait(ms: number): Promise<unknown>;
}

/**
 * Tries again while another program uses the data folder, for at most `limit` ms. The time of the attempts counts: each
 * waits up to two seconds for a locked file. Errors: those of the last attempt.
 */
export async function retryWhileInUse<T>(
  attempt: () => Promise<T>,
  limit: number,
  time: Time = { now: () => performance.now(), wait },
): Promise<T> {
  const startedAt = time.now();
  for (;;) {
    const attemptedAt = time.now();
    try {
      return await attempt();
    } catch (error) {
      const inUse = error instanceof BroadsheetError && error.code === 'data_in_use';
      const attemptTook = time.now() - attemptedAt;
      if (!inUse || time.now() - startedAt + INTERVAL + attemptTook > limit) throw error;
      await time.wait(INTERVAL);
    }
  }
}
