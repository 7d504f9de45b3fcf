import type { Statistics, StatisticsDays } from '../../../src-main/contract/model/source.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';

/** The statistics of a chosen period. They are read again when they are shown, and don't change while on the page. */
export class StatisticsState {
  readonly #wire: Wire;
  readonly value = new AsyncResource<Statistics>();
  #days = $state<StatisticsDays>(30);

  constructor(wire: Wire) {
    this.#wire = wire;
    const renew = (): void => {
      if (this.value.value) void this.load();
    };
    wire.on('data.replaced', renew);
    // Muted items are not counted.
    wire.on('rules.changed', ({ progress }) => {
      if (progress === null) renew();
    });
  }

  get days(): StatisticsDays {
    return this.#days;
  }

  async load(days: StatisticsDays = this.#days): Promise<void> {
    this.#days = days;
    await this.value.read(this.#wire.call('statistics.get', { days }));
  }

  /** There are no entries to move through. */
  step(): boolean {
    return false;
  }
}
