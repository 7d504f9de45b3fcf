import { randomUUID } from 'node:crypto';
import { shanghaiDay } from '../../common/time.ts';
import { checkItemsRequest, type NewsClient } from '../../clients/news/client.ts';
import type { ItemsAnswer, ItemsRequest } from '../../clients/news/schemas.ts';
import type { Args, Result } from '../../contract/methods.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { OnlineSearch as Wanted } from '../../contract/model/item.ts';
import type { GuidePage } from '../../contract/model/sync-status.ts';
import { hasCode, unexpectedNotModified } from '../jobs/record-failures.ts';
import type { Visits } from './follow-ups.ts';
import { openGuide } from './guide.ts';
import type { EngineBase, EngineBodies } from './types.ts';

interface NewsPorts extends EngineBase {
  news: NewsClient;
  newsAt(address: string): NewsClient;
  visits: Visits;
}

export function newsMethods(ports: NewsPorts) {
  const { visits, newsAt, userPriority } = ports;
  const search = new OnlineSearch(ports);
  let openingGuide: Promise<GuidePage> | null = null;
  return {
    'visits.end': () => visits.end(),
    'visits.begin': ({ fresh }) => visits.begin(fresh),
    'items.searchOnline': (args) => userPriority.during(() => search.search(args)),
    'guide.open': () =>
      userPriority.during(() => (openingGuide ??= openGuide(ports).finally(() => (openingGuide = null)))),
    'source.test': async ({ address }) => {
      const answer = await newsAt(address).items({ limit: 1 });
      return { items: answer.kind === 'fresh' ? answer.value.items.length : 0 };
    },
  } satisfies Partial<EngineBodies>;
}

type Found = Result<'items.searchOnline'>;

interface Position {
  search: string;
  cursor: string;
  /** The Shanghai date: cursors are not valid across days (document 1 section 4.1). */
  day: string;
}

interface CachedPage {
  value: ItemsAnswer;
  validator: string | null;
  requestedAt: number;
  lifetimeMs: number;
}

const MAX_POSITIONS = 50;
const MAX_PAGES = 20;

/** Document 1 section 4.1. Results are not saved: only syncing adds items. */
class OnlineSearch {
  readonly #ports: NewsPorts;
  readonly #positions = new Map<string, Position>();
  readonly #pages = new Map<string, CachedPage>();

  constructor(ports: NewsPorts) {
    this.#ports = ports;
  }

  async search({ request, cursor: token }: Args<'items.searchOnline'>): Promise<Found> {
    const query = toQuery(request);
    const search = JSON.stringify(query);
    if (token === undefined) return this.#page(query, search, null);
    const position = this.#positions.get(token);
    if (position && position.search !== search) {
      throw new BroadsheetError('invalid_argument', 'This cursor belongs to another search. Search again.');
    }
    if (position?.day !== this.#today()) return this.#restart(query, search);
    try {
      return await this.#page(query, search, position.cursor);
    } catch (error) {
      if (!hasCode(error, 'invalid_cursor')) throw error;
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
    if (!value) throw unexpectedNotModified();
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

function toQuery({ q, ...request }: Wanted): ItemsRequest {
  return checkItemsRequest(q === undefined || q.trim() === '' ? request : { ...request, q });
}

function addAndTrim<T>(cached: Map<string, T>, name: string, value: T, most: number): void {
  cached.delete(name);
  cached.set(name, value);
  const [oldest] = cached.keys();
  if (cached.size > most && oldest !== undefined) cached.delete(oldest);
}
