import { randomUUID } from 'node:crypto';
import { shanghaiDay } from '../../common/time.ts';
import { checkItemsRequest, type NewsClient } from '../../clients/news/client.ts';
import type { ItemsAnswer, ItemsRequest } from '../../clients/news/schemas.ts';
import type { Args, Result } from '../../contract/methods.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { OnlineSearch as Wanted } from '../../contract/model/item.ts';
import type { Store } from '../../store/index.ts';
import type { UserPriority } from './activity.ts';
import type { Visits } from './follow-ups.ts';
import { Guide } from './guide.ts';
import type { EngineBodies } from './types.ts';

interface MethodPorts extends OnlineSearchPorts {
  visits: Visits;
  newsAt(address: string): NewsClient;
  userPriority: UserPriority;
}

export function newsMethods(ports: MethodPorts) {
  const { visits, newsAt, userPriority } = ports;
  const search = new OnlineSearch(ports);
  const guide = new Guide(ports);
  return {
    'visits.end': () => visits.end(),
    'items.searchOnline': (args) => userPriority.during(() => search.search(args)),
    'guide.open': () => userPriority.during(() => guide.open()),
    'source.test': async ({ address }) => {
      const answer = await newsAt(address).items({ limit: 1 });
      return { items: answer.kind === 'fresh' ? answer.value.items.length : 0 };
    },
  } satisfies Partial<EngineBodies>;
}

type Found = Result<'items.searchOnline'>;

interface OnlineSearchPorts {
  store: Store;
  news: NewsClient;
  clock: Clock;
  log: Log;
}

interface Position {
  search: string;
  cursor: string;
  /** The Asia/Shanghai date it was received on: cursors are not valid across days (document 1 section 4.1). */
  day: string;
}

/** The same request isn't sent again within its lifetime. */
interface CachedPage {
  value: ItemsAnswer;
  validator: string | null;
  requestedAt: number;
  lifetimeMs: number;
}

const MAX_POSITIONS = 50;
const MAX_PAGES = 20;

/**
 * Searches at the service (`GET /api/v1/items`, document 1 section 4.1). Results are not saved: only syncing adds
 * items.
 */
class OnlineSearch {
  readonly #ports: OnlineSearchPorts;
  readonly #positions = new Map<string, Position>();
  readonly #pages = new Map<string, CachedPage>();

  constructor(ports: OnlineSearchPorts) {
    this.#ports = ports;
  }

  /**
   * Leaves turns to other calls between steps, each saved by itself. Errors: those of the store, after which `whole`
   * has what was marked, and the rest is unread.
   */
  async search({ request, cursor: token }: Args<'items.searchOnline'>): Promise<Found> {
    const query = toQuery(request);
    const search = JSON.stringify(query);
    if (token === undefined) return this.#page(query, search, null);
    const position = this.#positions.get(token);
    if (position && position.search !== search) throw notOfThisSearch();
    if (position?.day !== this.#today()) return this.#restart(query, search);
    try {
      return await this.#page(query, search, position.cursor);
    } catch (error) {
      if (!(error instanceof BroadsheetError) || error.code !== 'invalid_cursor') throw error;
      return this.#restart(query, search);
    }
  }

  async #restart(query: ItemsRequest, search: string): Promise<Found> {
    // The cached first page contains the expired cursor.
    this.#pages.delete(search);
    return { ...(await this.#page(query, search, null)), restarted: true };
  }

  async #page(query: ItemsRequest, search: string, cursor: string | null): Promise<Found> {
    const { store, clock } = this.#ports;
    const { items, nextCursor } = await this.#fetch(query, cursor === null ? search : `${search} ${cursor}`, cursor);
    return {
      items: items.map((item) => store.queries.items.addSavedFacts(item, clock.now())),
      next: nextCursor === null ? null : this.#savePosition({ search, cursor: nextCursor, day: this.#today() }),
      restarted: false,
    };
  }

  async #fetch(query: ItemsRequest, name: string, cursor: string | null): Promise<ItemsAnswer> {
    const { news, clock, log } = this.#ports;
    const cached = this.#pages.get(name);
    const age = cached ? clock.now() - cached.requestedAt : -1;
    if (cached && age >= 0 && age < cached.lifetimeMs) return cached.value;
    const answer = await news.items(
      { ...query, ...(cursor !== null && { cursor }) },
      { validator: cached?.validator ?? undefined },
    );
    const value = answer.kind === 'notModified' ? cached?.value : answer.value;
    if (!value)
      throw new BroadsheetError('invalid_body', 'The service answered "not modified" to an unconditional request.');
    const skipped = value.skipped.filter(({ field, isRepeated }) => field === undefined && isRepeated !== true).length;
    if (skipped > 0) log('warn', 'Left out unreadable items of a search', { skipped });
    const { validator, lifetimeMs } = answer;
    addAndTrim(this.#pages, name, { value, validator, requestedAt: clock.now(), lifetimeMs }, MAX_PAGES);
    return value;
  }

  #savePosition(position: Position): string {
    const token = randomUUID();
    addAndTrim(this.#positions, token, position, MAX_POSITIONS);
    return token;
  }

  #today(): string {
    return shanghaiDay(this.#ports.clock.now());
  }
}

/** A blank text counts as none. Errors: `invalid_argument`. */
function toQuery({ q, ...request }: Wanted): ItemsRequest {
  return checkItemsRequest(q === undefined || q.trim() === '' ? request : { ...request, q });
}

function addAndTrim<T>(cached: Map<string, T>, name: string, value: T, most: number): void {
  cached.delete(name);
  cached.set(name, value);
  const [oldest] = cached.keys();
  if (cached.size > most && oldest !== undefined) cached.delete(oldest);
}

function notOfThisSearch(): BroadsheetError {
  return new BroadsheetError('invalid_argument', 'This cursor belongs to another search. Search again.');
}
