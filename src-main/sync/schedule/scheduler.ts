import type { Clock, Log } from '../../contract/ports.ts';
import { MODEL_LISTS, type NewsResource, type ResourceName } from '../../contract/model/resource.ts';
import type { Polling } from './polling.ts';

/** After the computer was asleep, the clock is checked again soon. */
const MAX_SLEEP = 60_000;
/** Unchanged state can't cause a busy loop. */
const MIN_SLEEP = 1_000;

interface Rounds {
  /** In ms since 1970; null if nothing is due until `nudge`. */
  dueAt(): number | null;
  run(): Promise<unknown>;
  onError(error: unknown): void;
}

/** Runs one sync when something is due, however many times were missed. */
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

  /** If this fails, for example on a full disk, it is tried again after the longest timer. */
  #dueAt(): number | null {
    try {
      return this.#rounds.dueAt();
    } catch (error) {
      this.#rounds.onError(error);
      return Infinity;
    }
  }

  #sleep(): () => void {
    const dueAt = this.#dueAt();
    if (dueAt === null) return () => undefined;
    const wait = dueAt - this.#clock.now();
    return this.#clock.after(Math.min(MAX_SLEEP, Math.max(MIN_SLEEP, wait)), () => void this.#wake());
  }
}

interface SchedulersPorts {
  clock: Clock;
  log: Log;
  polling: Polling;
  run(resources: readonly ResourceName[]): Promise<unknown>;
}

/** Many requests for stories or reports don't delay the other resources. */
export const NEWS_GROUPS: readonly (readonly NewsResource[])[] = [
  ['items', 'selected', 'hotTopics'],
  ['stories'],
  ['dailies', 'weeklies', 'monthlies'],
];

export class Schedulers {
  readonly #schedulers: readonly Scheduler[];

  constructor({ clock, log, polling, run }: SchedulersPorts) {
    const onError = (error: unknown): void => {
      log('error', 'A sync failed', { trace: error instanceof Error ? (error.stack ?? '') : '' });
    };
    this.#schedulers = [
      ...NEWS_GROUPS.map(
        (group, index) =>
          new Scheduler(clock, { dueAt: () => polling.newsDueAt(group, index === 0), run: () => run(group), onError }),
      ),
      new Scheduler(clock, { dueAt: () => polling.modelListsDueAt, run: () => run(MODEL_LISTS), onError }),
    ];
  }

  start(): void {
    for (const scheduler of this.#schedulers) scheduler.start();
  }

  stop(): void {
    for (const scheduler of this.#schedulers) scheduler.stop();
  }

  nudge(): void {
    for (const scheduler of this.#schedulers) scheduler.nudge();
  }
}
