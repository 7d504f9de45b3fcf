import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import { isReportLabel, REPORT_RESOURCE, type ReportHeader, type ReportKind } from '../../contract/model/report.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { Query } from '../http/addresses.ts';
import { type Answer, checkRequest, type FetchOptions, type Fresh, type HttpClient } from '../http/client.ts';
import type { ServiceGate } from '../http/retry-after.ts';
import { ServiceError, addRequests } from '../http/service-error.ts';
import { parseJson } from '../parsing/json.ts';
import { brokenEnvelope, type Records, type Skipped } from '../parsing/records.ts';
import { MAX_INDEX_LENGTH, readReport, readReportIndex, type ParsedReport } from './report-schemas.ts';
import {
  changesRequest,
  itemsRequest,
  readChangesPage,
  readItemsAnswer,
  readSnapshotPage,
  snapshotRequest,
  type ChangesPage,
  type ChangesRequest,
  type ItemsAnswer,
  type ItemsRequest,
  type SnapshotPage,
  type SnapshotRequest,
} from './schemas.ts';
import { checkPublicId, readHotTopics, readRequestedStory, type HotTopicsAnswer, type StoryAnswer } from './stories.ts';

export const checkItemsRequest = (request: ItemsRequest) => checkRequest(itemsRequest, request);

/** In UTF-16 units. */
const PARSED_SLOWLY = 4 * 1024 * 1024;
const MAX_GUIDE_BYTES = 1024 * 1024;

/** Document 1. Errors: `invalid_argument` before anything is sent, then `ServiceError`. */
export interface NewsClient {
  items(request: ItemsRequest, options?: FetchOptions): Promise<Answer<ItemsAnswer>>;
  allItems(request: Omit<ItemsRequest, 'cursor'>, options: WalkOptions): Promise<Answer<ItemsWalk>>;
  /** Errors: also `snapshot_required` and `invalid_cursor`; both mean to start again. */
  snapshotPage(request: SnapshotRequest, options?: FetchOptions): Promise<Answer<SnapshotPage>>;
  changes(request: ChangesRequest, options?: FetchOptions): Promise<Answer<ChangesPage>>;
  /** Document 1 section 4.7: untrusted Markdown. */
  agentGuide(options?: FetchOptions): Promise<Answer<string>>;
  hotTopics(options?: FetchOptions): Promise<Answer<HotTopicsAnswer>>;
  /** Follows a merged story to the one with its new id. Errors: also `not_found`. */
  story(publicId: string, options?: FetchOptions): Promise<Answer<StoryAnswer>>;
  /** Newest first. `limit` is 1 to 180 for dailies, 1 to 60 for the others. */
  reportIndex(
    kind: ReportKind,
    request: { limit: number },
    options?: FetchOptions,
  ): Promise<Answer<Records<ReportHeader>>>;
  latestReport(kind: ReportKind, options?: FetchOptions): Promise<Answer<ParsedReport>>;
  /** `label` comes from an index or the newest report, never a guess. Errors: also `not_found`. */
  report(kind: ReportKind, label: string, options?: FetchOptions): Promise<Answer<ParsedReport>>;
}

interface NewsClientOptions {
  http: HttpClient;
  baseAddress: string;
  gate?: ServiceGate | undefined;
}

export function createNewsClient({ http, baseAddress, gate }: NewsClientOptions): NewsClient {
  async function fetchJson<T>(
    resource: ResourceName,
    path: string,
    query: Query,
    options: FetchOptions,
    read: (value: unknown, address: string) => T,
  ): Promise<Answer<T>> {
    const request = { resource, baseAddress, path, query, accept: 'application/json', gate } as const;
    const answer = await http.get({ ...request, ...options });
    if (answer.kind === 'notModified') return answer;
    // Parsing a large body takes long, so pending events go first.
    if (answer.value.length > PARSED_SLOWLY) await new Promise((resolve) => setImmediate(resolve));
    const value = readValue(answer.value, answer.requests, (parsed) => read(parsed, answer.address));
    if (answer.value.length > PARSED_SLOWLY) await new Promise((resolve) => setImmediate(resolve));
    return { ...answer, value };
  }

  /** `usual` is the number of records without a limit (document 1 section 8; observed-2-parameters). */
  function fetchPage<T>(
    resource: ResourceName,
    path: string,
    { usual, ...query }: Query & { limit?: number | undefined; usual: number },
    options: FetchOptions,
    read: (value: unknown, limit: number) => T,
  ): Promise<Answer<T>> {
    const whole = { limit: query.limit ?? usual, validator: options.validator };
    return fetchWithinSize(whole, ({ limit, validator }) =>
      fetchJson(
        resource,
        path,
        query.limit === undefined && limit === usual ? query : { ...query, limit },
        { ...options, validator },
        (value) => read(value, limit),
      ),
    );
  }

  const client: NewsClient = {
    async items(request, options = {}) {
      const query = { ...checkItemsRequest(request), usual: 50 };
      return fetchPage('items', '/api/v1/items', query, options, readItemsAnswer);
    },

    async allItems(request, options) {
      return walkItems((page, once) => client.items(page, once), request, options);
    },

    async snapshotPage(request, options = {}) {
      const query = { ...checkRequest(snapshotRequest, request), usual: 500 };
      return fetchPage('selected', '/api/v1/selected/snapshot', query, options, readSnapshotPage);
    },

    async changes(request, options = {}) {
      const query = checkRequest(changesRequest, request);
      const read = (value: unknown, limit: number): ChangesPage => readChangesPage(value, query.cursor, limit);
      return fetchPage('selected', '/api/v1/selected/changes', { ...query, usual: 100 }, options, read);
    },

    async agentGuide(options = {}) {
      const request = { resource: 'agent', baseAddress, path: '/api/v1/agent', accept: 'text/markdown', gate } as const;
      return http.get({ ...request, maxBytes: MAX_GUIDE_BYTES, ...options });
    },

    async hotTopics(options = {}) {
      return fetchJson('hotTopics', '/api/v1/hot-topics', {}, options, readHotTopics);
    },

    async story(publicId, options = {}) {
      checkPublicId(publicId);
      const read = (value: unknown, address: string): StoryAnswer => readRequestedStory(publicId, value, address);
      return fetchJson('stories', `/api/v1/stories/${encodeURIComponent(publicId)}`, {}, options, read);
    },

    async reportIndex(kind, request, options = {}) {
      const indexRequest = z.strictObject({ limit: z.int().min(1).max(MAX_INDEX_LENGTH[kind]) });
      const whole = { ...checkRequest(indexRequest, request), validator: options.validator };
      return fetchWithinSize(whole, ({ limit, validator }) =>
        fetchJson(REPORT_RESOURCE[kind], pathOf(kind), { limit }, { ...options, validator }, (value) =>
          readReportIndex(kind, value, limit),
        ),
      );
    },

    async latestReport(kind, options = {}) {
      return fetchJson(REPORT_RESOURCE[kind], `${pathOf(kind)}/latest`, {}, options, (value) =>
        readReport(kind, value),
      );
    },

    async report(kind, label, options = {}) {
      if (!isReportLabel(kind, label))
        throw new BroadsheetError('invalid_argument', 'label: does not match the kind of report');
      return fetchJson(REPORT_RESOURCE[kind], `${pathOf(kind)}/${label}`, {}, options, (value) =>
        readRequested(kind, label, value),
      );
    },
  };
  return client;
}

function readValue<T>(body: string, requests: number, read: (value: unknown) => T): T {
  try {
    return read(parseJson(body));
  } catch (error) {
    if (!(error instanceof BroadsheetError)) throw error;
    throw new ServiceError(error.code, error.message, { status: 200, requests, cause: error.cause });
  }
}

interface PageRequest {
  limit: number;
  validator: string | undefined;
}

/** Halves the limit while a page is too large. A smaller page has no ETag: it isn't that of the usual request. */
async function fetchWithinSize<T>(
  { limit, validator }: PageRequest,
  send: (request: PageRequest) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  try {
    return await send({ limit, validator });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'too_large' || limit === 1) throw error;
    const smaller = fetchWithinSize({ limit: Math.floor(limit / 2), validator: undefined }, send);
    return { ...(await addRequests(error.requests, smaller)), validator: null };
  }
}

/** Rejects a report with another label, which would be stored under the wrong one. */
function readRequested(kind: ReportKind, label: string, value: unknown): ParsedReport {
  const reading = readReport(kind, value);
  if (reading.report.label !== label) throw brokenEnvelope('it contains another report than the requested one');
  return reading;
}

function pathOf(kind: ReportKind): string {
  return `/api/v1/${REPORT_RESOURCE[kind]}`;
}

export type FirstPage = Pick<Fresh<ItemsAnswer>, 'validator' | 'lifetimeMs'>;

interface WalkOptions {
  /** Must store the ETag and lifetime with the first page. A restart passes it again. An error ends the walk. */
  onPage: (page: ItemsAnswer, first: FirstPage | null) => void | Promise<void>;
  isKnown?: ((id: string) => boolean) | undefined;
  validator?: string | undefined;
  /** Called if the first page is unchanged. Returns the stored one to continue below it; null ends. */
  unchanged?: ((lifetimeMs: number) => StoredPage | null) | undefined;
  maxPages?: number | undefined;
  /** Pages that were received a moment ago, by cursor: the same ones are not requested again. */
  received?: ReadonlyMap<string, Fresh<ItemsAnswer>> | undefined;
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
  endReason: 'lastPage' | 'known' | 'maxPages' | 'contradiction';
}

/** Restarts once if a cursor has expired. `requests` counts all pages, in errors too (document 1 sections 1 and 4.1). */
async function walkItems(
  fetchItems: NewsClient['items'],
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
  fetchItems: NewsClient['items'],
  request: Omit<ItemsRequest, 'cursor'>,
  { onPage, isKnown = () => false, validator, unchanged, maxPages = 1000, received, signal }: WalkOptions,
): Promise<Answer<ItemsWalk>> {
  const walk: Omit<ItemsWalk, 'endReason'> = { pages: 0, items: 0, skipped: [] };
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
    const endReason = endAfter(page, isKnown) ?? (walk.pages >= maxPages ? 'maxPages' : null);
    if (endReason !== null) return { ...first, kind: 'fresh', requests, value: { ...walk, endReason } };
    const cursor: string | undefined = page.nextCursor ?? undefined;
    const known = received?.get(cursor ?? '');
    const next = known
      ? { ...known, requests }
      : await addRequests(requests, fetchNext(fetchItems, { ...request, cursor }, signal));
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
  fetchItems: NewsClient['items'],
  request: ItemsRequest,
  signal?: AbortSignal,
): Promise<Fresh<ItemsAnswer>> {
  const answer = await fetchItems(request, { signal });
  if (answer.kind === 'fresh' && answer.value.nextCursor !== request.cursor) return answer;
  const message = 'The service returned the same page as the next one. Try again later.';
  throw new ServiceError('invalid_body', message, { status: 200, requests: answer.requests });
}
