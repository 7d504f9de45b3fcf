/** In bytes: a connection that brings less in a whole limit is as good as dead. */
const LEAST_PROGRESS = 16 * 1024;
/** A body that keeps coming may take so many times the limit. */
const MOST_TIMES = 10;

/**
 * The time limit of a request. It is extended while the body keeps coming: on a slow connection a page of a thousand items
 * takes minutes, and would never be complete otherwise. Uses real timers, like the network.
 */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #received = 0;
  #times = 0;

  constructor(ms: number) {
    this.#timer = setInterval(() => this.#check(), ms);
    this.#timer.unref();
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
    clearInterval(this.#timer);
  }

  #check(): void {
    this.#times += 1;
    if (this.#received >= LEAST_PROGRESS && this.#times < MOST_TIMES) this.#received = 0;
    else this.#controller.abort(new DOMException('The time limit has passed.', 'TimeoutError'));
  }
}
