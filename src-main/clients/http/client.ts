import type { z } from 'zod';
import { request as send, type Dispatcher } from 'undici';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { redirectTarget, serviceAddress, type Query } from './addresses.ts';
import { ACCEPT_ENCODING, discardBody, readText, tooLarge } from './body.ts';
import { lifetimeOf } from './cache-control.ts';
import { firstHeader, isWebPage, joinHeader, readServiceError } from './problem.ts';
import { checkKey, keyRedaction, withoutKey, type RedactKey } from './redaction.ts';
import { sentAt, closeGate, passGate, type ServiceGate } from './retry-after.ts';
import { ServiceError, transportError, type Phase } from './service-error.ts';
import { ProxyDispatcher, type ProxyChoice } from './proxy-dispatcher.ts';
import pLimit, { type LimitFunction } from 'p-limit';

export interface HttpClientOptions {
  appVersion: string;
  /** For Retry-After dates only: timeouts are real, since a network ignores a fake clock. */
  clock: Clock;
  log: Log;
  timeouts?: { connectMs?: number; totalMs?: number };
  defaultMaxBytes?: number;
  proxy?: ProxyChoice;
  /** Called with the `Date` of each usable response, in ms since 1970. */
  onDate?: (baseAddress: string, date: number) => void;
}

export interface GetRequest {
  /** Requests for the same resource of a service run one after another. */
  resource: string;
  baseAddress: string;
  /** Percent-encoded, below the base address. */
  path: string;
  /** A string came from the service, and is sent back unchanged. */
  query?: Query | string | undefined;
  accept: 'application/json' | 'text/markdown';
  /** The ETag of the saved response to exactly this request, byte for byte. */
  validator?: string | undefined;
  maxBytes?: number | undefined;
  /** Sent only to the origin of the base address, over https or loopback. Never in logs or errors. */
  bearer?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Nobody waits for it, so it leaves room for others. */
  bulk?: boolean | undefined;
  gate?: ServiceGate | undefined;
}

export type FetchOptions = Pick<GetRequest, 'validator' | 'signal' | 'bulk'>;

interface AnswerDetails {
  validator: string | null;
  /** The minimum time until the next request; may be 0. */
  lifetimeMs: number;
  requests: number;
  address: string;
}

export type Fresh<T> = AnswerDetails & { kind: 'fresh'; value: T };
export type Answer<T> = Fresh<T> | (AnswerDetails & { kind: 'notModified' });

export interface HttpClient {
  /** Errors: `ServiceError` with any code that the contract lists for services and networks. */
  get(request: GetRequest): Promise<Answer<string>>;
  useProxy(choice: ProxyChoice): void;
  /** Requests in flight fail with `aborted`, later ones with `closed`. */
  close(): Promise<void>;
}

const MAX_CONCURRENT = 4;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 307, 308]);
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

interface HttpRequest {
  readonly request: GetRequest;
  readonly host: string;
  readonly signal: AbortSignal;
  readonly limit: TimeLimit;
  readonly headers: Record<string, string>;
  readonly redact: RedactKey;
  phase: Phase;
  requests: number;
  status: number | null;
}

interface RawResponse {
  address: URL;
  response: Dispatcher.ResponseData;
}

/** Document 1 sections 1, 4 and 7; document 2 sections 5 and 7. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { appVersion, clock, log, timeouts = {}, defaultMaxBytes = DEFAULT_MAX_BYTES } = options;
  const { connectMs = 10_000, totalMs = 60_000 } = timeouts;
  const ways = new ProxyDispatcher(options.proxy ?? 'none', { connectMs, connections: MAX_CONCURRENT });
  const takeTurn = createRequestQueue();
  const closing = new AbortController();
  const inFlight = new Set<Promise<unknown>>();

  function get(request: GetRequest): Promise<Answer<string>> {
    const call = takeTurn(`${request.baseAddress} ${request.resource}`, request.bulk ?? false, () => perform(request));
    const settled = call.catch(() => undefined).finally(() => inFlight.delete(settled));
    inFlight.add(settled);
    return call;
  }

  async function perform(request: GetRequest): Promise<Answer<string>> {
    const limit = new TimeLimit(totalMs);
    const ends = [limit.signal, closing.signal, ...(request.signal ? [request.signal] : [])];
    const httpRequest = createRequest(request, { signal: AbortSignal.any(ends), limit }, appVersion);
    try {
      if (closing.signal.aborted)
        throw new BroadsheetError('closed', 'Broadsheet is closing. No more requests are sent.');
      // Not before its turn: an earlier request may have closed the gate.
      passGate(request.gate);
      const response = await follow(httpRequest, ways);
      const answer = await parseResponse(httpRequest, response, {
        now: clock.now(),
        maxBytes: request.maxBytes ?? defaultMaxBytes,
      });
      noteDate(response, request.baseAddress);
      log('debug', 'service answered', { ...describe(httpRequest), result: answer.kind });
      return answer;
    } catch (thrown) {
      const error = explain(thrown, httpRequest, totalMs);
      closeGate(request.gate, error);
      // The caller knows what the failure means, and logs it.
      log('debug', 'request failed', { ...describe(httpRequest), code: error.code });
      throw error;
    } finally {
      limit.end();
    }
  }

  function noteDate({ response }: RawResponse, baseAddress: string): void {
    const date = sentAt(firstHeader(response.headers.date));
    if (date !== null) options.onDate?.(baseAddress, date);
  }

  async function close(): Promise<void> {
    closing.abort();
    // A request that waits for its connection ignores the signal, and ends when its dispatcher is destroyed.
    await Promise.all([...inFlight, ways.destroy()]);
  }

  return { get, useProxy: (choice) => ways.use(choice), close };
}

function createRequest(
  request: GetRequest,
  ends: Pick<HttpRequest, 'signal' | 'limit'>,
  appVersion: string,
): HttpRequest {
  const headers: Record<string, string> = {
    'user-agent': `Broadsheet/${appVersion} (desktop reader)`,
    accept: request.accept,
    'accept-encoding': ACCEPT_ENCODING,
  };
  // undici reads and writes headers as Latin-1, so an ETag that is not ASCII is sent back unchanged too.
  if (request.validator) headers['if-none-match'] = request.validator;
  if (request.bearer) headers['authorization'] = `Bearer ${request.bearer}`;
  const host = URL.parse(request.baseAddress)?.host || 'The service';
  const redact = keyRedaction(request.bearer);
  return { request, host, ...ends, headers, redact, phase: 'requesting', requests: 0, status: null };
}

/** Errors: `key_not_sent` before anything is sent. */
async function follow(httpRequest: HttpRequest, ways: ProxyDispatcher): Promise<RawResponse> {
  const { headers, signal } = httpRequest;
  const { baseAddress, path, query, bearer } = httpRequest.request;
  let address = serviceAddress(baseAddress, path, query);
  if (bearer) checkKey(bearer, baseAddress);
  for (;;) {
    signal.throwIfAborted();
    httpRequest.requests += 1;
    httpRequest.phase = 'requesting';
    const response = await send(address, { dispatcher: ways.to(address), method: 'GET', headers, signal });
    httpRequest.phase = 'reading';
    httpRequest.status = response.statusCode;
    if (!REDIRECTS.has(response.statusCode)) return { address, response };
    await response.body.dump();
    if (httpRequest.requests > MAX_REDIRECTS) throw tooManyRedirects(httpRequest.host);
    const location = firstHeader(response.headers.location);
    address = redirectTarget(baseAddress, address, location && httpRequest.redact(location));
  }
}

async function parseResponse(
  httpRequest: HttpRequest,
  { address, response }: RawResponse,
  { now, maxBytes }: { now: number; maxBytes: number },
): Promise<Answer<string>> {
  const { statusCode, headers } = response;
  const details = { ...freshness(headers, httpRequest.redact), requests: httpRequest.requests, address: address.href };
  if (statusCode === 304) {
    await response.body.dump();
    if (!httpRequest.request.validator) throw unexpectedNotModified(httpRequest.host);
    return { kind: 'notModified', ...details, validator: details.validator ?? httpRequest.request.validator };
  }
  // 203 is a 200 that a proxy has modified.
  if (statusCode !== 200 && statusCode !== 203)
    throw await readServiceError(httpRequest.host, response, now, httpRequest.redact);
  return {
    kind: 'fresh',
    ...details,
    value: withoutKey(await readAnswer(httpRequest, response, maxBytes), httpRequest.request.bearer),
  };
}

function freshness(
  headers: Dispatcher.ResponseData['headers'],
  redact: RedactKey,
): { validator: string | null; lifetimeMs: number } {
  const etag = firstHeader(headers.etag) || null;
  // ETags are saved to a file, which must never contain the key.
  const validator = etag !== null && redact(etag) === etag ? etag : null;
  return { validator, lifetimeMs: lifetimeOf(joinHeader(headers['cache-control'])) };
}

async function readAnswer(
  httpRequest: HttpRequest,
  response: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<string> {
  const { headers, body } = response;
  const contentType = firstHeader(headers['content-type']) ?? '';
  try {
    if (!isAcceptable(contentType, httpRequest.request.accept))
      throw wrongContentType(httpRequest.host, httpRequest.redact(contentType));
    if (Number(firstHeader(headers['content-length'])) > maxBytes) throw tooLarge(maxBytes);
    const onBytes = (bytes: number): void => httpRequest.limit.addBytes(bytes);
    return await readText(body, joinHeader(headers['content-encoding']) ?? '', maxBytes, onBytes);
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
  // First: a 503 whose body times out is still a 503 with its Retry-After.
  if (thrown instanceof ServiceError) return thrown.withRequests(requests);
  if (hasTimedOut(httpRequest.signal)) {
    const message = `${httpRequest.host} did not answer within ${Math.ceil(totalMs / 1000)} s. Try again later, or check the service address.`;
    return new ServiceError('timeout', message, { requests, status });
  }
  if (httpRequest.signal.aborted && !(thrown instanceof BroadsheetError)) {
    return new ServiceError('aborted', 'The request was canceled.', { requests, status });
  }
  const { code, message, reason, cause } = transportError(thrown, httpRequest.phase, httpRequest.host);
  // Parser errors quote the bytes that they failed on, which can contain the key.
  const safe = httpRequest.request.bearer ? {} : { cause };
  return new ServiceError(code, httpRequest.redact(message), { requests, status, reason, ...safe });
}

function hasTimedOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}

function wrongContentType(host: string, contentType: string): BroadsheetError {
  const got = contentType === '' ? 'an unknown content type' : contentType.slice(0, 100);
  return new BroadsheetError(
    'wrong_content_type',
    `${host} sent ${got}, which the service never sends. On a guest network, sign in first. Otherwise check the service address.`,
    { reason: isWebPage(contentType) ? 'web_page' : undefined },
  );
}

function tooManyRedirects(host: string): BroadsheetError {
  return new BroadsheetError(
    'too_many_redirects',
    `${host} redirected more than ${MAX_REDIRECTS} times. Check the service address.`,
  );
}

function unexpectedNotModified(host: string): BroadsheetError {
  return new BroadsheetError(
    'invalid_body',
    `${host} answered "not modified" to an unconditional request. Try again later.`,
  );
}

/** Without query and headers: a search is private, and a header may contain a key. */
function describe({ request, requests, status }: HttpRequest): Record<string, string | number | null> {
  return { resource: request.resource, path: request.path, status, requests };
}

/** Runs one request at a time for each resource. A server that is slow with bulk requests holds up no others. */
function createRequestQueue() {
  const total = pLimit(MAX_CONCURRENT);
  const bulkShare = pLimit(MAX_CONCURRENT / 2);
  const queues = new Map<string, LimitFunction>();

  return async <T>(resource: string, bulk: boolean, work: () => Promise<T>): Promise<T> => {
    const name = bulk ? `${resource} bulk` : resource;
    const queue = queues.get(name) ?? pLimit(1);
    queues.set(name, queue);
    try {
      return await queue(() => (bulk ? bulkShare(() => total(work)) : total(work)));
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(name);
    }
  };
}

/** In bytes: a connection that brings less in a whole limit is as good as dead. */
const MIN_PROGRESS = 16 * 1024;
/** A body that keeps coming may take this many times the limit. */
const MAX_EXTENSIONS = 10;

/** Extended while the body keeps coming: a page can take minutes. */
class TimeLimit {
  readonly #ms: number;
  readonly #controller = new AbortController();
  readonly #check = (): void => {
    this.#times += 1;
    if (this.#received < MIN_PROGRESS || this.#times >= MAX_EXTENSIONS) this.#controller.abort(this.#period.reason);
    else this.#period = this.#begin();
  };
  #period: AbortSignal;
  #received = 0;
  #times = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.#period = this.#begin();
  }

  /** Aborts with a `TimeoutError`, as `AbortSignal.timeout` does. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  addBytes(bytes: number): void {
    this.#received += bytes;
  }

  end(): void {
    this.#period.removeEventListener('abort', this.#check);
  }

  #begin(): AbortSignal {
    this.#received = 0;
    const period = AbortSignal.timeout(this.#ms);
    period.addEventListener('abort', this.#check, { once: true });
    return period;
  }
}

/** Errors: `invalid_argument`, before anything is sent. */
export function checkRequest<T>(schema: z.ZodType<T>, request: unknown): T {
  const checked = schema.safeParse(request);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw new BroadsheetError(
    'invalid_argument',
    `${issue?.path.join('.') || 'request'}: ${issue?.message ?? 'is invalid'}`,
  );
}
