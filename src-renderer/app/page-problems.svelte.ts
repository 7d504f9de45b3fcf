import type { Wire } from '../../src-main/contract/wire.ts';

const LONGEST_MESSAGE = 2000;
const LONGEST_TRACE = 20_000;
/** An error in every frame must not fill the log. */
const MOST_A_MINUTE = 6;
const MINUTE = 60_000;

/**
 * Reports uncaught errors of the page and errors of views. The core gets the message and the stack of each, which come
 * from the program; any other thrown value may contain the user's data, and is not sent.
 */
export class PageProblems {
  readonly #wire: Wire;
  readonly #now: () => number;
  readonly #reported = new Set<string>();
  #times: number[] = [];
  #met = $state(false);
  onFirst: () => void = () => undefined;

  constructor(wire: Wire, now: () => number = Date.now) {
    this.#wire = wire;
    this.#now = now;
  }

  /** True if there was an error since the sync status was last opened. */
  get met(): boolean {
    return this.#met;
  }

  /** Listens to uncaught errors. Returns a function that stops it. */
  listen(): () => void {
    const onError = ({ error, message }: ErrorEvent): void => {
      // Browsers report a repeated layout like this; it is harmless.
      if (!error && message.startsWith('ResizeObserver loop')) return;
      this.report(error ?? new Error(message));
    };
    const onRejection = ({ reason }: PromiseRejectionEvent): void => this.report(reason);
    window.addEventListener('error', onError);
    window.addEventListener('unhandledrejection', onRejection);
    return () => {
      window.removeEventListener('error', onError);
      window.removeEventListener('unhandledrejection', onRejection);
    };
  }

  /** Reports each error once, within the limit per minute. */
  report(thrown: unknown): void {
    const { message, trace } = described(thrown);
    const key = `${message}\n${trace}`;
    if (this.#reported.has(key) || !this.#mayReport()) return;
    this.#reported.add(key);
    if (this.#reported.size === 1) this.onFirst();
    this.#met = true;
    void this.#wire.call('problems.report', { message, trace });
  }

  /** Called when the errors were seen. */
  dismiss(): void {
    this.#met = false;
  }

  #mayReport(): boolean {
    const now = this.#now();
    this.#times = this.#times.filter((at) => now - at < MINUTE);
    if (this.#times.length >= MOST_A_MINUTE) return false;
    this.#times.push(now);
    return true;
  }
}

function described(thrown: unknown): { message: string; trace: string } {
  if (!(thrown instanceof Error)) return { message: `Thrown, and no error: ${typeof thrown}`, trace: '' };
  const { name, message, stack } = thrown;
  return { message: `${name}: ${message}`.slice(0, LONGEST_MESSAGE), trace: (stack ?? '').slice(0, LONGEST_TRACE) };
}
