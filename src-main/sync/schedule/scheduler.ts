import type { Clock } from '../../contract/ports.ts';

/** Longest timer: after the computer was asleep, the clock is checked again soon. */
const LONGEST_SLEEP = 60_000;
/** Minimum time between two syncs, so that unchanged state can't cause a busy loop. */
const SHORTEST_SLEEP = 1_000;

interface Rounds {
  /** When the next resource is due, in ms since 1970; null if nothing is due until `nudge`. */
  dueAt(): number | null;
  /** Syncs what is due. */
  run(): Promise<unknown>;
  /** Called when a sync fails. The next one is tried: polling never stops by itself. */
  onError(error: unknown): void;
}

/** Wakes when something is due and runs one sync, however many times were missed. */
export class Scheduler {
  readonly #clock: Clock;
  readonly #rounds: Rounds;
  #cancel: (() => void) | null = null;
  #running = false;

  constructor(clock: Clock, rounds: Rounds) {
    this.#clock = clock;
    this.#rounds = rounds;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#wake();
  }

  stop(): void {
    this.#running = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Call this when something may be due sooner. No effect during a sync. */
  nudge(): void {
    if (!this.#cancel) return;
    this.#cancel();
    void this.#wake();
  }

  async #wake(): Promise<void> {
    this.#cancel = null;
    try {
      const dueAt = this.#dueAt();
      if (dueAt !== null && dueAt <= this.#clock.now()) await this.#rounds.run();
    } catch (error) {
      if (this.#running) this.#rounds.onError(error);
    }
    if (this.#running) this.#cancel = this.#sleep();
  }

  /** If reading the due time fails, for example on a full disk, it is read again after the longest timer. */
  #dueAt(): number | null {
    try {
      return this.#rounds.dueAt();
    } catch (error) {
      this.#rounds.onError(error);
      return Infinity;
    }
  }

  /** Returns a function that ends the wait without a sync. */
  #sleep(): () => void {
    const dueAt = this.#dueAt();
    if (dueAt === null) return () => undefined;
    const wait = dueAt - this.#clock.now();
    return this.#clock.after(Math.min(LONGEST_SLEEP, Math.max(SHORTEST_SLEEP, wait)), () => void this.#wake());
  }
}
