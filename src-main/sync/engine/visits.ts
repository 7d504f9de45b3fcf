import { toFailure } from '../../contract/errors.ts';
import type { SyncResult } from '../../contract/model/sync-status.ts';
import type { Log } from '../../contract/ports.ts';
import type { SinceLastVisit } from '../../contract/model/visit.ts';
import type { Store } from '../../store/index.ts';
import type { Emit } from '../../contract/events.ts';

/** Start and end of the user's visits, and the event with what changed since the last one. */
export class Visits {
  readonly #store: Store;
  readonly #emit: Emit;
  readonly #log: Log;
  #walked = false;

  constructor({ store, emit, log }: { store: Store; emit: Emit; log: Log }) {
    this.#store = store;
    this.#emit = emit;
    this.#log = log;
  }

  /** Ends the visit. Does nothing before the first sync is complete, because there is nothing to count from. */
  end(): SinceLastVisit {
    if (this.#store.queries.visits.last()) this.#endVisit();
    return this.#publish();
  }

  /** Call this after every write that changed items. */
  afterWrite(): void {
    if (this.#store.queries.visits.last()) this.#publish();
  }

  /** Counting starts after the first snapshot and the first pass through all items: nothing in them counts as new. */
  afterRound({ items }: SyncResult['resources']): void {
    this.#walked ||= items.status === 'ok' || items.status === 'notModified';
    if (!this.#walked || !this.#store.queries.selectedSet.complete || this.#store.queries.visits.last()) return;
    try {
      this.#endVisit();
      this.#publish();
    } catch (error) {
      // Tried again after the next sync; what this one saved is not affected.
      const { code, message } = toFailure(error);
      this.#log('warn', message, { code });
    }
  }

  #endVisit(): void {
    this.#store.transaction(({ visits, now }) => {
      visits.end(now);
    });
  }

  #publish(): SinceLastVisit {
    const summary = this.#store.queries.visits.sinceLast();
    this.#emit('visits.changed', summary);
    return summary;
  }
}
