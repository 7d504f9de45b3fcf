import type { Failure } from '../../../src-main/contract/errors.ts';
import type { CaughtUp } from '../../../src-main/contract/model/visit.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** What came since the reader last caught up. */
export class VisitsState {
  readonly #wire: Wire;
  #caughtUp = $state.raw<CaughtUp | null>(null);

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('visits.changed', (caughtUp) => (this.#caughtUp = caughtUp));
    // Another mirror, or events that were missed.
    wire.on('items.changed', ({ ids }) => void (ids === null && this.load()));
  }

  /** Null while there is nothing to count from. */
  get caughtUp(): (CaughtUp & { since: string }) | null {
    const { since = null } = this.#caughtUp ?? {};
    return this.#caughtUp && since !== null ? { ...this.#caughtUp, since } : null;
  }

  async load(): Promise<void> {
    const reply = await this.#wire.call('visits.caughtUp', {});
    if (reply.ok) this.#caughtUp = reply.value;
  }

  /** The reader has seen it all: the next line counts from here. */
  async end(): Promise<Failure | null> {
    const reply = await this.#wire.call('visits.end', {});
    if (!reply.ok) return reply.error;
    this.#caughtUp = reply.value;
    return null;
  }
}
