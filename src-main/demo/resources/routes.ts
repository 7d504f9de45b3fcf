import type { Answer } from '../http/answer.ts';
import type { Asked, Route } from '../http/router.ts';
import type { World } from '../world.ts';
import { items } from './items.ts';
import { changes, snapshot } from './selected.ts';

/** Every address of both APIs. */
export function routesOf(world: World, _modelsKey: string): Route[] {
  const news = (path: RegExp, resource: (world: World, asked: Asked) => Answer): Route => ({
    path,
    answer: (asked) => resource(world, asked),
  });
  return [
    news(/^\/api\/v1\/items$/, items),
    news(/^\/api\/v1\/selected\/snapshot$/, snapshot),
    news(/^\/api\/v1\/selected\/changes$/, changes),
  ];
}
