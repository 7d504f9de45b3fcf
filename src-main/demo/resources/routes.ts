import type { DemoGateway } from '../catalogue/gateway.ts';
import type { Answer } from '../http/answer.ts';
import { Problem } from '../http/problem.ts';
import type { Asked, Route } from '../http/router.ts';
import type { World } from '../world.ts';
import { agentGuide } from './agent.ts';
import { dailies, daily, latestDaily } from './dailies.ts';
import { hotTopics } from './hot-topics.ts';
import { items } from './items.ts';
import { embeddingsModels, refusalOf, userModels } from './models.ts';
import { latestPeriodical, periodical, periodicalIndex } from './periodicals.ts';
import type { SeriesName } from './periodicals.ts';
import { changes, snapshot } from './selected.ts';
import { story } from './stories.ts';

/** Every address of both APIs. The first that fits answers. */
export function routesOf(world: World, gateway: DemoGateway): Route[] {
  const news = (path: string, resource: (world: World, asked: Asked) => Answer): Route => ({
    path: new RegExp(`^/api/v1/${path}$`),
    answer: (asked) => resource(world, asked),
  });
  const series = (path: string, name: SeriesName): Route[] => [
    news(path, (...given) => periodicalIndex(name, ...given)),
    news(`${path}/latest`, (...given) => latestPeriodical(name, ...given)),
    news(`${path}/([^/]+)`, (...given) => periodical(name, ...given)),
  ];
  const models = (path: string, answer: (asked: Asked) => Answer): Route => ({
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
    models('models/user', (asked) => userModels(gateway, asked)),
    models('embeddings/models', (asked) => embeddingsModels(gateway, asked)),
    models('(?:models|embeddings)(?:/.*)?', () => {
      throw new Problem('not_found', 'Resource not found');
    }),
  ];
}
