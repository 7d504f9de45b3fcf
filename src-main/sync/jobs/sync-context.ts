import type { NewsClient } from '../../clients/news/client.ts';
import type { Skipped } from '../../clients/parsing/records.ts';
import { ServiceError } from '../../clients/http/service-error.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Emit } from '../../contract/events.ts';
import type { Item } from '../../contract/model/item.ts';
import type { SyncProgress } from '../../contract/model/sync-status.ts';
import type { Clock } from '../../contract/ports.ts';
import { changesItems, isOlder, type Store, type Transaction, type WriteSummary } from '../../store/index.ts';
import type { UserPriority } from '../engine/user-priority.ts';
import { horizonOf } from '../engine/retention.ts';
import type { Urgency } from '../schedule/types.ts';

interface RunOptions {
  store: Store;
  news: NewsClient;
  clock: Clock;
  urgency: Urgency;
  emit: Emit;
  userPriority: UserPriority;
  /** For how many days unselected items are kept; null for ever. */
  keepDays: number | null;
  /** Told after every write that changed items. */
  onWrite(summary: WriteSummary): void;
  onProgress(progress: SyncProgress): void;
}

/** What a step ends with. `lifetime`: for how many ms the answer is good. */
export interface JobResult {
  modified: boolean;
  lifetime: number;
  /** Where work is left that need not wait for that: in how many ms to go on. The step itself keeps to its lifetimes. */
  again?: number;
}

const KEPT_REASONS = 20;
/** A service that names one more page for ever must not hold a run for ever. What is stored by then is gone on from. */
const MOST_REQUESTS = 1_000;

/** One run of one resource: what its step works with, and the account of what it did, also when it fails midway. */
export class Run {
  readonly store: Store;
  readonly news: NewsClient;
  /** Why it runs: `now` asks also for what is still good. */
  readonly urgency: Urgency;
  /** Tells everyone what was stored, once it stands. */
  readonly emit: Emit;
  readonly account = { requests: 0, added: 0, revised: 0, withdrawn: 0, skipped: 0 };
  /** The first few, for the record. */
  readonly skippedReasons: string[] = [];
  readonly #options: RunOptions;
  #pages = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    this.store = options.store;
    this.news = options.news;
    this.urgency = options.urgency;
    this.emit = options.emit;
  }

  /** ms since 1970. */
  now(): number {
    return this.#options.clock.now();
  }

  /** Whether an item that is not of the selected set would be dropped for its age. */
  isTooOld(item: Pick<Item, 'discoveredAt' | 'publishedAt' | 'selected'>): boolean {
    const { keepDays } = this.#options;
    const now = this.now();
    return keepDays !== null && item.selected !== true && isOlder(item, horizonOf(keepDays, now), now);
  }

  /** Whether a reader waits for something: a round that nobody waits for ends early then, and goes on later. */
  makesWay(): boolean {
    return this.urgency === 'due' && this.#options.userPriority.busy;
  }

  /** Sends what `send` sends, and counts its requests whether or not they end well. */
  async ask<T extends { requests: number }>(send: () => Promise<T>): Promise<T> {
    if (this.account.requests >= MOST_REQUESTS) throw neverEnding();
    try {
      const answer = await send();
      this.account.requests += answer.requests;
      return answer;
    } catch (error) {
      if (error instanceof ServiceError) this.account.requests += error.requests;
      throw error;
    }
  }

  noteSkipped(skipped: readonly Skipped[]): void {
    this.account.skipped += skipped.length;
    const room = KEPT_REASONS - this.skippedReasons.length;
    this.skippedReasons.push(...skipped.slice(0, room).map(({ id, reason }) => (id ? `${id}: ${reason}` : reason)));
  }

  /** What became of records that are no items, once it stands. */
  tally(done: { added?: number; revised?: number; withdrawn?: number }): void {
    this.account.added += done.added ?? 0;
    this.account.revised += done.revised ?? 0;
    this.account.withdrawn += done.withdrawn ?? 0;
  }

  /** One transaction, whose effects go into the account once it stands. */
  write(work: (tx: Transaction) => void): WriteSummary {
    const summary = this.store.transaction((tx) => {
      work(tx);
      return tx.summary;
    });
    this.account.added += summary.added;
    this.account.revised += summary.revised;
    this.account.withdrawn += summary.withdrawn;
    if (changesItems(summary)) this.#options.onWrite(summary);
    return summary;
  }

  /** A page was stored, and `stored` records with it and those before it. */
  advance(stored: number, expected: number | null = null): void {
    this.#pages += 1;
    this.#options.onProgress({ stored, expected, pages: this.#pages });
  }
}

function neverEnding(): BroadsheetError {
  return new BroadsheetError('invalid_body', 'The service names one more page again and again. Try again later.', {
    retryable: true,
  });
}
