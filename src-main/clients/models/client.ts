import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { Query } from '../http/addresses.ts';
import type { Answer, HttpClient } from '../http/client.ts';
import { keyRedaction, type RedactKey } from '../http/redaction.ts';
import { LARGEST_PAGE, readModelsPage, type ModelsPage } from './schemas.ts';
import type { PagePlace, WholeModelList } from './model-list-pages.ts';
import { walkModels, type FetchPage, type WholeOptions } from './model-list-walk.ts';
import { gatewayMessage } from './gateway-messages.ts';
import type { FetchOptions } from '../http/fetch-options.ts';
import { checkRequest } from '../http/request-check.ts';
import { ServiceError } from '../http/service-error.ts';
import type { ServiceGate } from '../http/service-gate.ts';
import { after } from '../http/request-count.ts';

export type { ModelsPage } from './schemas.ts';
export type { WholeModelList } from './model-list-pages.ts';

/** Without both, the gateway returns the whole model list (document 2 section 4). */
export interface PageRequest {
  /** Models to skip. */
  offset?: number | undefined;
  /** 1 to 1000. */
  limit?: number | undefined;
}

/**
 * The two model lists of a model gateway (document 2). Models are requested with the key if there is one. Embedding models
 * are requested without it, and with it only if the gateway requires one. Errors of both methods: `invalid_argument` before
 * anything is sent, then {@link ServiceError} with a message that says what to do about the key.
 */
export interface ModelsClient {
  /** One page. */
  page(modelList: ModelListName, request?: PageRequest, options?: FetchOptions): Promise<Answer<ModelsPage>>;
  /** The complete model list, or an error; see {@link walkModels}. */
  whole(modelList: ModelListName, options?: WholeOptions): Promise<Answer<WholeModelList>>;
}

interface ModelsClientOptions {
  http: HttpClient;
  baseAddress: string;
  /** The key; null without one. */
  bearer: string | null;
  /** Default: a Retry-After stops no later request. */
  gate?: ServiceGate | undefined;
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
      return pageFetcher(client, modelList)({ query }, options);
    },

    async whole(modelList, options = {}) {
      return walkModels(pageFetcher(client, modelList), client.baseAddress, options);
    },
  };
}

/** Fetches pages of a model list. Once the gateway has required the key, all later requests send it. */
function pageFetcher(client: ModelsClientOptions, modelList: ModelListName): FetchPage {
  const { bearer } = client;
  let key = modelList === 'models' ? bearer : null;
  return async (place, options) => {
    try {
      return await fetchOnce(client, modelList, key, place, options);
    } catch (error) {
      if (key !== null || bearer === null || !requiresKey(error)) throw error;
      key = bearer;
      return after(error.requests, fetchOnce(client, modelList, key, place, options));
    }
  };
}

function requiresKey(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status === 401 || error.status === 403);
}

async function fetchOnce(
  { http, baseAddress, gate }: ModelsClientOptions,
  modelList: ModelListName,
  key: string | null,
  { path = PATHS[modelList], query }: PagePlace,
  options: FetchOptions,
): Promise<Answer<ModelsPage>> {
  try {
    const bearer = key ?? undefined;
    const place = { resource: modelList, baseAddress, path, query, accept: 'application/json', bearer, gate } as const;
    const answer = await http.get({ ...place, ...options });
    if (answer.kind === 'notModified') return answer;
    return { ...answer, value: readBody(answer.value, answer.requests, keyRedaction(bearer)) };
  } catch (error) {
    const message = error instanceof ServiceError ? gatewayMessage(modelList, error, key !== null) : null;
    throw error instanceof ServiceError && message !== null ? error.withMessage(message) : error;
  }
}

/** Invalid bodies count as errors of their request. */
function readBody(body: string, requests: number, redact: RedactKey): ModelsPage {
  try {
    const page = readModelsPage(body);
    // An error message quotes the next address if it is outside the gateway.
    return { ...page, next: page.next === null ? null : redact(page.next) };
  } catch (error) {
    if (!(error instanceof BroadsheetError)) throw error;
    // Without the cause: a parser error quotes the body, which may contain the key.
    throw new ServiceError(error.code, error.message, { status: 200, requests });
  }
}
