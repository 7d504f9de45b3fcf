import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { Query } from '../http/addresses.ts';
import { type Answer, type HttpClient, type FetchOptions, checkRequest } from '../http/client.ts';
import { keyRedaction, type RedactKey } from '../http/redaction.ts';
import { MAX_PAGE, readModelsPage, type ModelsPage } from './schemas.ts';
import {
  type PageAddress,
  type WholeModelList,
  walkModels,
  type FetchPage,
  type WholeOptions,
} from './model-list-walk.ts';
import { ServiceError, addRequests } from '../http/service-error.ts';
import type { ServiceGate } from '../http/retry-after.ts';
import { withDetail } from '../http/problem.ts';

/** Without both, the gateway returns the whole model list (document 2 section 4). */
interface PageRequest {
  offset?: number | undefined;
  limit?: number | undefined;
}

/** Document 2. Errors: `invalid_argument` before anything is sent, then `ServiceError` on what to do about the key. */
export interface ModelsClient {
  page(modelList: ModelListName, request?: PageRequest, options?: FetchOptions): Promise<Answer<ModelsPage>>;
  whole(modelList: ModelListName, options?: WholeOptions): Promise<Answer<WholeModelList>>;
}

interface ModelsClientOptions {
  http: HttpClient;
  baseAddress: string;
  bearer: string | null;
  gate?: ServiceGate | undefined;
}

const PATHS: Readonly<Record<ModelListName, string>> = {
  models: '/api/v1/models/user',
  embeddings: '/api/v1/embeddings/models',
};

const pageRequest = z.strictObject({
  offset: z.int().min(0).optional(),
  limit: z.int().min(1).max(MAX_PAGE).optional(),
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

function pageFetcher(client: ModelsClientOptions, modelList: ModelListName): FetchPage {
  const { bearer } = client;
  let key = modelList === 'models' ? bearer : null;
  return async (place, options) => {
    try {
      return await fetchOnce(client, modelList, key, place, options);
    } catch (error) {
      if (key !== null || bearer === null || !requiresKey(error)) throw error;
      key = bearer;
      return addRequests(error.requests, fetchOnce(client, modelList, key, place, options));
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
  { path = PATHS[modelList], query }: PageAddress,
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

function readBody(body: string, requests: number, redact: RedactKey): ModelsPage {
  try {
    const page = readModelsPage(body);
    // An error message quotes the next address if it is outside the gateway.
    return { ...page, next: page.next === null ? null : redact(page.next) };
  } catch (error) {
    if (!(error instanceof BroadsheetError)) throw error;
    // No cause: a parser error quotes the body, which may contain the key.
    throw new ServiceError(error.code, error.message, { status: 200, requests });
  }
}

const TO_DO = {
  addKey: 'Add a key in Settings.',
  changeKey: 'Enter a valid one in Settings.',
} as const;

/** Returns null to use the general message (document 2 section 7). */
function gatewayMessage(modelList: ModelListName, error: ServiceError, hasKey: boolean): string | null {
  const message = error.status === null ? null : messageFor(error.status, modelList, hasKey);
  return message === null ? null : withDetail(message, error.detail);
}

function messageFor(status: number, modelList: ModelListName, hasKey: boolean): string | null {
  const what = modelList === 'models' ? 'models' : 'embedding models';
  switch (status) {
    case 400:
      return `The gateway rejected the request for its ${what}. If this keeps happening, Broadsheet may be too old for it: check for an update.`;
    case 401:
      return hasKey
        ? `The gateway rejected the key: it may be mistyped, expired or revoked. ${TO_DO.changeKey}`
        : `The gateway lists its ${what} only with a key. ${TO_DO.addKey}`;
    case 403:
      return hasKey
        ? `This key cannot list the ${what}: only management keys can. Enter a management key in Settings.`
        : `The gateway does not list its ${what} without a key. ${TO_DO.addKey}`;
    case 404:
      return `The gateway has no list of ${what} at this address. Check the gateway address in Settings.`;
    case 500:
      return `The gateway failed to list its ${what}. Broadsheet tries again automatically.`;
    default:
      return null;
  }
}
