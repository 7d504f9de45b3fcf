import { setTimeout as wait } from 'node:timers/promises';
import { BroadsheetError } from '../contract/errors.ts';

/** In ms. */
const INTERVAL = 200;
/** In ms. */
const LIMIT = 10_000;

interface Time {
  now(): number;
  wait(ms: number): Promise<unknown>;
}

/** Retries for at most `limit` ms, attempts included: each waits up to 2 s for locked files. Errors: the last one's. */
export async function retryWhileInUse<T>(
  attempt: () => Promise<T>,
  limit = LIMIT,
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
