import { ServiceError } from '../../clients/http/service-error.ts';
import { BroadsheetError } from '../../contract/errors.ts';

/** A Retry-After that was given to the reader's own question (document 1 section 7). It lives as long as this run. */
export class RetryAfterGate {
  #from = 0;
  #span = 0;

  note(error: unknown, now: number): void {
    if (!(error instanceof ServiceError) || error.retryAfterMs === null) return;
    this.#from = now;
    this.#span = error.retryAfterMs;
  }

  /** ms still to wait. A clock that was set back ends the pause: its end is not known any more. */
  left(now: number): number {
    const elapsed = now - this.#from;
    return elapsed < 0 ? 0 : Math.max(0, this.#span - elapsed);
  }
}

export function retryAfterOf(ms: number): BroadsheetError {
  const seconds = String(Math.ceil(ms / 1000));
  return new BroadsheetError('rate_limited', `The service wants a pause. Try again in ${seconds} s.`, {
    retryable: true,
  });
}
