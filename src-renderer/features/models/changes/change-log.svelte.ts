import type { ModelRefresh } from '../../../../src-main/contract/model/model.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../../api/async-resource.svelte.ts';

const FIRST_LIMIT = 50;
const LARGEST_LIMIT = 1000;

/** The change log of the model lists while it is shown: newest first, and older refreshes on request. */
export class ChangeLogState {
  readonly #wire: Wire;
  readonly log = new AsyncResource<{ refreshes: ModelRefresh[] }>();
  #limit = $state(FIRST_LIMIT);

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get refreshes(): readonly ModelRefresh[] {
    return this.log.value?.refreshes ?? [];
  }
  /** True if older refreshes can be loaded. */
  get hasOlder(): boolean {
    return this.refreshes.length === this.#limit && this.#limit < LARGEST_LIMIT;
  }

  async load(): Promise<void> {
    await this.log.read(this.#wire.call('models.changes', { limit: this.#limit }));
  }

  async loadOlder(): Promise<void> {
    this.#limit = Math.min(LARGEST_LIMIT, this.#limit * 4);
    await this.load();
  }

  /** Loads the log, and again whenever it may have changed. Returns the function that stops it. */
  follow(): () => void {
    void this.load();
    const ends = [
      this.#wire.on('data.replaced', () => void this.load()),
      this.#wire.on('models.changed', () => void this.load()),
      this.#wire.on('gateway.changed', () => void this.load()),
    ];
    return () => ends.forEach((end) => end());
  }
}
