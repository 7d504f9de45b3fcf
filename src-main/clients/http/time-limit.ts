/** In bytes: a connection that brings less in a whole limit is as good as dead. */
const LEAST_PROGRESS = 16 * 1024;
/** A body that keeps coming may take so many times the limit. */
const MOST_TIMES = 10;

/**
 * The time limit of a request, in ms. It is extended while the body keeps coming: on a slow connection a page of a thousand
 * items takes minutes, and would never be complete otherwise. Its timers are those of the network, which no fake clock and
 * no faster time changes.
 */
export class TimeLimit {
  readonly #ms: number;
  readonly #controller = new AbortController();
  readonly #check = (): void => {
    this.#times += 1;
    if (this.#received < LEAST_PROGRESS || this.#times >= MOST_TIMES) this.#controller.abort(this.#period.reason);
    else this.#period = this.#begin();
  };
  #period: AbortSignal;
  #received = 0;
  #times = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.#period = this.#begin();
  }

  /** Aborts with a `TimeoutError`, as that of `AbortSignal.timeout` does. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** So many bytes of the body have arrived. */
  received(bytes: number): void {
    this.#received += bytes;
  }

  /** The request has ended. */
  end(): void {
    this.#period.removeEventListener('abort', this.#check);
  }

  #begin(): AbortSignal {
    this.#received = 0;
    const period = AbortSignal.timeout(this.#ms);
    period.addEventListener('abort', this.#check, { once: true });
    return period;
  }
}
