import { toFailure, type Failure } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';

export interface IndexingPorts {
  log: Log;
  /** '' without a gateway. */
  owner: string;
  /** Derived data waits for the end of a first load. */
  isLoading?(): boolean;
  startIndexer?: () => IndexerThread;
  onRules?(): void;
  onMentions(ids: string[]): void;
  onDamage?(): void;
}

export interface IndexerThread {
  /** Errors: the store's; `closed` if the thread stopped. */
  catchUp(more: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Fewer items aren't worth the thread's start, except during a first load. */
const WORTH_A_THREAD = 500;
const IDLE = 10_000;

interface Indexer {
  /** Returns false when nothing is left to do. */
  step(): boolean;
  failed: string;
}

/** After more in a row, this thread does the work. */
const MAX_FAILURES = 3;
/** About 6,000 items, or a third of a second. */
const RULE_STEPS_AN_EVENT = 20;
const SEARCH_FAILED = 'Updating the search index failed';

export class Indexing {
  readonly #store: Store;
  readonly #ports: IndexingPorts;
  readonly #addresses: ReturnType<Store['addressIndexer']>;
  readonly #search: ReturnType<Store['searchIndexer']>;
  readonly #mentions: ReturnType<Store['mentionIndexer']>;
  readonly #changed = new Set<string>();
  readonly #thread: IdleThread;
  #going: Promise<void> | null = null;
  #inThread: Promise<void> | null = null;
  #stopped = false;
  readonly #failures = new Map<string, Failure>();
  #ruleSteps = 0;

  constructor(store: Store, ports: IndexingPorts) {
    this.#store = store;
    this.#ports = ports;
    this.#addresses = store.addressIndexer();
    this.#search = store.searchIndexer();
    this.#thread = new IdleThread(ports.startIndexer ?? null);
    this.#mentions = store.mentionIndexer(ports.owner);
  }

  /** Does not reject. */
  async catchUp(): Promise<void> {
    this.#indexInThread();
    this.#going ??= this.#follow();
    await this.#going;
    await this.#inThread;
  }

  get failure(): Failure | null {
    return [...this.#failures.values()][0] ?? null;
  }

  prepare(): void {
    if (!this.#stopped && this.#thread.isAvailable) this.#useThread(true);
  }

  namesChanged(owner: string): void {
    this.#mentions.namesChanged(owner);
    void this.catchUp();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#going, this.#thread.stop()]);
  }

  async #follow(): Promise<void> {
    const indexers: Indexer[] = [
      { step: () => this.#store.createListIndex(), failed: 'Creating the indexes of lists failed' },
      { step: () => this.#matchRules(), failed: 'Matching items with rules failed' },
      { step: () => this.#addresses.step(), failed: 'Indexing the addresses of items failed' },
      { step: () => this.#inThread === null && this.#indexHere(), failed: SEARCH_FAILED },
      { step: () => this.#findModels(), failed: 'Finding the models that items mention failed' },
    ];
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.#stopped && !this.#isLoading && this.#step(indexers));
    // Synchronously: writes after this need another pass.
    this.#going = null;
    this.#publish();
  }

  /** The thread merges after a load; without one, this one does. */
  #indexHere(): boolean {
    return this.#thread.isAvailable ? this.#search.index() : this.#search.step();
  }

  #indexInThread(): void {
    if (this.#stopped || !this.#thread.isAvailable) return;
    const more = this.#isLoading;
    const lag = this.#attempt(() => this.#search.lag(WORTH_A_THREAD), SEARCH_FAILED);
    if (lag === null || lag === 'none' || (lag === 'few' && !more && !this.#inThread)) return;
    this.#useThread(more);
  }

  #useThread(more: boolean): void {
    const work = this.#thread
      .catchUp(more)
      .then(
        () => void this.#failures.delete(SEARCH_FAILED),
        (error: unknown) => {
          if (!this.#stopped) this.#recordFailure(error, SEARCH_FAILED);
        },
      )
      .then(() => {
        if (this.#inThread === work) this.#inThread = null;
      });
    this.#inThread = work;
  }

  get #isLoading(): boolean {
    return this.#ports.isLoading?.() ?? false;
  }

  #step(indexers: Indexer[]): boolean {
    for (const indexer of [...indexers]) {
      const worked = this.#attempt(() => indexer.step(), indexer.failed);
      if (worked === null) {
        indexers.splice(indexers.indexOf(indexer), 1);
        continue;
      }
      if (this.#inThread === null || indexer.failed !== SEARCH_FAILED) this.#failures.delete(indexer.failed);
      if (worked) return true;
    }
    return false;
  }

  #matchRules(): boolean {
    const worked = this.#store.matchRules();
    const isEventDue = worked ? (this.#ruleSteps + 1) % RULE_STEPS_AN_EVENT === 0 : this.#ruleSteps > 0;
    this.#ruleSteps = worked ? this.#ruleSteps + 1 : 0;
    if (isEventDue) this.#attempt(() => this.#ports.onRules?.(), 'Reporting matched rules failed');
    return worked;
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

  /** Call it after a sync: during a load it would take seconds. */
  checkpoint(): void {
    if (!this.#stopped) this.#attempt(() => this.#store.checkpoint(), 'Checkpointing the databases failed');
  }

  /** Only logs errors: the next write tries again. */
  #attempt<T>(work: () => T, failed: string): T | null {
    try {
      return work();
    } catch (error) {
      this.#recordFailure(error, failed);
      return null;
    }
  }

  #recordFailure(error: unknown, failed: string): void {
    const failure = toFailure(error);
    const { code } = failure;
    this.#failures.set(failed, failure);
    this.#ports.log('warn', failed, { code });
    if (code === 'data_unreadable') this.#ports.onDamage?.();
  }
}

class IdleThread {
  readonly #start: (() => IndexerThread) | null;
  #thread: IndexerThread | null = null;
  #calls = 0;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(start: (() => IndexerThread) | null) {
    this.#start = start;
  }

  get isAvailable(): boolean {
    return this.#start !== null && this.#failures < MAX_FAILURES;
  }

  async catchUp(more: boolean): Promise<void> {
    clearTimeout(this.#timer);
    this.#thread ??= this.#start?.() ?? null;
    const thread = this.#thread;
    this.#calls += 1;
    try {
      await thread?.catchUp(more);
      this.#failures = 0;
    } catch (error) {
      // Several calls may wait for one thread: its failure counts once. The next call starts another thread.
      if (this.#thread !== thread) return;
      this.#failures += 1;
      void this.stop();
      throw error;
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0 && this.#thread) this.#timer = setTimeout(() => void this.stop(), IDLE).unref();
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.stop();
  }
}
