import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pagePolicy, SAFE_HEADERS } from '../../core/page.ts';

/** On every answer, refusals too: what the page may load, and that nothing is kept, framed or read by others. */
export const HEADERS: OutgoingHttpHeaders = {
  ...SAFE_HEADERS,
  'content-security-policy': pagePolicy("'self'"),
  'cache-control': 'no-store',
};

/** Ends a response with a body of known length. Texts are sent as UTF-8. */
export function answer(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: OutgoingHttpHeaders = {},
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { ...HEADERS, 'content-length': bytes.length, ...headers });
  // The runtime itself leaves the body out of answers to HEAD.
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
  answerText(response, 405, `Only ${list} here.`, { allow: list });
}
