import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { Query } from '../http/addresses.ts';
import type { Answer, HttpClient } from '../http/client.ts';
import { keyRedaction, type RedactKey } from '../http/redaction.ts';
import { LARGEST_PAGE, readModelsPage, type ModelsPage } from './schemas.ts';
import type { PagePlace, WholeModelList } from './model-list-pages.ts';
import { walkModels, type AskPage, type WholeOptions } from './model-list-walk.ts';
import { gatewayMessage } from './gateway-messages.ts';
import type { AskOptions } from '../http/ask-options.ts';
import { checkRequest } from '../http/request-check.ts';
import { ServiceError } from '../http/service-error.ts';
import { after } from '../http/request-count.ts';

export type { ModelsPage } from './schemas.ts';
export type { WholeModelList } from './model-list-pages.ts';

/** Without either, the whole model list is asked for (document 2 section 4). */
export interface PageRequest {
  /** Models to leave out from the start. */
  offset?: number | undefined;
  /** 1 to 1000. */
  limit?: number | undefined;
}

/**
 * The two model lists of a model gateway (document 2). The models are asked for with the key, if there is one; the embeddings
 * models without it, and with it only where the gateway wants one. Errors of both methods: `invalid_argument` before anything
 * is sent, and {@link ServiceError} for everything after it, in words that say what to do about the key.
 */
export interface ModelsClient {
  /** What one answer holds. */
  page(modelList: ModelListName, request?: PageRequest, options?: AskOptions): Promise<Answer<ModelsPage>>;
  /** A model list as a whole, or none of it; see {@link walkModels}. */
  whole(modelList: ModelListName, options?: WholeOptions): Promise<Answer<WholeModelList>>;
}

interface ModelsClientOptions {
  http: HttpClient;
  baseAddress: string;
  /** The key; null without one. */
  bearer: string | null;
}

const PATHS: Readonly<Record<ModelListName, string>> = {
  models: '/api/v1/models/user',
  embeddings: '/api/v1/embeddings/models',
};

const pageRequest = z.strictObject({
  offset: z.int().min(0).optional(),
  limit: z.int().min(1).max(LARGEST_PAGE).optional(),
});

export function createModelsClient(client: ModelsClientOptions): ModelsClient {
  return {
    async page(modelList, request = {}, options = {}) {
      const query: Query = { ...checkRequest(pageRequest, request) };
      return askerOf(client, modelList)({ query }, options);
    },

    async whole(modelList, options = {}) {
      return walkModels(askerOf(client, modelList), client.baseAddress, options);
    },
  };
}

/** Asks for pages of a model list. A gateway that wanted the key once is asked with it from there on. */
function askerOf(client: ModelsClientOptions, modelList: ModelListName): AskPage {
  const { bearer } = client;
  let key = modelList === 'models' ? bearer : null;
  return async (place, options) => {
    try {
      return await askOnce(client, modelList, key, place, options);
    } catch (error) {
      if (key !== null || bearer === null || !wantsKey(error)) throw error;
      key = bearer;
      return after(error.requests, askOnce(client, modelList, key, place, options));
    }
  };
}

function wantsKey(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status === 401 || error.status === 403);
}

async function askOnce(
  { http, baseAddress }: ModelsClientOptions,
  modelList: ModelListName,
  key: string | null,
  { path = PATHS[modelList], query }: PagePlace,
  options: AskOptions,
): Promise<Answer<ModelsPage>> {
  try {
    const bearer = key ?? undefined;
    const place = { resource: modelList, baseAddress, path, query, accept: 'application/json', bearer } as const;
    const answer = await http.get({ ...place, ...options });
    if (answer.kind === 'notModified') return answer;
    return { ...answer, value: readBody(answer.value, answer.requests, keyRedaction(bearer)) };
  } catch (error) {
    const words = error instanceof ServiceError ? gatewayMessage(modelList, error, key !== null) : null;
    throw error instanceof ServiceError && words !== null ? error.withMessage(words) : error;
  }
}

/** What is wrong with a body is an error of the request that brought it. */
function readBody(body: string, requests: number, hide: RedactKey): ModelsPage {
  try {
    const page = readModelsPage(body);
    // Where the model list goes on is told in an error, if it leads out of the gateway.
    return { ...page, next: page.next === null ? null : hide(page.next) };
  } catch (error) {
    if (!(error instanceof BroadsheetError)) throw error;
    // Without its cause: a parser's error quotes the body, and the body may quote the key.
    throw new ServiceError(error.code, error.message, { status: 200, requests });
  }
}
