import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // No text becomes markup or script, whatever a mistake in the page may try. Svelte parses its own templates under this name.
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ');

/** On every answer, refusals too: what the page may load, and that nothing is kept, framed or read by others. */
export const SAFE_HEADERS: OutgoingHttpHeaders = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
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
  response.writeHead(status, { ...SAFE_HEADERS, 'content-length': bytes.length, ...headers });
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
