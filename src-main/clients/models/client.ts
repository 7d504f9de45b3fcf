import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { BroadsheetError, type ErrorCode } from '../../contract/errors.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { hostOf, isWithin, pathWithin, type Query } from '../http/addresses.ts';
import { type Answer, checkRequest, type FetchOptions, type Fresh, type HttpClient } from '../http/client.ts';
import { withDetail } from '../http/problem.ts';
import { keyRedaction, type RedactKey } from '../http/redaction.ts';
import type { ServiceGate } from '../http/retry-after.ts';
import { ServiceError, addRequests } from '../http/service-error.ts';
import { skip, type Records, type Skipped } from '../parsing/records.ts';
import { MAX_PAGE, readModelsPage, type ModelsPage } from './schemas.ts';

/** Document 2. Errors: `invalid_argument` before anything is sent, then `ServiceError` on what to do about the key. */
export interface ModelsClient {
  /** Without offset and limit, the gateway returns the whole model list (document 2 section 4). */
  page(
    modelList: ModelListName,
    request?: z.input<typeof pageRequest>,
    options?: FetchOptions,
  ): Promise<Answer<ModelsPage>>;
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

const ADD_KEY = 'Add a key in Settings.';

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
        ? `The gateway rejected the key: it may be mistyped, expired or revoked. Enter a valid one in Settings.`
        : `The gateway lists its ${what} only with a key. ${ADD_KEY}`;
    case 403:
      return hasKey
        ? `This key cannot list the ${what}: only management keys can. Enter a management key in Settings.`
        : `The gateway does not list its ${what} without a key. ${ADD_KEY}`;
    case 404:
      return `The gateway has no list of ${what} at this address. Check the gateway address in Settings.`;
    case 500:
      return `The gateway failed to list its ${what}. Broadsheet tries again automatically.`;
    default:
      return null;
  }
}

interface WholeOptions extends FetchOptions {
  pageSize?: number | undefined;
}

type FetchPage = (place: PageAddress, options: FetchOptions) => Promise<Answer<ModelsPage>>;

const wholeRequest = z.object({ pageSize: z.int().min(1).max(MAX_PAGE).optional() });

/**
 * Fetches by `links.next`, or by offset up to `total_count` or a page that is not full (document 2 section 4;
 * observed-9-pages); again once if `total_count` changes. A validator covers a single page only. Errors, with the
 * requests of all pages: `redirect_refused`, `cut_short` before `total_count`, `invalid_body` for a loop, `too_large`.
 */
async function walkModels(
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
    return addRequests(error.requests, walk(fetchPage, lenient, { ...options, validator: undefined }));
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
    answer = await addRequests(answer.requests, fetchFresh(fetchPage, place, signal));
  }
  const value = pages.whole;
  return { ...first, validator: value.pages === 1 ? first.validator : null, requests: answer.requests, value };
}

function addPage(pages: ModelListPages, answer: Fresh<ModelsPage>): PageAddress | null {
  try {
    return pages.add(answer);
  } catch (error) {
    throw error instanceof ServiceError ? error.withRequests(answer.requests) : error;
  }
}

async function fetchFresh(fetchPage: FetchPage, place: PageAddress, signal?: AbortSignal): Promise<Fresh<ModelsPage>> {
  const answer = await fetchPage(place, { signal });
  if (answer.kind === 'fresh') return answer;
  const { requests } = answer;
  throw new ServiceError(
    'invalid_body',
    'The gateway answered "not modified" to an unconditional request. Try again later.',
    { requests },
  );
}

const MAX_PAGES = 1000;
/** An endless list would use up the memory. */
const MAX_MODELS = 100_000;
/** In UTF-16 units. */
const MAX_LENGTH = 64 * 1024 * 1024;

export interface WholeModelList extends Records<ModelRecord> {
  pages: number;
}

interface PageAddress {
  path?: string;
  query: Query | string;
}

class ModelListPages {
  readonly #baseAddress: string;
  readonly #endsWhenChanged: boolean;
  readonly #records = new Map<string, ModelRecord>();
  readonly #skipped: Skipped[] = [];
  readonly #visited = new Set<string>();
  #pageSize: number | undefined;
  #byNext = false;
  #pages = 0;
  #listed = 0;
  #length = 0;
  #total: number | null = null;
  changed = false;

  constructor(baseAddress: string, pageSize: number | undefined, { endsWhenChanged }: { endsWhenChanged: boolean }) {
    this.#baseAddress = baseAddress;
    this.#endsWhenChanged = endsWhenChanged;
    this.#pageSize = pageSize;
  }

  get whole(): WholeModelList {
    return { records: [...this.#records.values()], skipped: this.#skipped, pages: this.#pages };
  }

  add({ value: page, address }: Fresh<ModelsPage>): PageAddress | null {
    this.#visited.add(address);
    this.#pages += 1;
    this.#checkTotal(page.totalCount);
    this.#listed += page.listed;
    this.#length += page.length;
    if (this.#listed > MAX_MODELS || this.#length > MAX_LENGTH) throw tooLarge();
    this.#addRecords(page);
    const next = page.next === null ? this.#offsetAfter(page) : this.#addressOfNext(page, page.next, address);
    if (next === null) this.#checkEnd();
    else if (this.#pages >= MAX_PAGES) throw endless(`it has more than ${MAX_PAGES} pages`);
    return next;
  }

  #checkTotal(total: number | null): void {
    if (total === null) return;
    this.changed ||= this.#total !== null && this.#total !== total;
    this.#total = total;
    if (!this.changed || !this.#endsWhenChanged) return;
    throw failure('invalid_body', 'The model list changed during the download. Nothing was saved. Try again later.');
  }

  #addRecords({ records, skipped, listed }: ModelsPage): void {
    const before = this.#records.size;
    // No spread: there may be more than a call accepts as arguments.
    for (const one of skipped) this.#skipped.push(one);
    for (const record of records) {
      const known = this.#records.get(record.id);
      if (known === undefined) this.#records.set(record.id, record);
      else if (!isDeepStrictEqual(known, record)) this.#skipped.push(skip(record, 'id is taken').skipped);
    }
    if (listed > 0 && this.#records.size === before) throw endless('a page repeats the same models');
  }

  #addressOfNext(page: ModelsPage, next: string, address: string): PageAddress | null {
    if (page.listed === 0) {
      if (this.#total !== null && this.#listed >= this.#total) return null;
      throw endless('a page without models links to a next page');
    }
    const target = URL.parse(next, address);
    if (!target || !isWithin(this.#baseAddress, target)) throw leavesGateway(target);
    target.hash = '';
    if (this.#visited.has(target.href)) throw endless('a page links back to an earlier one');
    this.#byNext = true;
    return pathWithin(this.#baseAddress, target);
  }

  /** Pages by offset unless the list has linked to a next page: then a page without a link is the last. */
  #offsetAfter({ listed }: ModelsPage): PageAddress | null {
    if (this.#byNext || listed === 0) return null;
    const isFull = this.#pageSize !== undefined && listed >= this.#pageSize;
    const more = this.#total === null ? isFull : this.#listed < this.#total;
    if (!more) return null;
    this.#pageSize ??= Math.min(listed, MAX_PAGE);
    return { query: { offset: this.#listed, limit: this.#pageSize } };
  }

  /** Rejects an incomplete list: the missing models would look removed. */
  #checkEnd(): void {
    if (this.#total === null || this.#listed >= this.#total) return;
    const message = `The model list ended after ${this.#listed} of ${this.#total} models. Nothing was saved. Try again later.`;
    throw failure('cut_short', message);
  }
}

function endless(what: string): ServiceError {
  return failure('invalid_body', `The model list never ends: ${what}. Nothing was saved. Try again later.`);
}

function tooLarge(): ServiceError {
  const most = `${MAX_MODELS} models or ${MAX_LENGTH / 1024 / 1024} megabytes`;
  return failure('too_large', `The model list has more than ${most}. Nothing was saved.`);
}

function leavesGateway(target: URL | null): ServiceError {
  const place = target ? hostOf(target) : 'an invalid address';
  return failure(
    'redirect_refused',
    `The model list continues at ${place}, outside the gateway. The link was not followed. Nothing was saved. ` +
      'Check the gateway address in Settings.',
  );
}

function failure(code: ErrorCode, message: string): ServiceError {
  return new ServiceError(code, message, { status: 200 });
}
