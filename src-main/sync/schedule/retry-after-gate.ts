import { ServiceError } from '../../clients/http/service-error.ts';
import { BroadsheetError } from '../../contract/errors.ts';

/** A Retry-After in response to a user's request (document 1 section 7). In memory only. */
export class RetryAfterGate {
  #from = 0;
  #span = 0;

  note(error: unknown, now: number): void {
    if (!(error instanceof ServiceError) || error.retryAfterMs === null) return;
    this.#from = now;
    this.#span = error.retryAfterMs;
  }

  /** Remaining ms. Setting the clock back ends it, because its end is no longer known. */
  left(now: number): number {
    const elapsed = now - this.#from;
    return elapsed < 0 ? 0 : Math.max(0, this.#span - elapsed);
  }
}

export function retryAfterOf(ms: number): BroadsheetError {
  const seconds = String(Math.ceil(ms / 1000));
  return new BroadsheetError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
    retryable: true,
  });
}
