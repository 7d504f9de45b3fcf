import { MODEL_LISTS, type NewsResource, type ResourceName } from '../../contract/model/resource.ts';
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

/** Resources of the news that are synced together. Many requests for stories or reports don't delay the others. */
export const NEWS_GROUPS: readonly (readonly NewsResource[])[] = [
  ['items', 'selected', 'hotTopics'],
  ['stories'],
  ['dailies', 'weeklies', 'monthlies'],
];

/** One scheduler for each group of resources and for the gateway: a slow one delays no other. */
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
