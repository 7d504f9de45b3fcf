import type { Clock } from '../../contract/ports.ts';

/** The two reports of one click come this close together, in ms. */
const PAIR_MS = 500;

/**
 * Clicks on Windows notifications that were shown before this start, or are not held any more. Windows reports every click
 * as an activation, and Electron reports it to the notification too if that is still in memory. Nothing in the two says that
 * they belong together, and either can come first: so they are paired by their time.
 */
export class ToastClicks {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #open: () => void;
  /** Reports of notifications without their activation, in ms since 1970. */
  #heard: number[] = [];
  /** Activations without a report of a notification: what cancels each. */
  #waiting: (() => void)[] = [];
  #anyShown = false;

  /** @param open shows what an unknown notification may have been about */
  constructor(clock: Pick<Clock, 'now' | 'after'>, open: () => void) {
    this.#clock = clock;
    this.#open = open;
  }

  /** A notification is about to be shown, so activations may also be reported to it. */
  shown(): void {
    this.#anyShown = true;
  }

  /** A notification of this run has reported a click. */
  heard(): void {
    const cancel = this.#waiting.shift();
    if (cancel) return cancel();
    this.#heard = [...this.#fresh(), this.#clock.now()];
  }

  /** Windows has reported a click on some notification. */
  activated(): void {
    if (!this.#anyShown) return this.#open();
    this.#heard = this.#fresh();
    if (this.#heard.shift() !== undefined) return;
    const cancel = this.#clock.after(PAIR_MS, () => {
      this.#waiting = this.#waiting.filter((one) => one !== cancel);
      this.#open();
    });
    this.#waiting.push(cancel);
  }

  #fresh(): number[] {
    return this.#heard.filter((at) => Math.abs(this.#clock.now() - at) <= PAIR_MS);
  }
}
