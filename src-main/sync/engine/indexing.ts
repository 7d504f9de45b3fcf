import { toFailure } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';

export interface IndexingPorts {
  log: Log;
  /** Name of the gateway whose models are searched for in items; '' without a gateway. */
  owner: string;
  /** Whether to wait: nobody searches what a first load has not shown yet. */
  isHeld?(): boolean;
  /** The models mentioned by these items have changed. */
  onMentions(ids: string[]): void;
}

/** An incremental job. Each step does a small part and returns false when nothing is left to do. */
interface Indexer {
  step(): boolean;
  /** Log message for a failed step. */
  failed: string;
}

/**
 * Keeps data that is derived from items up to date: their addresses, the search index, then the mentioned models. Works in small steps so
 * that other work on this thread isn't held up.
 */
export class Indexing {
  readonly #store: Store;
  readonly #ports: IndexingPorts;
  readonly #addresses: ReturnType<Store['addressIndexer']>;
  readonly #search: ReturnType<Store['searchIndexer']>;
  readonly #mentions: ReturnType<Store['mentionIndexer']>;
  readonly #changed = new Set<string>();
  #going: Promise<void> | null = null;
  #stopped = false;

  constructor(store: Store, ports: IndexingPorts) {
    this.#store = store;
    this.#ports = ports;
    this.#addresses = store.addressIndexer();
    this.#search = store.searchIndexer();
    this.#mentions = store.mentionIndexer(ports.owner);
  }

  /** Resolves when everything is up to date. Does not reject. */
  catchUp(): Promise<void> {
    this.#going ??= this.#follow();
    return this.#going;
  }

  /** Call this when models, their names or aliases, or the gateway have changed. */
  namesChanged(owner: string): void {
    this.#mentions.namesChanged(owner);
    void this.catchUp();
  }

  /** Resolves when the current step has ended. The rest is done after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#going;
  }

  async #follow(): Promise<void> {
    const indexers: Indexer[] = [
      { step: () => this.#addresses.step(), failed: 'Indexing the addresses of items failed' },
      { step: () => this.#search.step(), failed: 'Updating the search index failed' },
      { step: () => this.#findModels(), failed: 'Finding the models that items mention failed' },
    ];
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.#stopped && this.#ports.isHeld?.() !== true && this.#step(indexers));
    // Synchronously: whatever is written from now on needs another pass.
    this.#going = null;
    this.#publish();
  }

  /** Runs a step of the first job that has work left. A failed job pauses until the next pass. */
  #step(indexers: Indexer[]): boolean {
    for (const indexer of [...indexers]) {
      const went = this.#attempt(() => indexer.step(), indexer.failed);
      if (went === null) indexers.splice(indexers.indexOf(indexer), 1);
      else if (went) return true;
    }
    return false;
  }

  #findModels(): boolean {
    const changed = this.#mentions.step();
    for (const id of changed ?? []) this.#changed.add(id);
    return changed !== null;
  }

  /** Once per pass: matching all items again takes many steps. */
  #publish(): void {
    if (this.#changed.size === 0 || this.#stopped) return;
    const ids = [...this.#changed];
    this.#changed.clear();
    this.#attempt(() => this.#ports.onMentions(ids), 'Reporting changed mentions of models failed');
  }

  /** Checkpoints the databases and the fetch log after a sync: during a load it would take seconds. */
  checkpoint(): void {
    if (!this.#stopped) this.#attempt(() => this.#store.checkpoint(), 'Checkpointing the databases failed');
  }

  /** Errors are only logged: the data is derived, and the next write tries again. */
  #attempt<T>(work: () => T, failed: string): T | null {
    try {
      return work();
    } catch (error) {
      const { code } = toFailure(error);
      this.#ports.log('warn', failed, { code });
      return null;
    }
  }
}
