import type { Answer, Fresh } from '../http/client.ts';
import type { ItemsRequest } from './query.ts';
import type { ItemsAnswer } from './schemas.ts';
import type { Skipped } from '../parsing/records.ts';
import { ServiceError } from '../http/service-error.ts';
import { after } from '../http/request-count.ts';

export interface WalkOptions {
  /**
   * Takes each page in its order; with the first one its ETag, so that it can be stored with what it belongs to. After a
   * restart the first pages come a second time. What it throws ends the walk.
   */
  onPage: (page: ItemsAnswer, first: { validator: string | null } | null) => void | Promise<void>;
  /** Whether an item is held already. The page with the first such item is the last one asked for. */
  isKnown?: ((id: string) => boolean) | undefined;
  /** The ETag of the first page. */
  validator?: string | undefined;
  /** A bound for a service that never ends (1,000). */
  maxPages?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** What a walk over the pages of items met. */
export interface ItemsWalk {
  pages: number;
  items: number;
  skipped: Skipped[];
  /** Why it ended: at the last page, at an item that is known, or at `maxPages`. */
  endedAt: 'lastPage' | 'known' | 'maxPages';
}

type AskItems = (
  request: ItemsRequest,
  options: { validator?: string | undefined; signal?: AbortSignal | undefined },
) => Promise<Answer<ItemsAnswer>>;

/**
 * Follows the cursors of `GET /api/v1/items` (document 1 sections 1 and 4.1). The validator and the lifetime of the answer are
 * the first page's; `requests` counts all. A cursor that the service no longer takes (`invalid_cursor`) begins the walk
 * anew, once. Errors carry the requests of the whole walk.
 */
export async function walkItems(
  ask: AskItems,
  request: Omit<ItemsRequest, 'cursor'>,
  options: WalkOptions,
): Promise<Answer<ItemsWalk>> {
  try {
    return await walk(ask, request, options);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_cursor') throw error;
    return after(error.requests, walk(ask, request, { ...options, validator: undefined }));
  }
}

async function walk(
  ask: AskItems,
  request: Omit<ItemsRequest, 'cursor'>,
  { onPage, isKnown = () => false, validator, maxPages = 1000, signal }: WalkOptions,
): Promise<Answer<ItemsWalk>> {
  const first = await ask(request, { validator, signal });
  if (first.kind === 'notModified') return first;

  const tally: Omit<ItemsWalk, 'endedAt'> = { pages: 0, items: 0, skipped: [] };
  let { value: page, requests } = first;
  for (;;) {
    await onPage(page, tally.pages === 0 ? first : null);
    tally.pages += 1;
    tally.items += page.items.length;
    tally.skipped.push(...page.skipped);
    const end = endAfter(page, isKnown) ?? (tally.pages >= maxPages ? 'maxPages' : null);
    if (end !== null) return { ...first, requests, value: { ...tally, endedAt: end } };
    const next = await after(requests, askNext(ask, { ...request, cursor: page.nextCursor ?? undefined }, signal));
    page = next.value;
    requests = next.requests;
  }
}

function endAfter(page: ItemsAnswer, isKnown: (id: string) => boolean): 'lastPage' | 'known' | null {
  if (!page.hasMore) return 'lastPage';
  return page.items.some((item) => isKnown(item.id)) ? 'known' : null;
}

async function askNext(ask: AskItems, request: ItemsRequest, signal?: AbortSignal): Promise<Fresh<ItemsAnswer>> {
  const answer = await ask(request, { signal });
  if (answer.kind === 'notModified' || answer.value.nextCursor === request.cursor) throw standsStill(answer.requests);
  return answer;
}

function standsStill(requests: number): ServiceError {
  return new ServiceError('invalid_body', 'The service named the same page as the next one again. Try again later.', {
    status: 200,
    requests,
  });
}
