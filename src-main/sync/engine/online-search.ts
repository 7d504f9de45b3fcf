import { randomUUID } from 'node:crypto';
import { shanghaiDay } from '../../common/shanghai.ts';
import type { NewsClient } from '../../clients/news/client.ts';
import { checkItemsRequest, type ItemsRequest } from '../../clients/news/query.ts';
import type { ItemsAnswer } from '../../clients/news/schemas.ts';
import type { Api } from '../../contract/api.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { OnlineSearch as Wanted } from '../../contract/model/visit.ts';
import type { ScheduleState, Store } from '../../store/index.ts';
import { RetryAfterGate, retryAfterOf } from '../schedule/retry-after-gate.ts';

type Found = Api['items.searchOnline']['result'];

interface OnlineSearchPorts {
  store: Store;
  news: NewsClient;
  clock: Clock;
  log: Log;
  /** When the polling asked for items, for a Retry-After that it was given. */
  itemsFacts(): ScheduleState | null;
}

/** Where a search goes on. */
interface Place {
  /** The search that the cursor is bound to. */
  search: string;
  cursor: string;
  /** The Asia/Shanghai day on which it was given: cursors are not kept across days (document 1 section 4.1). */
  day: string;
}

/** A page as it was answered: the same question is not asked again before its lifetime has run out. */
interface KeptPage {
  value: ItemsAnswer;
  validator: string | null;
  requestedAt: number;
  lifetimeMs: number;
}

const KEPT_PLACES = 50;
const KEPT_PAGES = 20;

/**
 * Searches at the service itself (`GET /api/v1/items`, document 1 section 4.1). What it finds is shown with what is stored
 * of it, and not stored: the store follows the service by its own ways. Cursors and pages live in memory only.
 */
export class OnlineSearch {
  readonly #ports: OnlineSearchPorts;
  readonly #pause = new RetryAfterGate();
  readonly #places = new Map<string, Place>();
  readonly #pages = new Map<string, KeptPage>();

  constructor(ports: OnlineSearchPorts) {
    this.#ports = ports;
  }

  /**
   * One page. A place that the service, or the day, has let go begins the search anew and says so with `restarted`.
   * Errors: `invalid_argument` before anything is sent, `rate_limited` while the service wants a pause, and the client's.
   */
  async search({ request, cursor: token }: Api['items.searchOnline']['args']): Promise<Found> {
    const query = toQuery(request);
    const search = JSON.stringify(query);
    if (token === undefined) return this.#page(query, search, null);
    const place = this.#places.get(token);
    if (place && place.search !== search) throw notOfThisSearch();
    if (place?.day !== this.#today()) return this.#restart(query, search);
    try {
      return await this.#page(query, search, place.cursor);
    } catch (error) {
      if (!(error instanceof BroadsheetError) || error.code !== 'invalid_cursor') throw error;
      return this.#restart(query, search);
    }
  }

  async #restart(query: ItemsRequest, search: string): Promise<Found> {
    // A first page that is kept names the very place that is gone.
    this.#pages.delete(search);
    return { ...(await this.#page(query, search, null)), restarted: true };
  }

  async #page(query: ItemsRequest, search: string, cursor: string | null): Promise<Found> {
    const { items, nextCursor } = await this.#ask(query, cursor === null ? search : `${search} ${cursor}`, cursor);
    return {
      items: items.map((item) => this.#ports.store.queries.items.online(item)),
      next: nextCursor === null ? null : this.#keepPlace({ search, cursor: nextCursor, day: this.#today() }),
      restarted: false,
    };
  }

  async #ask(query: ItemsRequest, name: string, cursor: string | null): Promise<ItemsAnswer> {
    const { news, clock, log } = this.#ports;
    const kept = this.#pages.get(name);
    const age = kept ? clock.now() - kept.requestedAt : -1;
    if (kept && age >= 0 && age < kept.lifetimeMs) return kept.value;
    const wait = this.#pauseLeft();
    if (wait > 0) throw retryAfterOf(wait);
    try {
      const answer = await news.items(
        { ...query, ...(cursor !== null && { cursor }) },
        { validator: kept?.validator ?? undefined },
      );
      const value = answer.kind === 'notModified' ? kept?.value : answer.value;
      if (!value) throw new BroadsheetError('invalid_body', 'The service answered "not modified" to a new question.');
      if (value.skipped.length > 0) {
        log('warn', 'Items of a search could not be read.', { skipped: value.skipped.length });
      }
      const { validator, lifetimeMs } = answer;
      keepNewest(this.#pages, name, { value, validator, requestedAt: clock.now(), lifetimeMs }, KEPT_PAGES);
      return value;
    } catch (error) {
      this.#pause.note(error, clock.now());
      throw error;
    }
  }

  /** A Retry-After holds for every question, whoever was told of it. In ms. */
  #pauseLeft(): number {
    const now = this.#ports.clock.now();
    const facts = this.#ports.itemsFacts();
    return Math.max(this.#pause.left(now), facts ? facts.requestedAt + facts.retryAfter - now : 0);
  }

  #keepPlace(place: Place): string {
    const token = randomUUID();
    keepNewest(this.#places, token, place, KEPT_PLACES);
    return token;
  }

  #today(): string {
    return shanghaiDay(this.#ports.clock.now());
  }
}

/** What is to be sent: a text of nothing but spaces is no text. Errors: `invalid_argument`. */
function toQuery({ q, ...request }: Wanted): ItemsRequest {
  return checkItemsRequest(q === undefined || q.trim() === '' ? request : { ...request, q });
}

function keepNewest<T>(kept: Map<string, T>, name: string, value: T, most: number): void {
  kept.delete(name);
  kept.set(name, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}

function notOfThisSearch(): BroadsheetError {
  return new BroadsheetError('invalid_argument', 'This page address belongs to another search. Search again.');
}
