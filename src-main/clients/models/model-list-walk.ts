import { z } from 'zod';
import type { Answer, Fresh } from '../http/client.ts';
import { ModelListPages, type PagePlace, type WholeModelList } from './model-list-pages.ts';
import { LARGEST_PAGE, type ModelsPage } from './schemas.ts';
import type { AskOptions } from '../http/ask-options.ts';
import { checkRequest } from '../http/request-check.ts';
import { ServiceError } from '../http/service-error.ts';
import { after } from '../http/request-count.ts';

export interface WholeOptions extends AskOptions {
  /** Models a page, 1 to 1000. Without it the gateway decides, and need not page at all. */
  pageSize?: number | undefined;
}

export type AskPage = (place: PagePlace, options: AskOptions) => Promise<Answer<ModelsPage>>;

const wholeRequest = z.object({ pageSize: z.int().min(1).max(LARGEST_PAGE).optional() });

/**
 * A model list to its end, in the gateway's order (document 2 section 4; sheet 3, "Model model list"): where `links.next` leads, or
 * without one by offset up to `total_count`, or to a page that is not full. Of a model that comes twice, because others came
 * or went in between, the first one stays; the second is told as skipped if it says something else. A model list whose
 * `total_count` changes on the way is begun anew, once.
 *
 * The validator is told only where one answer held everything: it says nothing of further pages. `requests` counts all; the
 * lifetime is the first answer's. Errors carry the requests of the whole walk: `invalid_argument` before anything is sent;
 * `redirect_refused` for a `links.next` that leads out of the gateway, `cut_short` for a model list that ends before its
 * `total_count`, `invalid_body` for one that goes round in circles, `too_large` for one without an end.
 */
export async function walkModels(
  ask: AskPage,
  baseAddress: string,
  options: WholeOptions,
): Promise<Answer<WholeModelList>> {
  checkRequest(wholeRequest, { pageSize: options.pageSize });
  const hasty = new ModelListPages(baseAddress, options.pageSize, { endsWhenChanged: true });
  try {
    return await walk(ask, hasty, options);
  } catch (error) {
    if (!hasty.changed || !(error instanceof ServiceError)) throw error;
    const patient = new ModelListPages(baseAddress, options.pageSize, { endsWhenChanged: false });
    return after(error.requests, walk(ask, patient, { ...options, validator: undefined }));
  }
}

async function walk(
  ask: AskPage,
  pages: ModelListPages,
  { pageSize, validator, signal }: WholeOptions,
): Promise<Answer<WholeModelList>> {
  const query = pageSize === undefined ? {} : { offset: 0, limit: pageSize };
  const first = await ask({ query }, { validator, signal });
  if (first.kind === 'notModified') return first;
  let answer = first;
  for (;;) {
    const place = takeIn(pages, answer);
    if (place === null) break;
    answer = await after(answer.requests, askFresh(ask, place, signal));
  }
  const value = pages.whole;
  return { ...first, validator: value.pages === 1 ? first.validator : null, requests: answer.requests, value };
}

function takeIn(pages: ModelListPages, answer: Fresh<ModelsPage>): PagePlace | null {
  try {
    return pages.take(answer);
  } catch (error) {
    throw error instanceof ServiceError ? error.withRequests(answer.requests) : error;
  }
}

/** A page that no validator was sent for. */
async function askFresh(ask: AskPage, place: PagePlace, signal?: AbortSignal): Promise<Fresh<ModelsPage>> {
  const answer = await ask(place, { signal });
  if (answer.kind === 'fresh') return answer;
  const { requests } = answer;
  throw new ServiceError('invalid_body', 'The gateway sent no page where one was asked for.', { requests });
}
