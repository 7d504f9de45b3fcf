import { toFailure } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';

export interface IndexingPorts {
  log: Log;
  /** Whose models the items are searched for: a gateway's name in the models; '' for none. */
  owner: string;
  /** The models that these items name are others than before. */
  onMentions(ids: string[]): void;
}

/** What follows the mirror. A step does a little; false: there is nothing more to do. */
interface Indexer {
  step(): boolean;
  /** What the log says of it when a step fails. */
  failed: string;
}

/**
 * Lets what is derived from items follow the mirror: the search index, and behind it the models that they name. A step at a
 * time, so that whatever else waits for this thread gets its turn.
 */
export class Indexing {
  readonly #store: Store;
  readonly #ports: IndexingPorts;
  readonly #search: ReturnType<Store['searchIndexer']>;
  readonly #mentions: ReturnType<Store['mentionIndexer']>;
  readonly #changed = new Set<string>();
  #going: Promise<void> | null = null;
  #stopped = false;

  constructor(store: Store, ports: IndexingPorts) {
    this.#store = store;
    this.#ports = ports;
    this.#search = store.searchIndexer();
    this.#mentions = store.mentionIndexer(ports.owner);
  }

  /** Resolves once all is level with the mirror. Does not reject. */
  catchUp(): Promise<void> {
    this.#going ??= this.#follow();
    return this.#going;
  }

  /** To be called when models, their names or the reader's aliases are others, or when it is another gateway's that count. */
  namesChanged(owner: string): void {
    this.#mentions.namesChanged(owner);
    void this.catchUp();
  }

  /** Resolves when the step that is going on is done. The rest is made up for after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#going;
  }

  async #follow(): Promise<void> {
    const indexers: Indexer[] = [
      { step: () => this.#search.step(), failed: 'The search index could not be brought up to date.' },
      { step: () => this.#findModels(), failed: 'The models that items name could not be found.' },
    ];
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.#stopped && this.#step(indexers));
    // In the same turn: what is written from here on needs a walk of its own.
    this.#going = null;
    this.#tell();
  }

  /** The first one that has something to do does a piece of it. One that fails rests until the next walk. */
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

  /** Once for a walk: to match everything anew takes many steps. */
  #tell(): void {
    if (this.#changed.size === 0 || this.#stopped) return;
    const ids = [...this.#changed];
    this.#changed.clear();
    this.#attempt(() => this.#ports.onMentions(ids), 'The models that items name could not be told.');
  }

  /** Brings what was written, the fetch log too, into the files: at the end of a round, for within a load it costs seconds. */
  checkpoint(): void {
    if (!this.#stopped)
      this.#attempt(() => this.#store.checkpoint(), 'What was written could not be moved to its files.');
  }

  /** All this is derived: what goes wrong with it is no fault of the news, and the next write tries again. */
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
