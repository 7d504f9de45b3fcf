import type { Clock } from '../../contract/ports.ts';

/** A timer never sleeps longer than this: after a machine was asleep, the clock is looked at again soon. */
const LONGEST_SLEEP = 60_000;
/** Between two rounds, so that facts that stand still cannot spin. */
const SHORTEST_SLEEP = 1_000;

interface Rounds {
  /** When the next resource is due, in ms since 1970; null where nothing becomes due until it is nudged. */
  dueAt(): number | null;
  /** One round of what is due. */
  run(): Promise<unknown>;
  /** A round that failed is told, and the next one tried: polling never ends by itself. */
  onError(error: unknown): void;
}

/** Wakes when something is due and runs one round: however many ticks were missed, the round is one. */
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

  /** To be called when something may be due sooner than it was; without effect in the middle of a round. */
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

  /** What cannot be told now, for want of room on the disk say, is asked again after the longest sleep. */
  #dueAt(): number | null {
    try {
      return this.#rounds.dueAt();
    } catch (error) {
      this.#rounds.onError(error);
      return Infinity;
    }
  }

  /** Returns what ends the sleep without a round. */
  #sleep(): () => void {
    const dueAt = this.#dueAt();
    if (dueAt === null) return () => undefined;
    const wait = dueAt - this.#clock.now();
    return this.#clock.after(Math.min(LONGEST_SLEEP, Math.max(SHORTEST_SLEEP, wait)), () => void this.#wake());
  }
}
