import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pagePolicy, SAFE_HEADERS } from '../../core/page-files.ts';

/** Headers of every response, errors too: content security policy, no caching, no framing, no reading by other origins. */
export const HEADERS: OutgoingHttpHeaders = {
  ...SAFE_HEADERS,
  'content-security-policy': pagePolicy("'self'"),
  'cache-control': 'no-store',
};

/** In bytes. More than any call may send. */
const MOST_DRAINED = 256 * 1024 * 1024;

export function answer(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: OutgoingHttpHeaders = {},
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { ...HEADERS, 'content-length': bytes.length, ...headers });
  // Node omits the body for HEAD.
  if (!isUnread(response.req)) return void response.end(bytes);
  response.write(bytes);
  drain(response.req, () => response.end());
}

function isUnread({ headers, complete }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
}

/**
 * Discards the rest of a body: many programs send all of it before they read, and ending early would reset their
 * connection. Limited by the time for requests and {@link MOST_DRAINED}.
 */
function drain(request: IncomingMessage, done: () => void): void {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_DRAINED) request.destroy();
  });
  for (const event of ['end', 'error', 'close']) request.once(event, done);
  request.resume();
}

export function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  answer(response, status, `${text}\n`, { 'content-type': 'text/plain; charset=utf-8', ...headers });
}

export function answerJson(response: ServerResponse, value: unknown): void {
  answer(response, 200, JSON.stringify(value), { 'content-type': 'application/json; charset=utf-8' });
}

export function refuseMethod(response: ServerResponse, allowed: string[]): void {
  const list = allowed.join(', ');
  answerText(response, 405, `Allowed methods: ${list}.`, { allow: list });
}
