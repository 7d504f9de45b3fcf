import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pagePolicy, SAFE_HEADERS } from '../../core/page-files.ts';

/** Headers of every response, errors too. */
export const HEADERS: OutgoingHttpHeaders = {
  ...SAFE_HEADERS,
  'content-security-policy': pagePolicy("'self'"),
  'cache-control': 'no-store',
};

/** In bytes. More than any call may send. */
const MAX_DRAINED = 256 * 1024 * 1024;

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

/** Discards the rest of a body, because many programs send all of it before they read, and would see a reset. */
function drain(request: IncomingMessage, done: () => void): void {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DRAINED) request.destroy();
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
