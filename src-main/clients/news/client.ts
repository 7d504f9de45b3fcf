import { BroadsheetError } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { Query } from '../http/addresses.ts';
import { readHotTopics, type HotTopicsAnswer } from './hot-topics.ts';
import { createReportsClient, type ReportsClient } from './reports.ts';
import type { Answer, HttpClient } from '../http/client.ts';
import { parseJson } from '../parsing/json.ts';
import { fetchWithinSize } from './page-size.ts';
import { walkItems, type ItemsWalk, type WalkOptions } from './items-walk.ts';
import {
  checkChangesRequest,
  checkItemsRequest,
  checkSnapshotRequest,
  type ChangesRequest,
  type ItemsRequest,
  type SnapshotRequest,
} from './query.ts';
import {
  readChangesPage,
  readItemsAnswer,
  readSnapshotPage,
  type ChangesPage,
  type ItemsAnswer,
  type SnapshotPage,
} from './schemas.ts';
import { checkPublicId } from './public-id.ts';
import { ServiceError } from '../http/service-error.ts';
import type { ServiceGate } from '../http/service-gate.ts';
import type { FetchOptions } from '../http/fetch-options.ts';
import { readRequestedStory, type StoryAnswer } from './stories.ts';

/** In UTF-16 units: a few times the length of a usual page. */
const LARGE = 4 * 1024 * 1024;
const MAX_GUIDE_BYTES = 1024 * 1024;

/**
 * The anonymous news service (document 1). Errors of all methods: `invalid_argument` before anything is sent, then
 * {@link ServiceError}.
 */
export interface NewsClient extends ReportsClient {
  /** One page of recent items. */
  items(request: ItemsRequest, options?: FetchOptions): Promise<Answer<ItemsAnswer>>;
  /** Recent items page by page; see {@link walkItems}. */
  allItems(request: Omit<ItemsRequest, 'cursor'>, options: WalkOptions): Promise<Answer<ItemsWalk>>;
  /** One page of the selected set. Errors: also `snapshot_required` and `invalid_cursor`; both mean to start again. */
  snapshotPage(request: SnapshotRequest, options?: FetchOptions): Promise<Answer<SnapshotPage>>;
  /** Changes of the selected set since a cursor. Errors: also `snapshot_required`. */
  changes(request: ChangesRequest, options?: FetchOptions): Promise<Answer<ChangesPage>>;
  /** The guide for agents (document 1 section 4.7): untrusted Markdown. */
  agentGuide(options?: FetchOptions): Promise<Answer<string>>;
  /** The current ranking. */
  hotTopics(options?: FetchOptions): Promise<Answer<HotTopicsAnswer>>;
  /**
   * One story, by an id of 1 to 128 characters from the service. For a merged story, the result is the one that it was
   * merged into, with its id. Errors: also `not_found`.
   */
  story(publicId: string, options?: FetchOptions): Promise<Answer<StoryAnswer>>;
}

interface NewsClientOptions {
  http: HttpClient;
  baseAddress: string;
  /** Default: a Retry-After stops no later request. */
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
    const request = { resource, baseAddress, path, query, gate, ...options };
    const answer = await http.get({ accept: 'application/json', ...request });
    if (answer.kind === 'notModified') return answer;
    // Parsing a large body takes its time: whatever arrived meanwhile comes first.
    if (answer.value.length > LARGE) await new Promise((resolve) => setImmediate(resolve));
    const value = readValue(answer.value, answer.requests, (parsed) => read(parsed, answer.address));
    if (answer.value.length > LARGE) await new Promise((resolve) => setImmediate(resolve));
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
    ...createReportsClient(fetchJson),

    async items(request, options = {}) {
      const query = { ...checkItemsRequest(request), usual: 50 };
      return fetchPage('items', '/api/v1/items', query, options, readItemsAnswer);
    },

    async allItems(request, options) {
      return walkItems((page, once) => client.items(page, once), request, options);
    },

    async snapshotPage(request, options = {}) {
      const query = { ...checkSnapshotRequest(request), usual: 500 };
      return fetchPage('selected', '/api/v1/selected/snapshot', query, options, readSnapshotPage);
    },

    async changes(request, options = {}) {
      const query = checkChangesRequest(request);
      const read = (value: unknown, limit: number): ChangesPage => readChangesPage(value, query.cursor, limit);
      return fetchPage('selected', '/api/v1/selected/changes', { ...query, usual: 100 }, options, read);
    },

    async agentGuide(options = {}) {
      const path = '/api/v1/agent';
      return http.get({
        resource: 'agent',
        baseAddress,
        path,
        accept: 'text/markdown',
        maxBytes: MAX_GUIDE_BYTES,
        gate,
        ...options,
      });
    },

    async hotTopics(options = {}) {
      return fetchJson('hotTopics', '/api/v1/hot-topics', {}, options, readHotTopics);
    },

    async story(publicId, options = {}) {
      checkPublicId(publicId);
      const read = (value: unknown, address: string): StoryAnswer => readRequestedStory(publicId, value, address);
      return fetchJson('stories', `/api/v1/stories/${encodeURIComponent(publicId)}`, {}, options, read);
    },
  };
  return client;
}

/** Invalid bodies count as errors of their request. */
function readValue<T>(body: string, requests: number, read: (value: unknown) => T): T {
  try {
    return read(parseJson(body));
  } catch (error) {
    if (!(error instanceof BroadsheetError)) throw error;
    throw new ServiceError(error.code, error.message, { status: 200, requests, cause: error.cause });
  }
}
