import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pagePolicy, SAFE_HEADERS } from '../../core/page.ts';

/** Headers of every response, errors too: content security policy, no caching, no framing, no reading by other origins. */
export const HEADERS: OutgoingHttpHeaders = {
  ...SAFE_HEADERS,
  'content-security-policy': pagePolicy("'self'"),
  'cache-control': 'no-store',
};

/** Sends a complete response. Strings are sent as UTF-8. */
export function answer(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: OutgoingHttpHeaders = {},
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { ...HEADERS, 'content-length': bytes.length, ...headers });
  // Node omits the body for HEAD.
  response.end(bytes);
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
