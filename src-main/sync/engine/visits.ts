import { toFailure } from '../../contract/errors.ts';
import type { SyncResult } from '../../contract/model/sync-status.ts';
import type { Log } from '../../contract/ports.ts';
import type { SinceLastVisit } from '../../contract/model/visit.ts';
import type { Store } from '../../store/index.ts';
import type { Emit } from '../../contract/events.ts';

/** Where the reader's visit begins and ends, and the event for what is new since the last one. */
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

  /** The reader has caught up. Before the first copy is whole there is nothing to count from. */
  end(): SinceLastVisit {
    if (this.#store.queries.visits.last()) this.#endVisit();
    return this.#tell();
  }

  /** To be called after every write that changed items. */
  afterWrite(): void {
    if (this.#store.queries.visits.last()) this.#tell();
  }

  /** The first snapshot and the first walk through the list are where counting begins: what they bring is not new. */
  afterRound({ items }: SyncResult['resources']): void {
    this.#walked ||= items.status === 'ok' || items.status === 'notModified';
    if (!this.#walked || !this.#store.queries.selectedSet.complete || this.#store.queries.visits.last()) return;
    try {
      this.#endVisit();
      this.#tell();
    } catch (error) {
      // Tried again after the next round: what this one did stands.
      const { code, message } = toFailure(error);
      this.#log('warn', message, { code });
    }
  }

  #endVisit(): void {
    this.#store.transaction(({ visits, now }) => {
      visits.end(now);
    });
  }

  #tell(): SinceLastVisit {
    const caughtUp = this.#store.queries.visits.sinceLast();
    this.#emit('visits.changed', caughtUp);
    return caughtUp;
  }
}
