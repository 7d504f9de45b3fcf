import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { z } from 'zod';
import { mix } from './random.ts';

export interface ApiRequest {
  url: string;
  captured: string[];
  search: URLSearchParams;
  authorization: string | undefined;
  now: number;
  /** As the client wrote the service's address, for links in responses. */
  origin: string;
}

export interface Route {
  path: RegExp;
  answer(request: ApiRequest): ApiResponse;
  /** For a part of the service that does not report problems as problem+json. */
  refuse?(problem: Problem): ApiResponse;
}

const METHODS = 'GET, HEAD';
const MAX_URL = 8192;

export function answerRequest(routes: readonly Route[], request: IncomingMessage, now: number): ApiResponse {
  const url = request.url ?? '/';
  if (url.length > MAX_URL) return frontPage(414, 'URI Too Long');
  if (!isDecodable(url)) return frontPage(400, 'Bad Request');
  const [path = '/', query = ''] = splitOnce(url, '?');
  if (!path.startsWith('/api/')) return frontPage(404, 'Not Found');
  const found = findRoute(routes, path);
  try {
    if (!found) throw new Problem('not_found', 'There is no such resource.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Problem('method_not_allowed', `${request.method} is not allowed here; use GET.`, { allow: METHODS });
    }
    const origin = `http://${request.headers.host ?? '127.0.0.1'}`;
    const { authorization } = request.headers;
    const { route, captured } = found;
    return route.answer({ url, captured, search: new URLSearchParams(query), authorization, now, origin });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return found?.route.refuse?.(error) ?? problemAnswer(error);
  }
}

function findRoute(routes: readonly Route[], path: string): { route: Route; captured: string[] } | null {
  for (const route of routes) {
    const match = route.path.exec(path);
    if (match) return { route, captured: match.slice(1).map(decodeURIComponent) };
  }
  return null;
}

function problemAnswer(problem: Problem): ApiResponse {
  const requestId = randomUUID();
  const headers = {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...problem.headers,
  };
  return { status: problem.status, headers, body: problem.body(requestId) };
}

/** Responds like a proxy in front of the service: clients must cope with errors that are not problem+json. */
function frontPage(status: number, reason: string): ApiResponse {
  const body = `<html>\n<head><title>${status} ${reason}</title></head>\n<body><h1>${status} ${reason}</h1></body>\n</html>\n`;
  return { status, headers: { 'content-type': 'text/html' }, body };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** In seconds, for shared caches. Set only if the response has an ETag. */
  lifetime?: number;
  /** Made for the holder of one key: shared caches must not store it. */
  isPrivate?: boolean;
}

const PACK_FROM_BYTES = 1024;
const packGzip = promisify(gzip);
const packBrotli = promisify(brotliCompress);

export function json(value: unknown, lifetime: number): ApiResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
    lifetime,
  };
}

interface Outgoing {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer | undefined;
}

export async function prepare(request: IncomingMessage, answer: ApiResponse): Promise<Outgoing> {
  const headers: Record<string, string> = { ...answer.headers };
  if (answer.lifetime !== undefined) {
    headers['cache-control'] = answer.isPrivate
      ? `private, max-age=${answer.lifetime}`
      : `public, max-age=0, s-maxage=${answer.lifetime}`;
    headers['etag'] = validatorOf(request.url ?? '', answer.body);
    headers['vary'] = 'Accept-Encoding';
    if (isHeld(request.headers['if-none-match'], headers['etag'])) {
      delete headers['content-type'];
      return { status: 304, headers, bytes: undefined };
    }
  }
  const { coding, bytes } = await pack(answer.body, request.headers['accept-encoding']);
  if (coding) headers['content-encoding'] = coding;
  headers['content-length'] = String(bytes.length);
  return { status: answer.status, headers, bytes: request.method === 'HEAD' ? undefined : bytes };
}

/** Returns a weak ETag that differs for each exact address, as seen on a service of this kind. */
function validatorOf(url: string, body: string): string {
  return `W/"${createHash('sha1').update(url).update('\0').update(body).digest('base64url')}"`;
}

/** Compares byte for byte: a client that changes an ETag (drops `W/` or the quotes) gets the whole body. */
function isHeld(ifNoneMatch: string | undefined, validator: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((held) => held.trim() === '*' || held.trim() === validator);
}

async function pack(
  body: string,
  acceptEncoding: string | string[] | undefined,
): Promise<{ coding?: string; bytes: Buffer }> {
  const bytes = Buffer.from(body);
  if (bytes.length < PACK_FROM_BYTES) return { bytes };
  const accepted = acceptedCodings(String(acceptEncoding ?? ''));
  if (accepted.has('br')) {
    // Quality 4 of 11: 11 takes seconds for a snapshot page.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
    return { coding: 'br', bytes: await packBrotli(bytes, { params }) };
  }
  if (accepted.has('gzip')) return { coding: 'gzip', bytes: await packGzip(bytes, { level: 4 }) };
  return { bytes };
}

function acceptedCodings(header: string): Set<string> {
  const offers = header.split(',').map((offer) =>
    offer
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  );
  return new Set(offers.filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? '')).map(([coding = '']) => coding));
}

/** Refuses `+5`, `5.0` and `0x5`. */
export function wholeNumber(low: number, high: number): z.ZodType<number, string> {
  const bounds = `must be an integer from ${low} to ${high}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, bounds)
    .transform(Number)
    .pipe(z.number(bounds).min(low, bounds).max(high, bounds));
}

/** Refuses unknown, repeated and empty parameters (observed-10-parameters). */
export function readQuery<T>(search: URLSearchParams, shape: z.ZodType<T>): T {
  const given: Record<string, string> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(given, name)) throw new Problem('invalid_request', `Query parameter "${name}" is repeated.`);
    if (value === '') throw new Problem('invalid_request', `Query parameter "${name}" is empty.`);
    Object.defineProperty(given, name, { value, enumerable: true });
  }
  const checked = shape.safeParse(given);
  if (checked.success) return checked.data;
  throw new Problem('invalid_request', complaint(checked.error));
}

export function readNoQuery(search: URLSearchParams): void {
  readQuery(search, z.strictObject({}));
}

function complaint(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') return `Unknown query parameter "${issue.keys[0]}".`;
  return `Query parameter "${issue?.path.join('.')}" ${issue?.message ?? 'is not understood'}.`;
}

const TITLES = {
  invalid_request: [400, 'Invalid request'],
  invalid_cursor: [400, 'Invalid cursor'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  snapshot_required: [409, 'Snapshot required'],
  too_many_requests: [429, 'Too many requests'],
  temporarily_unavailable: [503, 'Temporarily unavailable'],
} as const;

type ProblemCode = keyof typeof TITLES;

/** Document 1 section 7; observed-6-problem. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return TITLES[this.code][0];
  }

  body(requestId: string): string {
    const [status, title] = TITLES[this.code];
    const type = `https://demo.broadsheet.example/problems/${this.code.replaceAll('_', '-')}`;
    return JSON.stringify({ type, title, status, detail: this.message, code: this.code, requestId });
  }
}

/** Adds a checksum, which exposes damaged and invented tokens. */
export function sealToken(value: unknown): string {
  const text = JSON.stringify(value);
  return `${Buffer.from(text).toString('base64url')}.${checksum(text)}`;
}

export function openToken<T>(token: string, shape: z.ZodType<T>): T | null {
  const [body = '', sum] = token.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  if (checksum(text) !== sum) return null;
  return shape.safeParse(JSON.parse(text)).data ?? null;
}

function checksum(text: string): string {
  return mix(...Buffer.from(text)).toString(36);
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}
