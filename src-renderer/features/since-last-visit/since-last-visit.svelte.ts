import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { SinceLastVisit } from '../../../src-main/contract/model/today.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** The number of changes since the last visit. */
export class SinceLastVisitState {
  readonly #wire: Wire;
  #sinceLastVisit = $state.raw<SinceLastVisit | null>(null);

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('visits.changed', (sinceLastVisit) => (this.#sinceLastVisit = sinceLastVisit));
    wire.on('data.replaced', () => void this.load());
  }

  /** Returns the counts for a list: of everything, or of the selected set. Null before the first visit has ended. */
  in(scope: ItemsQuery['scope']): (SinceLastVisit & { since: string }) | null {
    const counts = this.#sinceLastVisit;
    if (!counts || counts.since === null) return null;
    return { ...counts, ...(scope === 'selected' ? counts.selected : {}), since: counts.since };
  }

  async load(): Promise<void> {
    const reply = await this.#wire.call('visits.sinceLast', {});
    if (reply.ok) this.#sinceLastVisit = reply.value;
  }

  /** Ends the visit: items that arrive from now on are new. */
  async end(): Promise<Failure | null> {
    const reply = await this.#wire.call('visits.end', {});
    if (!reply.ok) return reply.error;
    this.#sinceLastVisit = reply.value;
    return null;
  }
}
