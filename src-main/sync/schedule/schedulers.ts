import { MODEL_LISTS, NEWS_RESOURCES, type ResourceName } from '../../contract/model/resource.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Polling } from './polling.ts';
import { Scheduler } from './scheduler.ts';

interface SchedulersPorts {
  clock: Clock;
  log: Log;
  polling: Polling;
  /** Syncs those of the given resources that are due. */
  run(resources: readonly ResourceName[]): Promise<unknown>;
}

/** One scheduler per service: a slow gateway doesn't delay news. */
export class Schedulers {
  readonly #schedulers: readonly Scheduler[];

  constructor({ clock, log, polling, run }: SchedulersPorts) {
    const onError = (error: unknown): void => {
      log('error', 'A sync failed', { trace: error instanceof Error ? (error.stack ?? '') : '' });
    };
    this.#schedulers = [
      new Scheduler(clock, { dueAt: () => polling.newsDueAt, run: () => run(NEWS_RESOURCES), onError }),
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
