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
import type { Urgency } from '../schedule/types.ts';
import { isNetworkFailure } from './record-failures.ts';

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

/** `lifetime` is in ms. */
export interface JobResult {
  modified: boolean;
  lifetime: number;
  /** In ms, if unfinished work need not wait for `lifetime`. */
  again?: number;
  /** In ms, added at random to `again`, so that not every installation continues at the same time. */
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
const KEPT_REASONS = 20;
/** In UTF-16 units. */
const LONGEST_ID = 200;
/** A service may always name another page. The next run continues from what is saved. */
const MOST_REQUESTS = 1_000;

/** Counts what a job did, also if it fails halfway. */
export class SyncContext {
  readonly store: Store;
  readonly news: NewsClient;
  readonly urgency: Urgency;
  readonly emit: Emit;
  readonly account: Counts = { requests: 0, added: 0, older: 0, revised: 0, withdrawn: 0, skipped: 0 };
  unanswered = 0;
  readonly isSync = true;
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
    if (keepDays === null || now === null || item.selected === true) return false;
    return isOlder(item, horizonOf(keepDays, now), now);
  }

  /** In ms since 1970, by the service's clock: this one may be wrong. 0 if it is unknown. */
  get expiryTime(): number {
    return this.#options.serviceTime.forDeleting ?? 0;
  }

  get timeThere(): number {
    return this.#options.serviceTime.now;
  }

  /**
   * Like {@link isTooOld}, but false for old items that were discovered lately: newer ones may follow them in a list.
   */
  isPastAge(item: AgedItem): boolean {
    const { keepDays } = this.#options;
    const now = this.expiryTime;
    return this.isTooOld(item) && isOlderByAnyTime(item, horizonOf(keepDays ?? 0, now), now);
  }

  makesWay(): boolean {
    return this.urgency === 'due' && this.#options.userPriority.busy;
  }

  get isSpent(): boolean {
    return this.account.requests >= MOST_REQUESTS;
  }

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

  noteMissed(what: string, error: { message: string }): void {
    this.account.missed = (this.account.missed ?? 0) + 1;
    this.noteSkipped([{ reason: `${what} could not be downloaded: ${error.message}` }]);
  }

  /** Call this after the commit. */
  count(done: { added?: number; revised?: number; withdrawn?: number }): void {
    this.account.added += done.added ?? 0;
    this.account.revised += done.revised ?? 0;
    this.account.withdrawn += done.withdrawn ?? 0;
  }

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

/** In ms since 1970. */
export function horizonOf(days: number, now: number): number {
  return now - days * DAY;
}
