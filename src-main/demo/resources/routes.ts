import { z } from 'zod';
import type { ModelListName } from '../../contract/model/resource.ts';
import { AGENT_GUIDE, fill } from '../content/texts.ts';
import {
  type ApiRequest,
  type ApiResponse,
  json,
  Problem,
  readNoQuery,
  readQuery,
  type Route,
  wholeNumber,
} from '../http.ts';
import type { DemoGateway } from '../gateway.ts';
import type { DemoState } from '../state.ts';
import { items } from './items.ts';
import { dailies, monthlies, type Resource, weeklies } from './reports.ts';
import { changes, snapshot } from './selected.ts';
import { hotTopics, story } from './stories.ts';

/** The order counts: the first match answers. */
export function routesOf(state: DemoState, gateway: DemoGateway): Route[] {
  const news = (path: string, resource: Resource): Route => ({
    path: new RegExp(`^/api/v1/${path}$`),
    answer: (request) => {
      refuseWhenBusy(state, request.now);
      return resource(state, request);
    },
  });
  const reports = (
    path: string,
    { index, latest, report }: Record<'index' | 'latest' | 'report', Resource>,
  ): Route[] => [news(path, index), news(`${path}/latest`, latest), news(`${path}/([^/]+)`, report)];
  const models = (path: string, answer: (request: ApiRequest) => ApiResponse): Route => ({
    path: new RegExp(`^/api/v1/${path}$`),
    answer,
    refuse: modelsProblem,
  });
  return [
    news('items', items),
    news('hot-topics', hotTopics),
    news('stories/([^/]+)', story),
    ...reports('dailies', dailies),
    ...reports('weeklies', weeklies),
    ...reports('monthlies', monthlies),
    news('agent', agentGuide),
    news('selected/snapshot', snapshot),
    news('selected/changes', changes),
    models('models/user', (request) => userModels(state, gateway, request)),
    models('embeddings/models', (request) => modelList(state, gateway, 'embeddings', request)),
    models('(?:models|embeddings)(?:/.*)?', () => {
      throw new Problem('not_found', 'Resource not found');
    }),
  ];
}

function refuseWhenBusy({ odd }: DemoState, now: number): void {
  const refusal = odd.refusal(now);
  if (!refusal) return;
  const code = refusal.status === 429 ? 'too_many_requests' : 'temporarily_unavailable';
  throw new Problem(code, 'Try again later.', { 'retry-after': String(refusal.retryAfter) });
}

/** Serves `GET /agent` (observed-8-guide). */
function agentGuide(_state: DemoState, request: ApiRequest): ApiResponse {
  readNoQuery(request.search);
  const base = `${request.origin}/api/v1`;
  const body = fill(AGENT_GUIDE, { base });
  return { status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body, lifetime: 300 };
}

function userModels(state: DemoState, gateway: DemoGateway, request: ApiRequest): ApiResponse {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.authorization ?? '');
  if (!bearer) return modelsError(401, 'Missing Authentication header');
  if (bearer[1] !== gateway.key) return modelsError(403, 'Only management keys can perform this operation');
  return { ...modelList(state, gateway, 'models', request), isPrivate: true };
}

const listQuery = z.strictObject({
  offset: wholeNumber(0, 999_999_999).exactOptional(),
  limit: wholeNumber(1, 1000).exactOptional(),
});

/** Document 2 section 4. */
function modelList({ odd }: DemoState, gateway: DemoGateway, name: ModelListName, request: ApiRequest): ApiResponse {
  const { offset = 0, limit = null } = readQuery(request.search, listQuery);
  const all = gateway.current(name);
  const models = all.slice(0, Math.floor(all.length * odd.shareWhileRebuilt(request.now)));
  const end = limit === null ? models.length : offset + limit;
  const [path] = request.url.split('?');
  const next = end < models.length ? `${request.origin}${path}?offset=${end}&limit=${limit}` : null;
  return json({ data: models.slice(offset, end), links: { next }, total_count: models.length }, 60);
}

/** Document 2 section 7. */
function modelsError(status: number, message: string, headers: Record<string, string> = {}): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error: { code: status, message } }),
  };
}

function modelsProblem({ status, code, message, headers }: Problem): ApiResponse {
  return modelsError(status, code === 'not_found' ? 'Resource not found' : message, headers);
}
