import type { DemoGateway } from '../model-catalogue/gateway.ts';
import type { ApiResponse } from '../http/response.ts';
import { Problem } from '../http/problem.ts';
import type { ApiRequest, Route } from '../http/router.ts';
import type { DemoState } from '../state.ts';
import { agentGuide } from './agent.ts';
import { dailies, daily, latestDaily } from './dailies.ts';
import { hotTopics } from './hot-topics.ts';
import { items } from './items.ts';
import { embeddingsModels, refusalOf, userModels } from './models.ts';
import { latestPeriodical, periodical, periodicalIndex } from './reports.ts';
import type { SeriesName } from './reports.ts';
import { changes, snapshot } from './selected.ts';
import { story } from './stories.ts';

/** Every address of both APIs. The first that fits answers. */
export function routesOf(state: DemoState, gateway: DemoGateway): Route[] {
  const news = (path: string, resource: (state: DemoState, request: ApiRequest) => ApiResponse): Route => ({
    path: new RegExp(`^/api/v1/${path}$`),
    answer: (request) => resource(state, request),
  });
  const series = (path: string, name: SeriesName): Route[] => [
    news(path, (...given) => periodicalIndex(name, ...given)),
    news(`${path}/latest`, (...given) => latestPeriodical(name, ...given)),
    news(`${path}/([^/]+)`, (...given) => periodical(name, ...given)),
  ];
  const models = (path: string, answer: (request: ApiRequest) => ApiResponse): Route => ({
    path: new RegExp(`^/api/v1/${path}$`),
    answer,
    refuse: refusalOf,
  });
  return [
    news('items', items),
    news('hot-topics', hotTopics),
    news('stories/([^/]+)', story),
    news('dailies', dailies),
    news('dailies/latest', latestDaily),
    news('dailies/([^/]+)', daily),
    ...series('weeklies', 'weekly'),
    ...series('monthlies', 'monthly'),
    news('agent', agentGuide),
    news('selected/snapshot', snapshot),
    news('selected/changes', changes),
    models('models/user', (request) => userModels(gateway, request)),
    models('embeddings/models', (request) => embeddingsModels(gateway, request)),
    models('(?:models|embeddings)(?:/.*)?', () => {
      throw new Problem('not_found', 'Resource not found');
    }),
  ];
}
