import { AGENT_GUIDE, fill } from '../content/texts.ts';
import { type ApiRequest, type ApiResponse, Problem, readNoQuery, type Route } from '../http.ts';
import type { DemoGateway } from '../gateway.ts';
import type { DemoState } from '../state.ts';
import { items } from './items.ts';
import { embeddingsModels, refusalOf, userModels } from './models.ts';
import { dailies, monthlies, type Resource, weeklies } from './reports.ts';
import { changes, snapshot } from './selected.ts';
import { hotTopics, story } from './stories.ts';

/** The order counts: the first match answers. */
export function routesOf(state: DemoState, gateway: DemoGateway): Route[] {
  const news = (path: string, resource: Resource): Route => ({
    path: new RegExp(`^/api/v1/${path}$`),
    answer: (request) => {
      const { redirect } = state.odd;
      if (redirect !== null) return { status: 301, headers: { location: `${redirect}${request.url}` }, body: '' };
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
    refuse: refusalOf,
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
    models('models/user', (request) => userModels(gateway, state.odd, request)),
    models('embeddings/models', (request) => embeddingsModels(gateway, state.odd, request)),
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
export function agentGuide(_state: DemoState, request: ApiRequest): ApiResponse {
  readNoQuery(request.search);
  const base = `${request.origin}/api/v1`;
  const body = fill(AGENT_GUIDE, { base });
  return { status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body, lifetime: 300 };
}
