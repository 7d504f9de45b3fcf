import type { Wire } from '../../src-main/contract/wire.ts';

const LONGEST_MESSAGE = 2000;
const LONGEST_TRACE = 20_000;
/** What goes wrong at every frame fills no log. */
const MOST_A_MINUTE = 6;
const MINUTE = 60_000;

/**
 * Defects of the page: what nobody caught, and what could not be shown. Each goes to the core by its message and its stack,
 * which are the program's own; what else was thrown may hold anything, and stays here.
 */
export class PageProblems {
  readonly #wire: Wire;
  readonly #now: () => number;
  readonly #reported = new Set<string>();
  #times: number[] = [];
  #met = $state(false);
  /** Told of the first defect of this page. */
  onFirst: () => void = () => undefined;

  constructor(wire: Wire, now: () => number = Date.now) {
    this.#wire = wire;
    this.#now = now;
  }

  /** Whether one was met that the app has not seen in data health yet. */
  get met(): boolean {
    return this.#met;
  }

  /** Listens to what nobody catches. Answers how to end it. */
  listen(): () => void {
    const onError = ({ error, message }: ErrorEvent): void => {
      // Browsers tell of a layout that took another turn in this way; nothing is wrong.
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

  /** Each defect once, and not too many of them in a minute. */
  report(thrown: unknown): void {
    const { message, trace } = described(thrown);
    const key = `${message}\n${trace}`;
    if (this.#reported.has(key) || !this.#mayReport()) return;
    this.#reported.add(key);
    if (this.#reported.size === 1) this.onFirst();
    this.#met = true;
    void this.#wire.call('problems.report', { message, trace });
  }

  /** The app has seen them. */
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
