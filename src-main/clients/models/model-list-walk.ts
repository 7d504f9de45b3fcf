import { z } from 'zod';
import type { Answer, Fresh } from '../http/client.ts';
import { ModelListPages, type PagePlace, type WholeModelList } from './model-list-pages.ts';
import { LARGEST_PAGE, type ModelsPage } from './schemas.ts';
import type { FetchOptions } from '../http/fetch-options.ts';
import { checkRequest } from '../http/request-check.ts';
import { ServiceError } from '../http/service-error.ts';
import { after } from '../http/request-count.ts';

export interface WholeOptions extends FetchOptions {
  /** Models per page, 1 to 1000. By default the gateway decides, and may send everything at once. */
  pageSize?: number | undefined;
}

export type FetchPage = (place: PagePlace, options: FetchOptions) => Promise<Answer<ModelsPage>>;

const wholeRequest = z.object({ pageSize: z.int().min(1).max(LARGEST_PAGE).optional() });

/**
 * Fetches a whole model list, in the gateway's order (document 2 section 4; observed-9-pages): by `links.next`, or
 * by offset up to `total_count` or a page that is not full. If a model occurs twice, because the list changed between two
 * pages, the first record is used; a different second one is reported as skipped. If `total_count` changes, the download
 * restarts once.
 *
 * The result has a validator only if it is a single page, since a validator does not cover further pages. `requests` counts
 * all pages; the lifetime is that of the first page. Errors count the requests of all pages: `invalid_argument` before
 * anything is sent, `redirect_refused` for a `links.next` outside the gateway, `cut_short` for a list that ends before its
 * `total_count`, `invalid_body` for a loop, `too_large` for a list that never ends.
 */
export async function walkModels(
  fetchPage: FetchPage,
  baseAddress: string,
  options: WholeOptions,
): Promise<Answer<WholeModelList>> {
  checkRequest(wholeRequest, { pageSize: options.pageSize });
  const strict = new ModelListPages(baseAddress, options.pageSize, { endsWhenChanged: true });
  try {
    return await walk(fetchPage, strict, options);
  } catch (error) {
    if (!strict.changed || !(error instanceof ServiceError)) throw error;
    const lenient = new ModelListPages(baseAddress, options.pageSize, { endsWhenChanged: false });
    return after(error.requests, walk(fetchPage, lenient, { ...options, validator: undefined }));
  }
}

async function walk(
  fetchPage: FetchPage,
  pages: ModelListPages,
  { pageSize, validator, signal }: WholeOptions,
): Promise<Answer<WholeModelList>> {
  const query = pageSize === undefined ? {} : { offset: 0, limit: pageSize };
  const first = await fetchPage({ query }, { validator, signal });
  if (first.kind === 'notModified') return first;
  let answer = first;
  for (;;) {
    const place = addPage(pages, answer);
    if (place === null) break;
    answer = await after(answer.requests, fetchFresh(fetchPage, place, signal));
  }
  const value = pages.whole;
  return { ...first, validator: value.pages === 1 ? first.validator : null, requests: answer.requests, value };
}

function addPage(pages: ModelListPages, answer: Fresh<ModelsPage>): PagePlace | null {
  try {
    return pages.add(answer);
  } catch (error) {
    throw error instanceof ServiceError ? error.withRequests(answer.requests) : error;
  }
}

/** Fetches a page without a validator. */
async function fetchFresh(fetchPage: FetchPage, place: PagePlace, signal?: AbortSignal): Promise<Fresh<ModelsPage>> {
  const answer = await fetchPage(place, { signal });
  if (answer.kind === 'fresh') return answer;
  const { requests } = answer;
  throw new ServiceError(
    'invalid_body',
    'The gateway answered "not modified" to an unconditional request. Try again later.',
    { requests },
  );
}
