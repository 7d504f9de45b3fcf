import { request as send, type Dispatcher } from 'undici';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { redirectTarget, serviceAddress, type Query } from './addresses.ts';
import { ACCEPT_ENCODING, discardBody, readText, tooLarge } from './body.ts';
import { lifetimeOf } from './cache-control.ts';
import { first, joined } from './headers.ts';
import { checkKey, keyRedaction, withoutKey, type RedactKey } from './redaction.ts';
import { errorResponse } from './error-response.ts';
import { ServiceError } from './service-error.ts';
import { transportError, type Phase } from './transport-errors.ts';
import { createRequestQueue } from './request-queue.ts';
import { ProxyDispatcher, type ProxyChoice } from './proxy-dispatcher.ts';

export interface HttpClientOptions {
  appVersion: string;
  /** For Retry-After dates. Timeouts run on the machine's own timers: a network does not wait for a test's clock. */
  clock: Clock;
  log: Log;
  /** `connectMs` for the connection (10 s), `totalMs` for the whole answer, redirects included (60 s). */
  timeouts?: { connectMs?: number; totalMs?: number };
  /** Of a body, packed and unpacked (32 MiB). */
  defaultMaxBytes?: number;
  /** Requests in flight at once (4). */
  maxConcurrent?: number;
  /** By which way requests go out (none). */
  proxy?: ProxyChoice;
}

export interface GetRequest {
  /** Requests for the same resource of a service go one after the other. */
  resource: string;
  baseAddress: string;
  /** Percent-encoded, from the base address on: `/api/v1/items`. */
  path: string;
  /** A text is a query that the service itself wrote: it goes back as it came. */
  query?: Query | string | undefined;
  accept: 'application/json' | 'text/markdown';
  /** The ETag of what is held, byte for byte as it came. */
  validator?: string | undefined;
  maxBytes?: number | undefined;
  /** Sent to the base address's origin alone, over https or loopback. Never logged, nor told in an error. */
  bearer?: string | undefined;
  signal?: AbortSignal | undefined;
}

interface AnswerFacts {
  /** The ETag that goes with what is now held; null if the service gave none. */
  validator: string | null;
  /** How long not to ask again, in ms. May be 0. */
  lifetimeMs: number;
  /** Requests sent, redirects included. */
  requests: number;
  /** The address that answered, after redirects. */
  address: string;
}

export type Fresh<T> = AnswerFacts & { kind: 'fresh'; value: T };
type NotModified = AnswerFacts & { kind: 'notModified' };
export type Answer<T> = Fresh<T> | NotModified;

export interface HttpClient {
  /** The body as text. Errors: {@link ServiceError}, of every code that the contract lists for services and networks. */
  get(request: GetRequest): Promise<Answer<string>>;
  /** Requests that begin later go this way; those that are on their way end on theirs. */
  useProxy(choice: ProxyChoice): void;
  /** Ends everything in flight with `aborted`; whatever is asked later ends with `closed`. */
  close(): Promise<void>;
}

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 307, 308]);
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/** One call on its way: what is known about it when it fails. */
interface HttpRequest {
  readonly request: GetRequest;
  readonly host: string;
  readonly signal: AbortSignal;
  readonly headers: Record<string, string>;
  /** Takes the key out of what the service says. */
  readonly hide: RedactKey;
  phase: Phase;
  requests: number;
  status: number | null;
}

interface RawResponse {
  address: URL;
  response: Dispatcher.ResponseData;
}

/** The one way out for GET requests to a service (document 1 sections 1, 4 and 7; document 2 sections 5 and 7). */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { appVersion, clock, log, timeouts = {}, defaultMaxBytes = DEFAULT_MAX_BYTES, maxConcurrent = 4 } = options;
  const { connectMs = 10_000, totalMs = 60_000 } = timeouts;
  const ways = new ProxyDispatcher(options.proxy ?? 'none', { connectMs, connections: maxConcurrent });
  const takeTurn = createRequestQueue(maxConcurrent);
  const closing = new AbortController();
  const inFlight = new Set<Promise<unknown>>();

  function get(request: GetRequest): Promise<Answer<string>> {
    const call = takeTurn(`${request.baseAddress} ${request.resource}`, () => perform(request));
    const settled = call.catch(() => undefined).finally(() => inFlight.delete(settled));
    inFlight.add(settled);
    return call;
  }

  async function perform(request: GetRequest): Promise<Answer<string>> {
    const ends = [AbortSignal.timeout(totalMs), closing.signal, ...(request.signal ? [request.signal] : [])];
    const httpRequest = departure(request, AbortSignal.any(ends), appVersion);
    try {
      if (closing.signal.aborted) throw new BroadsheetError('closed', 'Broadsheet is closing and asks nothing more.');
      const response = await follow(httpRequest, ways);
      const answer = await parseResponse(httpRequest, response, {
        now: clock.now(),
        maxBytes: request.maxBytes ?? defaultMaxBytes,
      });
      log('debug', 'service answered', { ...logged(httpRequest), result: answer.kind });
      return answer;
    } catch (thrown) {
      const error = explain(thrown, httpRequest, totalMs);
      // The caller knows what it means and tells it in words.
      log('debug', 'request failed', { ...logged(httpRequest), code: error.code });
      throw error;
    }
  }

  async function close(): Promise<void> {
    closing.abort();
    // Together: what still waits for its connection hears of no signal, and ends with the way that it wanted to go.
    await Promise.all([...inFlight, ways.destroy()]);
  }

  return { get, useProxy: (choice) => ways.use(choice), close };
}

function departure(request: GetRequest, signal: AbortSignal, appVersion: string): HttpRequest {
  const headers: Record<string, string> = {
    'user-agent': `Broadsheet/${appVersion} (desktop reader)`,
    accept: request.accept,
    'accept-encoding': ACCEPT_ENCODING,
  };
  // undici reads and writes header bytes as Latin-1, so that even an ETag beyond ASCII goes back as it came.
  if (request.validator) headers['if-none-match'] = request.validator;
  if (request.bearer) headers['authorization'] = `Bearer ${request.bearer}`;
  const host = URL.parse(request.baseAddress)?.host || 'The service';
  const hide = keyRedaction(request.bearer);
  return { request, host, signal, headers, hide, phase: 'asking', requests: 0, status: null };
}

/**
 * To the answer, through redirects that stay with the service. Errors: `redirect_refused`, `too_many_redirects`, the network's;
 * `key_not_sent` before anything is sent.
 */
async function follow(httpRequest: HttpRequest, ways: ProxyDispatcher): Promise<RawResponse> {
  const { headers, signal } = httpRequest;
  const { baseAddress, path, query, bearer } = httpRequest.request;
  let address = serviceAddress(baseAddress, path, query);
  if (bearer) checkKey(bearer, baseAddress);
  for (;;) {
    signal.throwIfAborted();
    httpRequest.requests += 1;
    httpRequest.phase = 'asking';
    const response = await send(address, { dispatcher: ways.to(address), method: 'GET', headers, signal });
    httpRequest.phase = 'reading';
    httpRequest.status = response.statusCode;
    if (!REDIRECTS.has(response.statusCode)) return { address, response };
    await response.body.dump();
    if (httpRequest.requests > MOST_REDIRECTS) throw tooManyRedirects(httpRequest.host);
    const location = first(response.headers.location);
    address = redirectTarget(baseAddress, address, location && httpRequest.hide(location));
  }
}

/** What the answer says. `now` is for Retry-After dates. Errors: the service's refusal, or what is wrong with its body. */
async function parseResponse(
  httpRequest: HttpRequest,
  { address, response }: RawResponse,
  { now, maxBytes }: { now: number; maxBytes: number },
): Promise<Answer<string>> {
  const { statusCode, headers } = response;
  const facts = { ...freshness(headers, httpRequest.hide), requests: httpRequest.requests, address: address.href };
  if (statusCode === 304) {
    await response.body.dump();
    if (!httpRequest.request.validator) throw unaskedNotModified(httpRequest.host);
    return { kind: 'notModified', ...facts, validator: facts.validator ?? httpRequest.request.validator };
  }
  // 203 is a 200 that a proxy has touched.
  if (statusCode !== 200 && statusCode !== 203)
    throw await errorResponse(httpRequest.host, response, now, httpRequest.hide);
  return {
    kind: 'fresh',
    ...facts,
    value: withoutKey(await readAnswer(httpRequest, response, maxBytes), httpRequest.request.bearer),
  };
}

function freshness(
  headers: Dispatcher.ResponseData['headers'],
  hide: RedactKey,
): { validator: string | null; lifetimeMs: number } {
  const etag = first(headers.etag) || null;
  // An ETag is kept in a file, where no key may come.
  const validator = etag !== null && hide(etag) === etag ? etag : null;
  return { validator, lifetimeMs: lifetimeOf(joined(headers['cache-control'])) };
}

async function readAnswer(
  httpRequest: HttpRequest,
  response: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<string> {
  const { headers, body } = response;
  const contentType = first(headers['content-type']) ?? '';
  try {
    if (!isAcceptable(contentType, httpRequest.request.accept))
      throw wrongContentType(httpRequest.host, httpRequest.hide(contentType));
    if (Number(first(headers['content-length'])) > maxBytes) throw tooLarge(maxBytes);
    return await readText(body, joined(headers['content-encoding']) ?? '', maxBytes);
  } catch (error) {
    discardBody(body);
    throw error;
  }
}

function isAcceptable(contentType: string, accept: GetRequest['accept']): boolean {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (accept === 'text/markdown') return type === 'text/markdown' || type === 'text/plain';
  return type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type);
}

function explain(thrown: unknown, httpRequest: HttpRequest, totalMs: number): ServiceError {
  const { requests, status } = httpRequest;
  // First: a 503 whose body never ends is a 503 all the same, Retry-After included.
  if (thrown instanceof ServiceError) return thrown.withRequests(requests);
  if (hasTimedOut(httpRequest.signal)) {
    const message = `${httpRequest.host} did not answer within ${Math.ceil(totalMs / 1000)} s. Try again later, or check the service address.`;
    return new ServiceError('timeout', message, { requests, status });
  }
  if (httpRequest.signal.aborted && !(thrown instanceof BroadsheetError)) {
    return new ServiceError('aborted', 'The request was stopped before its end.', { requests, status });
  }
  const { code, message, cause } = transportError(thrown, httpRequest.phase, httpRequest.host);
  // The errors of parsers hold the bytes that they stumbled over, and these can hold the key.
  const told = httpRequest.request.bearer ? {} : { cause };
  return new ServiceError(code, httpRequest.hide(message), { requests, status, ...told });
}

/** Other than a stop that was asked for: the reason is that of `AbortSignal.timeout`. */
function hasTimedOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}

function wrongContentType(host: string, contentType: string): BroadsheetError {
  const got = contentType === '' ? 'something without a type' : contentType.slice(0, 100);
  return new BroadsheetError(
    'wrong_content_type',
    `${host} answered with ${got}, which is not what the service sends. On a guest network, sign in to it first; else check the service address.`,
  );
}

function tooManyRedirects(host: string): BroadsheetError {
  return new BroadsheetError(
    'too_many_redirects',
    `${host} sent Broadsheet on more than ${MOST_REDIRECTS} times. Check the service address.`,
  );
}

function unaskedNotModified(host: string): BroadsheetError {
  return new BroadsheetError(
    'invalid_body',
    `${host} answered "not modified" to a request that did not ask for that. Try again later.`,
  );
}

/** Query and headers stay out of the log: a search is the reader's own business, and a header may be a key. */
function logged({ request, requests, status }: HttpRequest): Record<string, string | number | null> {
  return { resource: request.resource, path: request.path, status, requests };
}
