import { toFailure } from '../contract/errors.ts';
import type { Log } from '../contract/ports.ts';
import { explainStoreError } from '../store/errors.ts';
import { SearchFollower } from '../store/search_follower.ts';
import type { StoreWriter } from '../store/writer.ts';

/** Lets the search index follow the mirror, a step at a time, so that whatever else waits for this thread gets its turn. */
export class Indexing {
  readonly #store: StoreWriter;
  readonly #log: Log;
  readonly #follower: SearchFollower;
  #going: Promise<void> | null = null;
  #stopped = false;

  constructor(store: StoreWriter, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#follower = new SearchFollower(store.database);
  }

  /** Resolves once the index is level with the mirror. Does not reject. */
  catchUp(): Promise<void> {
    this.#going ??= this.#follow();
    return this.#going;
  }

  /** Resolves when the step that is going on is done. The rest is made up for after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#going;
  }

  async #follow(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.#stopped && this.#attempt(() => this.#follower.step()));
    // In the same turn: what is written from here on needs a walk of its own.
    this.#going = null;
  }

  /** Brings what was written, the journal too, into the files: at the end of a round, for within a load it costs seconds. */
  checkpoint(): void {
    if (!this.#stopped) this.#attempt(() => this.#store.checkpoint());
  }

  /** The index is derived: what goes wrong with it is no fault of the news, and the next write tries again. */
  #attempt<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      const { code } = toFailure(explainStoreError(error));
      this.#log('warn', 'The search index could not be brought up to date.', { code });
      return null;
    }
  }
}
