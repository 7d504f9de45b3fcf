import { Problem } from '../http/problem.ts';
import type { ApiResponse } from '../http/response.ts';
import type { ApiRequest, Route } from '../http/router.ts';
import type { DemoGateway } from '../model-catalogue/gateway.ts';
import type { DemoState } from '../state.ts';
import { agentGuide } from './agent.ts';
import { dailies } from './dailies.ts';
import { hotTopics } from './hot-topics.ts';
import { items } from './items.ts';
import { embeddingsModels, refusalOf, userModels } from './models.ts';
import { monthlies, weeklies } from './period-reports.ts';
import type { Resource } from './report-series.ts';
import { changes, snapshot } from './selected.ts';
import { story } from './stories.ts';

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
