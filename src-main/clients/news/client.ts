import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { Query } from '../http/addresses.ts';
import { readHotTopics, type HotTopicsAnswer } from './hot-topics.ts';
import { type Answer, type HttpClient, type FetchOptions, checkRequest } from '../http/client.ts';
import { parseJson } from '../parsing/json.ts';
import { walkItems, type ItemsWalk, type WalkOptions } from './items-walk.ts';
import {
  readChangesPage,
  readItemsAnswer,
  readSnapshotPage,
  type ChangesPage,
  type ItemsAnswer,
  type ItemsRequest,
  type SnapshotPage,
} from './schemas.ts';
import { checkPublicId, readRequestedStory, type StoryAnswer } from './stories.ts';
import { ServiceError, addRequests } from '../http/service-error.ts';
import type { ServiceGate } from '../http/retry-after.ts';
import { REPORT_RESOURCE, type ReportHeader, type ReportKind, isReportLabel } from '../../contract/model/report.ts';
import { MAX_INDEX_LENGTH, readReport, readReportIndex, type ParsedReport } from './report-schemas.ts';
import { brokenEnvelope, type Records } from '../parsing/records.ts';

interface SnapshotRequest {
  page?: string | undefined;
  limit?: number | undefined;
}

interface ChangesRequest {
  cursor: string;
  limit?: number | undefined;
}

/** Opaque. The service answers 400 to an empty one. */
const token = z.string().min(1);

/** Code points, not UTF-16 units: an emoji counts once. The service answers 503 to a NUL. */
const searchText = z
  .string()
  .transform((text) => text.replaceAll('\0', '').toWellFormed().trim())
  .refine((text) => /^.{2,200}$/su.test(text), 'must have 2 to 200 characters');

const itemsRequest = z.strictObject({
  mode: z.enum(['selected', 'all']).optional(),
  category: z.string().min(1).max(200).optional(),
  window: z.enum(['24h', '7d']).optional(),
  by: z.enum(['timeline', 'published']).optional(),
  q: searchText.optional(),
  limit: z.int().min(1).max(100).optional(),
  cursor: token.optional(),
});

const snapshotRequest = z.strictObject({ page: token.optional(), limit: z.int().min(1).max(1000).optional() });

const changesRequest = z.strictObject({ cursor: token, limit: z.int().min(1).max(100).optional() });

export const checkItemsRequest = (request: ItemsRequest) => checkRequest(itemsRequest, request);

const LARGE = 4 * 1024 * 1024;
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
    const request = { resource, baseAddress, path, query, gate, ...options };
    const answer = await http.get({ accept: 'application/json', ...request });
    if (answer.kind === 'notModified') return answer;
    // Parsing a large body takes long, so pending events go first.
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

    async reportIndex(kind, request, options = {}) {
      const whole = { limit: checkLimit(kind, request.limit), validator: options.validator };
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

function checkLimit(kind: ReportKind, limit: number): number {
  const most = MAX_INDEX_LENGTH[kind];
  if (z.int().min(1).max(most).safeParse(limit).success) return limit;
  throw new BroadsheetError('invalid_argument', `limit: must be a whole number from 1 to ${String(most)}`);
}
