import type { Counts } from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

export class CountsState {
  readonly #wire: Wire;
  #counts = $state.raw<Counts | null>(null);

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.load());
    wire.on('counts.changed', (counts) => (this.#counts = counts));
  }

  get counts(): Counts | null {
    return this.#counts;
  }

  async load(): Promise<void> {
    const reply = await this.#wire.call('counts.get', {});
    if (reply.ok) this.#counts = reply.value;
  }
}
