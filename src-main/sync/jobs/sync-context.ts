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
import type { UserPriority } from '../engine/user-priority.ts';
import { horizonOf } from '../engine/retention.ts';
import type { ServiceTime } from '../schedule/service-time.ts';
import type { Urgency } from '../schedule/types.ts';
import { isNetworkFailure } from './record-failures.ts';

export interface RunOptions {
  store: Store;
  news: NewsClient;
  clock: Clock;
  /** The time at the service that is synced. */
  serviceTime: ServiceTime;
  urgency: Urgency;
  emit: Emit;
  userPriority: UserPriority;
  /** Number of days before unselected items are deleted; null keeps them for ever. */
  keepDays: number | null;
  /** Called after every write that changed items. */
  onWrite(summary: WriteSummary): void;
  onProgress(progress: SyncProgress): void;
}

/** Result of a job. `lifetime`: how many ms the response is valid. */
export interface JobResult {
  modified: boolean;
  lifetime: number;
  /**
   * Delay in ms until unfinished work continues, if it need not wait for `lifetime`. The job still respects lifetimes.
   */
  again?: number;
  /** Up to this many ms are added to `again` at random, so that not every installation continues at the same time. */
  spread?: number;
}

type Counts = Pick<
  ResourceResult,
  'requests' | 'added' | 'revised' | 'withdrawn' | 'skipped' | 'unreadableFields' | 'missed'
> & {
  older: number;
};
type AgedItem = Pick<Item, 'discoveredAt' | 'publishedAt' | 'selected'>;

const KEPT_REASONS = 20;
/** The most that a reason has of an id, in UTF-16 units. */
const LONGEST_ID = 200;
/** Page limit, in case a service always names another page. The next run continues from what is saved. */
const MOST_REQUESTS = 1_000;

/**
 * Context of one sync of one resource: what its job works with, and counts of what it did, also if it fails halfway.
 */
export class Run {
  readonly store: Store;
  readonly news: NewsClient;
  /** Why it runs: `now` also fetches what is still valid. */
  readonly urgency: Urgency;
  /** Sends the events for saved changes, after the commit. */
  readonly emit: Emit;
  readonly account: Counts = { requests: 0, added: 0, older: 0, revised: 0, withdrawn: 0, skipped: 0 };
  /** Requests without a response. */
  unanswered = 0;
  /** Requests for single records leave room for those that somebody waits for. */
  readonly isSync = true;
  /** Records and words that an answer had twice. That is normal: only the log has the number. */
  repeated = 0;
  /** The first few reasons, for the fetch log. */
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

  /** Checks that an unselected item would be deleted because of its age. */
  isTooOld(item: AgedItem): boolean {
    const { keepDays, serviceTime } = this.#options;
    const now = serviceTime.forDeleting;
    if (keepDays === null || now === null || item.selected === true) return false;
    return isOlder(item, horizonOf(keepDays, now), now);
  }

  /** The time by which saved data expires, in ms since 1970: this clock may be wrong. 0, long ago, if it is unknown. */
  get expiryTime(): number {
    return this.#options.serviceTime.forDeleting ?? 0;
  }

  /** The time at the service, in ms since 1970. */
  get timeThere(): number {
    return this.#options.serviceTime.now;
  }

  /** Like {@link isTooOld}, but false for old items that were discovered lately: newer ones may follow them in a list. */
  isPastAge(item: AgedItem): boolean {
    const { keepDays } = this.#options;
    const now = this.expiryTime;
    return this.isTooOld(item) && isOlderByAnyTime(item, horizonOf(keepDays ?? 0, now), now);
  }

  /** True if the user waits for something: a background sync then ends early and continues later. */
  makesWay(): boolean {
    return this.urgency === 'due' && this.#options.userPriority.busy;
  }

  /** True if this run may send no more requests: a later one continues. */
  get isSpent(): boolean {
    return this.account.requests >= MOST_REQUESTS;
  }

  /** Sends a request and counts it, whether it succeeds or not. */
  async fetch<T extends { requests: number }>(send: () => Promise<T>): Promise<T> {
    if (this.isSpent) throw neverEnding();
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

  noteSkipped(skipped: readonly Skipped[]): void {
    const unread = skipped.filter(({ isRepeated }) => isRepeated !== true);
    const records = countSkipped(unread);
    this.repeated += skipped.length - unread.length;
    this.account.skipped += records;
    if (unread.length > records)
      this.account.unreadableFields = (this.account.unreadableFields ?? 0) + unread.length - records;
    const room = KEPT_REASONS - this.skippedReasons.length;
    for (const { id, reason } of unread.slice(0, room))
      this.skippedReasons.push(id ? `${id.slice(0, LONGEST_ID)}: ${reason}` : reason);
  }

  /** Something could not be downloaded, while the run goes on. `what`: its id or name. */
  noteMissed(what: string, error: { message: string }): void {
    this.account.missed = (this.account.missed ?? 0) + 1;
    this.noteSkipped([{ reason: `${what} could not be downloaded: ${error.message}` }]);
  }

  /** Counts changed records that are not items. Call this after the commit. */
  count(done: { added?: number; revised?: number; withdrawn?: number }): void {
    this.account.added += done.added ?? 0;
    this.account.revised += done.revised ?? 0;
    this.account.withdrawn += done.withdrawn ?? 0;
  }

  /** Runs one transaction and adds its changes to the counts after the commit. */
  write(work: (tx: Transaction) => void): WriteSummary {
    const summary = this.store.transaction((tx) => {
      work(tx);
      return tx.summary;
    });
    this.account.added += summary.added;
    // Nothing in a first download counts as new or old.
    if (summary.older > 0 && this.store.queries.visits.last()) this.account.older += summary.older;
    this.account.revised += summary.revised;
    this.account.withdrawn += summary.withdrawn;
    if (changesItems(summary)) this.#options.onWrite(summary);
    return summary;
  }

  /** Reports progress: another page was saved, with `stored` records up to now. */
  advance(stored: number, expected: number | null = null): void {
    this.#pages += 1;
    this.#options.onProgress({ stored, expected, pages: this.#pages });
  }
}

function neverEnding(): BroadsheetError {
  return new BroadsheetError('invalid_body', 'The service returned too many pages. Try again later.', {
    retryable: true,
  });
}
