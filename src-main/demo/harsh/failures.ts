import type { IncomingMessage, ServerResponse } from 'node:http';
import { dayMs, isDay, mondayOf } from '../../common/time.ts';
import { FAILURES, type Failure } from '../options.ts';
import { findStory } from '../stories.ts';
import type { DemoState } from '../state.ts';

const DAY = 86_400_000;
/** One in this many fails. */
const STORY_CYCLE = 5;
const DAILY_CYCLE = 7;
const WEEKLY_CYCLE = 4;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };

const ANSWERS: Record<Failure, Answer> = {
  forbidden: (_, response) => {
    problem(response, 403, 'forbidden');
  },
  // A defect of the service, not problem+json.
  broken: (_, response) => void response.writeHead(500, HTML_TYPE).end('<h1>500 Internal Server Error</h1>\n'),
  htmlPage: (_, response) => {
    response
      .writeHead(200, { ...HTML_TYPE, 'cache-control': 'public, s-maxage=60' })
      .end('<title>Please wait</title>\n');
  },
  cutShort: (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '5000' });
    response.write('{"story":{"publicId":"', () => response.destroy());
  },
  redirectLoop: (request, response) => void response.writeHead(308, { location: request.url ?? '/' }).end(),
  silent: () => undefined,
  notFound: (_, response) => {
    problem(response, 404, 'not_found');
  },
};

/** After `silent`, the client has to give up. */
export function fail(failure: Failure, request: IncomingMessage, response: ServerResponse): void {
  ANSWERS[failure](request, response);
}

/** Fails a path the same way each time: as the control says, else by its number in the harsh service. */
export function failureOf(state: DemoState, path: string): Failure | null {
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
  if (resource === 'stories') return storyNumber(state, key);
  if (resource === 'dailies') return isDay(key) ? Math.floor(dayMs(key) / DAY) : null;
  return /^\d{4}-W\d{2}$/.test(key) ? Math.floor(dayMs(mondayOf(key)) / (7 * DAY)) : null;
}

function storyNumber(state: DemoState, publicId: string): number | null {
  const found = findStory(state, publicId);
  return found && !found.merged ? found.story.newsEvent : null;
}

function problem(response: ServerResponse, status: number, code: string): void {
  const body = { type: 'about:blank', title: code, status, detail: 'Always, for this one.', code, requestId: 'demo' };
  response.writeHead(status, { 'content-type': 'application/problem+json; charset=utf-8', 'x-request-id': 'demo' });
  response.end(JSON.stringify(body));
}
