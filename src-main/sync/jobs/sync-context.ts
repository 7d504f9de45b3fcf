import type { NewsClient } from '../../clients/news/client.ts';
import { countSkipped, type Skipped } from '../../clients/parsing/records.ts';
import { ServiceError } from '../../clients/http/service-error.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Emit } from '../../contract/events.ts';
import type { Item } from '../../contract/model/item.ts';
import type { ResourceResult, SyncProgress } from '../../contract/model/sync-status.ts';
import type { Clock } from '../../contract/ports.ts';
import {
  changesItems,
  isOlder,
  isOlderByAnyTime,
  type Store,
  type Transaction,
  type WriteSummary,
} from '../../store/index.ts';
import type { UserPriority } from '../engine/activity.ts';
import type { ServiceTime } from '../schedule/service-time.ts';
import { isNetworkFailure } from './record-failures.ts';

/** A sync fetches what is due, what the cache rules permit, or everything. `all` also reconciles the whole item list. */
export type Urgency = 'due' | 'permitted' | 'now' | 'all';

export function fetchesValid(urgency: Urgency): boolean {
  return urgency === 'now' || urgency === 'all';
}

/** Tells whether a sync fetches what a running one leaves out. What a `due` one leaves to a `permitted` one is due soon. */
export function isMoreUrgent(urgency: Urgency, running: Urgency): boolean {
  return fetchesValid(urgency) && urgency !== running && running !== 'all';
}

export interface SyncContextOptions {
  store: Store;
  news: NewsClient;
  clock: Clock;
  serviceTime: ServiceTime;
  urgency: Urgency;
  emit: Emit;
  userPriority: UserPriority;
  keepDays: number | null;
  onWrite(summary: WriteSummary): void;
  onProgress(progress: SyncProgress): void;
}

/** Times are in ms. Unfinished work continues after `again` and a random part of `spread` instead of `lifetime`. */
export interface JobResult {
  modified: boolean;
  lifetime: number;
  again?: number;
  spread?: number;
}

type Counts = Pick<
  ResourceResult,
  'requests' | 'added' | 'revised' | 'withdrawn' | 'skipped' | 'unreadableFields' | 'missed'
> & {
  older: number;
};
type AgedItem = Pick<Item, 'discoveredAt' | 'publishedAt' | 'selected'>;

const DAY = 24 * 3_600_000;
const MAX_REASONS = 20;
const MAX_ID = 200;
/** A service may always name another page. The next sync continues from what is saved. */
const MAX_REQUESTS = 1_000;

export class SyncContext {
  readonly store: Store;
  readonly news: NewsClient;
  readonly urgency: Urgency;
  readonly emit: Emit;
  readonly account: Counts = { requests: 0, added: 0, older: 0, revised: 0, withdrawn: 0, skipped: 0 };
  unanswered = 0;
  readonly isSync: boolean = true;
  /** Records and words that an answer had twice, which is normal: only logged. */
  repeated = 0;
  readonly skippedReasons: string[] = [];
  readonly #options: SyncContextOptions;
  #pages = 0;

  constructor(options: SyncContextOptions) {
    this.#options = options;
    this.store = options.store;
    this.news = options.news;
    this.urgency = options.urgency;
    this.emit = options.emit;
  }

  now(): number {
    return this.#options.clock.now();
  }

  isTooOld(item: AgedItem): boolean {
    const { keepDays, serviceTime } = this.#options;
    const now = serviceTime.forDeleting;
    if (keepDays === null || now === null) return false;
    // Later, the set says what is in it: the list goes on marking what has left.
    if (item.selected === true && !this.store.queries.selectedSet.complete) return false;
    return isOlder(item, horizonOf(keepDays, now), now);
  }

  /** In ms since 1970, by the service's clock: this one may be wrong. 0 if it is unknown. */
  get nowForDeleting(): number {
    return this.#options.serviceTime.forDeleting ?? 0;
  }

  get serviceNow(): number {
    return this.#options.serviceTime.now;
  }

  /** Unlike {@link isTooOld}, false for old items that were discovered lately: newer ones may follow them in a list. */
  isPastAge(item: AgedItem): boolean {
    const { keepDays } = this.#options;
    const now = this.nowForDeleting;
    return this.isTooOld(item) && isOlderByAnyTime(item, horizonOf(keepDays ?? 0, now), now);
  }

  mustYield(): boolean {
    return this.urgency === 'due' && this.#options.userPriority.busy;
  }

  get isSpent(): boolean {
    return this.account.requests >= MAX_REQUESTS;
  }

  async fetch<T extends { requests: number }>(send: () => Promise<T>): Promise<T> {
    if (this.isSpent) {
      const message = 'The service returned too many pages. Try again later.';
      throw new BroadsheetError('invalid_body', message, { retryable: true });
    }
    try {
      const answer = await send();
      this.account.requests += answer.requests;
      return answer;
    } catch (error) {
      if (error instanceof ServiceError) {
        this.account.requests += error.requests;
        // Those before the last one were answered: pages and redirects.
        if (error.requests > 0 && isNetworkFailure(error.code)) this.unanswered += 1;
      }
      throw error;
    }
  }

  recordSkipped(skipped: readonly Skipped[]): void {
    const unread = skipped.filter(({ isRepeated }) => isRepeated !== true);
    const records = countSkipped(unread);
    this.repeated += skipped.length - unread.length;
    this.account.skipped += records;
    if (unread.length > records)
      this.account.unreadableFields = (this.account.unreadableFields ?? 0) + unread.length - records;
    const room = MAX_REASONS - this.skippedReasons.length;
    for (const { id, reason } of unread.slice(0, room))
      this.skippedReasons.push(id ? `${id.slice(0, MAX_ID)}: ${reason}` : reason);
  }

  recordMissed(what: string, error: { message: string }): void {
    this.account.missed = (this.account.missed ?? 0) + 1;
    this.recordSkipped([{ reason: `${what} could not be downloaded: ${error.message}` }]);
  }

  count(done: { added?: number; revised?: number; withdrawn?: number }): void {
    this.account.added += done.added ?? 0;
    this.account.revised += done.revised ?? 0;
    this.account.withdrawn += done.withdrawn ?? 0;
  }

  write<T>(work: (tx: Transaction) => T): T {
    const { result, summary } = this.store.transaction((tx) => ({ result: work(tx), summary: tx.summary }));
    this.count(summary);
    // Nothing in a first download counts as new or old.
    if (summary.older > 0 && this.store.queries.visits.last()) this.account.older += summary.older;
    if (changesItems(summary)) this.#options.onWrite(summary);
    return result;
  }

  advance(stored: number, expected: number | null = null): void {
    this.#pages += 1;
    this.#options.onProgress({ stored, expected, pages: this.#pages });
  }
}

export function horizonOf(days: number, now: number): number {
  return now - days * DAY;
}
