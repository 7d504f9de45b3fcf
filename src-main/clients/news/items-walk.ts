import type { Answer, Fresh } from '../http/client.ts';
import type { ItemsAnswer, ItemsRequest } from './schemas.ts';
import type { Skipped } from '../parsing/records.ts';
import { ServiceError, addRequests } from '../http/service-error.ts';

export type FirstPage = Pick<Fresh<ItemsAnswer>, 'validator' | 'lifetimeMs'>;

export interface WalkOptions {
  /** Must store the ETag and lifetime with the first page. A restart passes it again. An error ends the walk. */
  onPage: (page: ItemsAnswer, first: FirstPage | null) => void | Promise<void>;
  isKnown?: ((id: string) => boolean) | undefined;
  validator?: string | undefined;
  /** Called if the first page is unchanged. Returns the stored one to continue below it; null ends. */
  unchanged?: ((lifetimeMs: number) => StoredPage | null) | undefined;
  maxPages?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface StoredPage {
  ids: readonly string[];
  nextCursor: string | null;
  hiddenIds?: number;
}

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
 * Restarts once if a cursor has expired (`invalid_cursor`). The validator is that of the first page; `requests` counts
 * all pages, in errors too (document 1 sections 1 and 4.1).
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
    return addRequests(error.requests, walk(fetchItems, request, { ...options, validator: undefined }));
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
    const next = await addRequests(requests, fetchNext(fetchItems, { ...request, cursor }, signal));
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
