import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiResponse } from './response.ts';
import { Problem } from './problem.ts';

export interface ApiRequest {
  url: string;
  captured: string[];
  search: URLSearchParams;
  authorization: string | undefined;
  /** Milliseconds since 1970. */
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
const LONGEST_URL = 8192;

/** Turns every `Problem` into a response. */
export function answerRequest(routes: readonly Route[], request: IncomingMessage, now: number): ApiResponse {
  const url = request.url ?? '/';
  if (url.length > LONGEST_URL) return frontPage(414, 'URI Too Long');
  if (!decodes(url)) return frontPage(400, 'Bad Request');
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

function decodes(text: string): boolean {
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
