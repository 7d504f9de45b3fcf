import { logFields, toFailure, type Failure } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import { DERIVED_NAMES, type DerivedName, type Store } from '../../store/index.ts';

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

/** After more in a row, this thread does the work. */
const MAX_FAILURES = 3;
/** About 6,000 items, or a third of a second. */
const RULE_STEPS_AN_EVENT = 20;

type Followed = DerivedName | 'merging';
const FOLLOWED: readonly Followed[] = [...DERIVED_NAMES, 'merging'];
const IN_THREAD: ReadonlySet<Followed> = new Set(['itemTexts', 'reportTexts', 'merging']);
const FAILED: Readonly<Record<Followed, string>> = {
  listIndexes: 'Creating the indexes of lists failed',
  statuses: 'Marking items failed',
  counters: 'Counting items failed',
  rules: 'Matching items with rules failed',
  addresses: 'Indexing the addresses of items failed',
  coverage: 'Linking items with their stories failed',
  mentions: 'Finding the models that items mention failed',
  itemTexts: 'Updating the search index failed',
  reportTexts: 'Indexing reports for the search failed',
  merging: 'Merging the search index failed',
};

export class Indexing {
  readonly #store: Store;
  readonly #ports: IndexingPorts;
  readonly #search: ReturnType<Store['searchIndexer']>;
  #owner: string | null;
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
    this.#search = store.searchIndexer();
    this.#owner = ports.owner;
    this.#thread = new IdleThread(ports.startIndexer ?? null);
  }

  /** Does not reject. */
  async catchUp(): Promise<void> {
    this.#indexInThread();
    this.#going ??= this.#follow();
    await this.#going;
    await this.#inThread;
  }

  namesChanged(owner: string): void {
    this.#owner = owner;
    void this.catchUp();
  }

  get failure(): Failure | null {
    return [...this.#failures.values()][0] ?? null;
  }

  prepare(): void {
    if (!this.#stopped && this.#thread.isAvailable) this.#useThread(true);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#going, this.#thread.stop()]);
  }

  async #follow(): Promise<void> {
    const following = new Set(FOLLOWED);
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.#stopped && !this.#isLoading && this.#step(following));
    // Synchronously: writes after this need another pass.
    this.#going = null;
    this.#publish();
  }

  #indexInThread(): void {
    if (this.#stopped || !this.#thread.isAvailable) return;
    const more = this.#isLoading;
    const lag = this.#attempt(() => this.#search.lag(WORTH_A_THREAD), FAILED.itemTexts);
    if (lag === null || lag === 'none' || (lag === 'few' && !more && !this.#inThread)) return;
    this.#useThread(more);
  }

  #useThread(more: boolean): void {
    const work = this.#thread
      .catchUp(more)
      .then(
        () => void this.#failures.delete(FAILED.itemTexts),
        (error: unknown) => {
          if (!this.#stopped) this.#recordFailure(error, FAILED.itemTexts);
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

  /** A failure of one stops only that one. */
  #step(following: Set<Followed>): boolean {
    for (const name of following) {
      const worked = this.#attempt(() => this.#derive(name), FAILED[name]);
      if (worked === null) {
        following.delete(name);
        continue;
      }
      if (this.#inThread === null || name !== 'itemTexts') this.#failures.delete(FAILED[name]);
      if (worked) return true;
    }
    return false;
  }

  #derive(name: Followed): boolean {
    if (this.#inThread && IN_THREAD.has(name)) return false;
    // The thread merges after a load.
    if (name === 'merging') return !this.#thread.isAvailable && this.#search.merge();
    if (name === 'mentions') this.#saveOwner();
    const ids = this.#store.derive(name);
    for (const id of ids ?? []) this.#changed.add(id);
    if (name === 'rules') this.#countRuleStep(ids !== null);
    return ids !== null;
  }

  #saveOwner(): void {
    const owner = this.#owner;
    if (owner === null) return;
    this.#store.transaction(({ mirror }) => {
      mirror.set('mentions_owner', owner === '' ? null : owner);
    });
    this.#owner = null;
  }

  #countRuleStep(worked: boolean): void {
    const isEventDue = worked ? (this.#ruleSteps + 1) % RULE_STEPS_AN_EVENT === 0 : this.#ruleSteps > 0;
    this.#ruleSteps = worked ? this.#ruleSteps + 1 : 0;
    if (isEventDue) this.#attempt(() => this.#ports.onRules?.(), 'Reporting matched rules failed');
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
    this.#failures.set(failed, failure);
    this.#ports.log('warn', failed, logFields(error));
    if (failure.code === 'data_unreadable') this.#ports.onDamage?.();
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
