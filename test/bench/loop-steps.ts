import { performance } from 'node:perf_hooks';
import { percentile } from './table.ts';

const LOOK_EVERY_MS = 1;

/**
 * For how long the event loop of this thread works without waiting: what it did between two looks, a millisecond apart or
 * more. Several short steps in that millisecond count as one. The time in which the loop waits doesn't count:
 * `monitorEventLoopDelay` would add it, with the millisecond between its own timers and the time that a busy computer
 * takes to wake up a waiting thread, which is most of it while other threads answer.
 */
export class LoopSteps {
  readonly #steps: number[] = [];
  #active = performance.eventLoopUtilization().active;
  readonly #timer = setInterval(() => {
    this.#look();
  }, LOOK_EVERY_MS);

  /** In ms. */
  end(): { longest: number; p99: number } {
    clearInterval(this.#timer);
    this.#look();
    return { longest: Math.max(...this.#steps), p99: percentile(this.#steps, 0.99) };
  }

  #look(): void {
    const { active } = performance.eventLoopUtilization();
    this.#steps.push(active - this.#active);
    this.#active = active;
  }
}
