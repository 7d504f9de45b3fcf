import { BroadsheetError } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { Query } from '../http/addresses.ts';
import { readHotTopics, type HotTopicsAnswer } from './hot-topics.ts';
import { createReportsClient, type ReportsClient } from './reports.ts';
import type { Answer, HttpClient } from '../http/client.ts';
import { parseJson } from '../parsing/json.ts';
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
import { checkPublicId, storyAt } from './public-id.ts';
import { ServiceError } from '../http/service-error.ts';
import type { AskOptions } from '../http/ask-options.ts';
import { readStory, type StoryAnswer } from './stories.ts';

/** A guide is a page to read. */
const MOST_GUIDE_BYTES = 1024 * 1024;

/**
 * The anonymous news service (document 1). Errors of all methods: `invalid_argument` before anything is sent, and
 * {@link ServiceError} for everything after it.
 */
export interface NewsClient extends ReportsClient {
  /** One page of recent items. */
  items(request: ItemsRequest, options?: AskOptions): Promise<Answer<ItemsAnswer>>;
  /** Recent items page by page; see {@link walkItems}. */
  allItems(request: Omit<ItemsRequest, 'cursor'>, options: WalkOptions): Promise<Answer<ItemsWalk>>;
  /** One page of the selected set. Errors: also `snapshot_required` and `invalid_cursor`, for both of which it is begun anew. */
  snapshotPage(request: SnapshotRequest, options?: AskOptions): Promise<Answer<SnapshotPage>>;
  /** What became of the selected set since a cursor. Errors: also `snapshot_required`. */
  changes(request: ChangesRequest, options?: AskOptions): Promise<Answer<ChangesPage>>;
  /** The guide for agents (document 1 section 4.7): Markdown of a stranger. */
  agentGuide(options?: AskOptions): Promise<Answer<string>>;
  /** The current ranking. */
  hotTopics(options?: AskOptions): Promise<Answer<HotTopicsAnswer>>;
  /**
   * One story, by an id of 1 to 128 characters that the service gave; of a merged one the survivor, which the id in the
   * answer tells. Errors: also `not_found`.
   */
  story(publicId: string, options?: AskOptions): Promise<Answer<StoryAnswer>>;
}

export function createNewsClient({ http, baseAddress }: { http: HttpClient; baseAddress: string }): NewsClient {
  async function ask<T>(
    resource: ResourceName,
    path: string,
    query: Query,
    options: AskOptions,
    read: (value: unknown, address: string) => T,
  ): Promise<Answer<T>> {
    const answer = await http.get({ resource, baseAddress, path, query, accept: 'application/json', ...options });
    if (answer.kind === 'notModified') return answer;
    const value = readValue(answer.value, answer.requests, (parsed) => read(parsed, answer.address));
    return { ...answer, value };
  }

  const client: NewsClient = {
    ...createReportsClient(ask),

    async items(request, options = {}) {
      return ask('items', '/api/v1/items', { ...checkItemsRequest(request) }, options, readItemsAnswer);
    },

    async allItems(request, options) {
      return walkItems((page, once) => client.items(page, once), request, options);
    },

    async snapshotPage(request, options = {}) {
      const query = checkSnapshotRequest(request);
      return ask('selected', '/api/v1/selected/snapshot', { ...query }, options, readSnapshotPage);
    },

    async changes(request, options = {}) {
      const query = checkChangesRequest(request);
      const read = (value: unknown): ChangesPage => readChangesPage(value, query.cursor);
      return ask('selected', '/api/v1/selected/changes', { ...query }, options, read);
    },

    async agentGuide(options = {}) {
      const path = '/api/v1/agent';
      return http.get({
        resource: 'agent',
        baseAddress,
        path,
        accept: 'text/markdown',
        maxBytes: MOST_GUIDE_BYTES,
        ...options,
      });
    },

    async hotTopics(options = {}) {
      return ask('hotTopics', '/api/v1/hot-topics', {}, options, readHotTopics);
    },

    async story(publicId, options = {}) {
      checkPublicId(publicId);
      const read = (value: unknown, address: string): StoryAnswer => readStory(value, storyAt(address) ?? publicId);
      return ask('stories', `/api/v1/stories/${encodeURIComponent(publicId)}`, {}, options, read);
    },
  };
  return client;
}

/** What is wrong with a body is an error of the request that brought it. */
function readValue<T>(body: string, requests: number, read: (value: unknown) => T): T {
  try {
    return read(parseJson(body));
  } catch (error) {
    if (!(error instanceof BroadsheetError)) throw error;
    throw new ServiceError(error.code, error.message, { status: 200, requests, cause: error.cause });
  }
}
