import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dayMs, isDay, mondayOf } from '../common/time.ts';
import { controlOf } from './control.ts';
import { DemoGateway } from './gateway.ts';
import { answerRequest, prepare } from './http.ts';
import { type DemoOptions, type DemoService, type Failure, FAILURES, type LoggedRequest } from './options.ts';
import { routesOf } from './resources/routes.ts';
import { findStory } from './resources/stories.ts';
import { DemoState } from './state.ts';

export type * from './options.ts';

const REQUESTS_KEPT = 10_000;

/** Serves both APIs on 127.0.0.1 only. */
export async function startDemoService(options: DemoOptions): Promise<DemoService> {
  const state = new DemoState(options);
  const gateway = new DemoGateway(options);
  const routes = routesOf(state, gateway);
  const requests: LoggedRequest[] = [];
  // A client closes what is idle before this does, so that no request meets a connection that closes.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const logged = logEntry(request);
    requests.push(logged);
    if (requests.length > REQUESTS_KEPT) requests.shift();
    response.once('close', () => {
      logged.status ||= response.statusCode;
      options.log?.(logged);
    });
    response.setHeader('date', new Date(options.clock.now()).toUTCString());
    if (options.intercept?.(request, response)) return;
    void answer(request, response, logged);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse, logged: LoggedRequest) => {
    try {
      state.advance();
      const failure = failureOf(state, logged.path);
      if (failure !== null) {
        FAILED_ANSWERS[failure](request, response);
        return;
      }
      const { status, headers, bytes } = await prepare(request, answerRequest(routes, request, options.clock.now()));
      // Set before the bytes leave, so whoever has the response finds it logged.
      logged.status = status;
      response.writeHead(status, headers).end(bytes);
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined);
    }
  };
  const address = `http://127.0.0.1:${await listen(server, options.port ?? 0)}`;
  return {
    newsAddress: address,
    modelsAddress: address,
    requests,
    control: controlOf(state, gateway),
    close: () => stop(server),
  };
}

function logEntry(request: IncomingMessage): LoggedRequest {
  const url = request.url ?? '';
  const mark = url.includes('?') ? url.indexOf('?') : url.length;
  const { 'if-none-match': ifNoneMatch, accept, authorization } = request.headers;
  return {
    method: request.method ?? '',
    path: url.slice(0, mark),
    query: url.slice(mark),
    status: 0,
    headers: {
      ...(ifNoneMatch !== undefined && { ifNoneMatch }),
      ...(accept !== undefined && { accept }),
      hasAuthorization: authorization !== undefined,
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const DAY = 86_400_000;
const STORY_CYCLE = 5;
const DAILY_CYCLE = 7;
const WEEKLY_CYCLE = 4;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };

const FAILED_ANSWERS: Record<Failure, Answer> = {
  forbidden: (_, response) => problem(response, 403, 'forbidden'),
  // A defect of the service, not problem+json.
  broken: (_, response) => void response.writeHead(500, HTML_TYPE).end('<h1>500 Internal Server Error</h1>\n'),
  htmlPage: (_, response) => {
    response.writeHead(200, { ...HTML_TYPE, 'cache-control': 'public, s-maxage=60' });
    response.end('<title>Please wait</title>\n');
  },
  cutShort: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': '5000' });
    response.write('{"story":{"publicId":"', () => response.destroy());
  },
  redirectLoop: (request, response) => void response.writeHead(308, { location: request.url ?? '/' }).end(),
  // The client has to give up.
  silent: () => undefined,
  notFound: (_, response) => problem(response, 404, 'not_found'),
};

/** Fails a path the same way each time: as the control says, else by its number in the harsh service. */
function failureOf(state: DemoState, path: string): Failure | null {
  const given = state.failures.get(path);
  if (given !== undefined) return given;
  if (!state.harsh) return null;
  const [, resource = '', key = ''] = /^\/api\/v1\/(stories|dailies|weeklies)\/([^/]+)$/.exec(path) ?? [];
  const number = resource === '' ? null : numberOf(state, resource, key);
  if (number === null) return null;
  const cycle = { stories: STORY_CYCLE, dailies: DAILY_CYCLE, weeklies: WEEKLY_CYCLE }[resource] ?? 1;
  return number % cycle === cycle - 2 ? (FAILURES[Math.floor(number / cycle) % FAILURES.length] ?? null) : null;
}

/** Gives neighbours consecutive numbers, so that they fail in different ways. */
function numberOf(state: DemoState, resource: string, key: string): number | null {
  if (resource === 'stories') {
    const found = findStory(state, key);
    return found && !found.merged ? found.story.newsEvent : null;
  }
  if (resource === 'dailies') return isDay(key) ? Math.floor(dayMs(key) / DAY) : null;
  return /^\d{4}-W\d{2}$/.test(key) ? Math.floor(dayMs(mondayOf(key)) / (7 * DAY)) : null;
}

function problem(response: ServerResponse, status: number, code: string): void {
  const body = { type: 'about:blank', title: code, status, detail: 'Always, for this one.', code, requestId: 'demo' };
  response.writeHead(status, { 'content-type': 'application/problem+json; charset=utf-8', 'x-request-id': 'demo' });
  response.end(JSON.stringify(body));
}
