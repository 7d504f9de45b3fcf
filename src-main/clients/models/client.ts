import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Listing } from '../../contract/model/item.ts';
import type { Query } from '../http/addresses.ts';
import type { Answer, HttpClient } from '../http/client.ts';
import { hidingOf, type Hide } from '../http/redaction.ts';
import { LARGEST_PAGE, readModelsPage, type ModelsPage } from './schemas.ts';
import type { PagePlace, WholeListing } from './model-list-pages.ts';
import { walkModels, type AskPage, type WholeOptions } from './model-list-walk.ts';
import { refusalInWords } from './gateway-messages.ts';
import type { AskOptions } from '../news/client.ts';
import { checkRequest } from '../http/request-check.ts';
import { ServiceError } from '../http/service-error.ts';
import { after } from '../http/request-count.ts';

export type { ModelsPage } from './schemas.ts';
export type { WholeListing } from './model-list-pages.ts';

/** Without either, the whole listing is asked for (document 2 section 4). */
export interface PageRequest {
  /** Models to leave out from the start. */
  offset?: number | undefined;
  /** 1 to 1000. */
  limit?: number | undefined;
}

/**
 * The two listings of a model gateway (document 2). The models are asked for with the key, if there is one; the embeddings
 * models without it, and with it only where the gateway wants one. Errors of both methods: `invalid_argument` before anything
 * is sent, and {@link ServiceError} for everything after it, in words that say what to do about the key.
 */
export interface ModelsClient {
  /** What one answer holds. */
  page(listing: Listing, request?: PageRequest, options?: AskOptions): Promise<Answer<ModelsPage>>;
  /** A listing as a whole, or none of it; see {@link walkModels}. */
  whole(listing: Listing, options?: WholeOptions): Promise<Answer<WholeListing>>;
}

interface ModelsClientOptions {
  http: HttpClient;
  baseAddress: string;
  /** The key; null without one. */
  bearer: string | null;
}

const PATHS: Readonly<Record<Listing, string>> = {
  models: '/api/v1/models/user',
  embeddings: '/api/v1/embeddings/models',
};

const pageRequest = z.strictObject({
  offset: z.int().min(0).optional(),
  limit: z.int().min(1).max(LARGEST_PAGE).optional(),
});

export function createModelsClient(client: ModelsClientOptions): ModelsClient {
  return {
    async page(listing, request = {}, options = {}) {
      const query: Query = { ...checkRequest(pageRequest, request) };
      return askerOf(client, listing)({ query }, options);
    },

    async whole(listing, options = {}) {
      return walkModels(askerOf(client, listing), client.baseAddress, options);
    },
  };
}

/** Asks for pages of a listing. A gateway that wanted the key once is asked with it from there on. */
function askerOf(client: ModelsClientOptions, listing: Listing): AskPage {
  const { bearer } = client;
  let key = listing === 'models' ? bearer : null;
  return async (place, options) => {
    try {
      return await askOnce(client, listing, key, place, options);
    } catch (error) {
      if (key !== null || bearer === null || !wantsKey(error)) throw error;
      key = bearer;
      return after(error.requests, askOnce(client, listing, key, place, options));
    }
  };
}

function wantsKey(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status === 401 || error.status === 403);
}

async function askOnce(
  { http, baseAddress }: ModelsClientOptions,
  listing: Listing,
  key: string | null,
  { path = PATHS[listing], query }: PagePlace,
  options: AskOptions,
): Promise<Answer<ModelsPage>> {
  try {
    const bearer = key ?? undefined;
    const place = { resource: listing, baseAddress, path, query, accept: 'application/json', bearer } as const;
    const answer = await http.get({ ...place, ...options });
    if (answer.kind === 'notModified') return answer;
    return { ...answer, value: readBody(answer.value, answer.requests, hidingOf(bearer)) };
  } catch (error) {
    const words = error instanceof ServiceError ? refusalInWords(listing, error, key !== null) : null;
    throw error instanceof ServiceError && words !== null ? error.withMessage(words) : error;
  }
}

/** What is wrong with a body is an error of the request that brought it. */
function readBody(body: string, requests: number, hide: Hide): ModelsPage {
  try {
    const page = readModelsPage(body);
    // Where the listing goes on is told in an error, if it leads out of the gateway.
    return { ...page, next: page.next === null ? null : hide(page.next) };
  } catch (error) {
    if (!(error instanceof BroadsheetError)) throw error;
    // Without its cause: a parser's error quotes the body, and the body may quote the key.
    throw new ServiceError(error.code, error.message, { status: 200, requests });
  }
}
