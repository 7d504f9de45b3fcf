import type { Answer, Fresh } from '../http/client.ts';
import type { ItemsRequest } from './query.ts';
import type { ItemsAnswer } from './schemas.ts';
import type { Skipped } from '../parsing/records.ts';
import { ServiceError } from '../http/service-error.ts';
import { after } from '../http/request-count.ts';

export type FirstPage = Pick<Fresh<ItemsAnswer>, 'validator' | 'lifetimeMs'>;

export interface WalkOptions {
  /**
   * Called for each page in order; for the first one with its ETag and lifetime, so that they can be stored together. If
   * the walk restarts, the first pages are passed again. An error thrown here ends the walk.
   */
  onPage: (page: ItemsAnswer, first: FirstPage | null) => void | Promise<void>;
  /** The page with the first known item is the last one fetched. */
  isKnown?: ((id: string) => boolean) | undefined;
  /** The ETag of the first page. */
  validator?: string | undefined;
  /**
   * Called with its lifetime if the first page is unchanged. Returns what was stored with that ETag, so that the walk goes on below it; null
   * to end the walk there, which is the default.
   */
  unchanged?: ((lifetimeMs: number) => StoredPage | null) | undefined;
  /** A limit in case the pages never end (1,000). */
  maxPages?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A page whose items are stored. */
export interface StoredPage {
  ids: readonly string[];
  /** Null on the last page. */
  nextCursor: string | null;
  /** The number of its records whose ids can't be read. */
  hiddenIds?: number;
}

/** The result of a walk over the pages of items. */
export interface ItemsWalk {
  pages: number;
  items: number;
  skipped: Skipped[];
  /** `contradiction`: the last page names a next one, so what is missing may be there. */
  endedAt: 'lastPage' | 'known' | 'maxPages' | 'contradiction';
}

type FetchItems = (
  request: ItemsRequest,
  options: { validator?: string | undefined; signal?: AbortSignal | undefined },
) => Promise<Answer<ItemsAnswer>>;

/**
 * Follows the cursors of `GET /api/v1/items` (document 1 sections 1 and 4.1). Validator and lifetime are those of the first
 * page; `requests` counts all pages, in errors too. An expired cursor (`invalid_cursor`) restarts the walk once.
 */
export async function walkItems(
  fetchItems: FetchItems,
  request: Omit<ItemsRequest, 'cursor'>,
  options: WalkOptions,
): Promise<Answer<ItemsWalk>> {
  try {
    return await walk(fetchItems, request, options);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_cursor') throw error;
    return after(error.requests, walk(fetchItems, request, { ...options, validator: undefined }));
  }
}

async function walk(
  fetchItems: FetchItems,
  request: Omit<ItemsRequest, 'cursor'>,
  { onPage, isKnown = () => false, validator, unchanged, maxPages = 1000, signal }: WalkOptions,
): Promise<Answer<ItemsWalk>> {
  const walk: Omit<ItemsWalk, 'endedAt'> = { pages: 0, items: 0, skipped: [] };
  const take = async (page: ItemsAnswer, first: FirstPage | null): Promise<PassedPage> => {
    await onPage(page, first);
    walk.items += page.items.length;
    // No spread: there may be more than a call accepts as arguments.
    for (const one of page.skipped) walk.skipped.push(one);
    return { ids: page.items.map(({ id }) => id), nextCursor: page.nextCursor, contradicts: page.contradicts };
  };

  const first = await fetchItems(request, { validator, signal });
  let page: PassedPage;
  if (first.kind === 'fresh') page = await take(first.value, first);
  else {
    const stored = unchanged?.(first.lifetimeMs) ?? null;
    if (stored === null) return first;
    page = stored;
  }
  let { requests } = first;
  for (;;) {
    walk.pages += 1;
    const endedAt = endAfter(page, isKnown) ?? (walk.pages >= maxPages ? 'maxPages' : null);
    if (endedAt !== null) return { ...first, kind: 'fresh', requests, value: { ...walk, endedAt } };
    const cursor: string | undefined = page.nextCursor ?? undefined;
    const next = await after(requests, fetchNext(fetchItems, { ...request, cursor }, signal));
    page = await take(next.value, null);
    requests = next.requests;
  }
}

type PassedPage = StoredPage & Partial<Pick<ItemsAnswer, 'contradicts'>>;

function endAfter(
  { ids, nextCursor, contradicts }: PassedPage,
  isKnown: (id: string) => boolean,
): 'lastPage' | 'known' | 'contradiction' | null {
  if (nextCursor === null) return contradicts ? 'contradiction' : 'lastPage';
  return ids.some(isKnown) ? 'known' : null;
}

async function fetchNext(
  fetchItems: FetchItems,
  request: ItemsRequest,
  signal?: AbortSignal,
): Promise<Fresh<ItemsAnswer>> {
  const answer = await fetchItems(request, { signal });
  if (answer.kind === 'notModified' || answer.value.nextCursor === request.cursor) throw samePage(answer.requests);
  return answer;
}

function samePage(requests: number): ServiceError {
  return new ServiceError('invalid_body', 'The service returned the same page as the next one. Try again later.', {
    status: 200,
    requests,
  });
}
