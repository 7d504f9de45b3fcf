import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MODEL_LISTS, type ModelListName } from '../../../src-main/contract/model/resource.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { REGISTRY } from '../../../src-main/sync/jobs/registry.ts';
import { fakeClock } from '../../support/clock.ts';
import { drive, settled } from '../../support/driving.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';
import { temporaryFolder } from '../../support/folders.ts';
import {
  FOREIGN_KEY,
  KEY,
  modelRecords,
  OTHER_KEY,
  refuse,
  startGateway,
  type TestGateway,
} from '../../support/gateway.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function twoModelLists(vendor = 'made'): Promise<TestGateway> {
  return startGateway({ models: modelRecords(3, vendor), embeddings: modelRecords(2, `${vendor}-vectors`) });
}

interface Scene extends TestEngine {
  gateway: TestGateway;
  /** Requests for a model list since it was last called. */
  asked(modelList: ModelListName): number;
  /** Another engine in place of this one. */
  reopen(key: string | null): Promise<TestEngine>;
}

async function openScene(key: string | null = KEY, folder = ':memory:'): Promise<Scene> {
  const clock = fakeClock();
  const service = await startDemoService({ clock, content: { selected: 5, days: 5 } });
  onTestFinished(() => service.close());
  const gateway = await twoModelLists();
  const options = { address: service.newsAddress, clock, folder };
  const room = openTestEngine({ ...options, gateway: gateway.asked(key) });
  let seen = 0;
  return {
    ...room,
    gateway,
    asked: (modelList) => {
      const fresh = gateway.requests.slice(seen).filter((request) => request.modelList === modelList);
      seen = gateway.requests.length;
      return fresh.length;
    },
    reopen: async (other) => {
      await room.engine.close();
      return openTestEngine({ ...options, gateway: gateway.asked(other) });
    },
  };
}

async function sync({ call }: TestEngine, urgency: 'due' | 'permitted' | 'now' = 'due') {
  return (await call('sync.run', { urgency, resources: [...MODEL_LISTS] })).resources;
}

const ids = ({ queries }: TestEngine, { address }: TestGateway, modelList: ModelListName = 'models') =>
  queries.models.list(address, modelList).lines.map(({ id }) => id);

/** Holds the response to the next request for the models. */
function holdModels(gateway: TestGateway): { held: Promise<ServerResponse> } {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  gateway.intercept = ({ modelList }, response) => {
    if (modelList !== 'models') return false;
    gateway.intercept = null;
    resolve(response);
    return true;
  };
  return { held: promise };
}

describe('without a gateway', () => {
  it('does not sync the model lists until a gateway is configured', async () => {
    const gateway = await twoModelLists();
    const room = openTestEngine({ address: 'http://127.0.0.1:9' });
    for (const urgency of ['due', 'permitted', 'now'] as const) {
      const { models, embeddings } = await sync(room, urgency);
      expect([models, embeddings]).toEqual([
        { status: 'notDue', requests: 0, added: 0, revised: 0, withdrawn: 0, skipped: 0 },
        { status: 'notDue', requests: 0, added: 0, revised: 0, withdrawn: 0, skipped: 0 },
      ]);
    }
    const { gateway: source, resources } = await room.call('sync.status', {});
    expect(source).toBeNull();
    expect(resources.find(({ name }) => name === 'models')).toMatchObject({
      nextDueAt: null,
      rows: 0,
      lastTryAt: null,
    });
    await room.engine.useGateway(gateway.asked());
    expect(await room.call('sync.status', {})).toMatchObject({ gateway: { address: gateway.address } });
    expect(await sync(room)).toMatchObject({ models: { added: 3 }, embeddings: { added: 2 } });
    await room.engine.useGateway(null);
    expect((await sync(room, 'now')).models.status).toBe('notDue');
  });
});

describe('polling a gateway', () => {
  // Holds: models-6-no-events, models-8-rate-limits
  it('fetches each model list once an hour, and sooner while the page shows it', async () => {
    const { engine, clock, call, asked } = await openScene();
    await engine.start();
    await settled(clock, 2);
    expect(asked('models')).toBe(1);
    await drive(clock, 6 * HOUR, undefined, 2);
    const hidden = asked('models');
    expect(hidden).toBeGreaterThanOrEqual(5);
    expect(hidden).toBeLessThanOrEqual(6);
    for (let n = 0; n < 4; n += 1) {
      await call('sync.attend', { to: 'models' });
      await drive(clock, 15 * MINUTE, undefined, 2);
    }
    const shown = asked('embeddings');
    expect(shown).toBeGreaterThanOrEqual(5);
    expect(shown).toBeLessThanOrEqual(HOUR / REGISTRY.models.rule.attended + 1);
  });

  it('retries an unreachable gateway with its own backoff while the news continue', async () => {
    const { engine, clock, call, gateway, asked } = await openScene();
    gateway.intercept = (_, response) => Boolean(response.destroy());
    await engine.start();
    await drive(clock, 2 * HOUR, undefined, 2);
    const tries = asked('models');
    expect(tries).toBeGreaterThanOrEqual(7);
    expect(tries).toBeLessThanOrEqual(10);
    const { reachable, resources } = await call('sync.status', {});
    expect(reachable).toBe(true);
    expect(resources.filter(({ failures }) => failures > 0).map(({ name }) => name)).toEqual([...MODEL_LISTS]);
  });
});

describe('a rejected key', () => {
  it('is seldom tried again by itself, but by a manual refresh and after a start', async () => {
    const scene = await openScene(null, temporaryFolder());
    expect((await sync(scene)).models.status).toBe('failed');
    scene.clock.advance(5 * HOUR);
    expect((await sync(scene)).models.status).toBe('notDue');
    expect((await sync(scene, 'permitted')).models.status).toBe('failed');
    const after = await scene.reopen(KEY);
    expect(await sync(after)).toMatchObject({ models: { added: 3 }, embeddings: { status: 'notDue' } });
  });

  it('is replaced by another key at once, except for a Retry-After', async () => {
    const scene = await openScene(FOREIGN_KEY);
    await sync(scene);
    await scene.engine.useGateway(scene.gateway.asked(KEY));
    expect(await sync(scene)).toMatchObject({ models: { added: 3 }, embeddings: { status: 'notDue' } });
    scene.gateway.intercept = (_, response) => {
      refuse(response, 429, 'Slow down', 600);
      return true;
    };
    expect((await sync(scene, 'now')).models.error?.code).toBe('rate_limited');
    await scene.engine.useGateway(scene.gateway.asked(OTHER_KEY));
    scene.gateway.intercept = null;
    expect((await sync(scene, 'now')).models.status).toBe('notDue');
    scene.clock.advance(600_000);
    expect((await sync(scene, 'permitted')).models).toMatchObject({ status: 'ok', added: 0, revised: 0 });
  });
});

describe('switching to another gateway', () => {
  it('ignores the Retry-After of the previous gateway', async () => {
    const scene = await openScene();
    scene.gateway.intercept = (_, response) => {
      refuse(response, 429, 'Slow down', 600);
      return true;
    };
    await sync(scene);
    const other = await twoModelLists('other');
    await scene.engine.useGateway(other.asked());
    expect((await sync(scene)).models).toMatchObject({ status: 'ok', added: 3 });
  });

  it('cancels requests in flight and saves nothing of them under the new name', async () => {
    const scene = await openScene();
    const { held } = holdModels(scene.gateway);
    const running = sync(scene);
    const ended = once(await held, 'close');
    const other = await twoModelLists('other');
    await scene.engine.useGateway(other.asked());
    expect((await running).models).toMatchObject({ status: 'failed', error: { code: 'aborted' } });
    await ended;
    expect(ids(scene, other)).toEqual([]);
    expect(await sync(scene)).toMatchObject({ models: { added: 3 } });
    expect(ids(scene, other)).toEqual(['other/model-1', 'other/model-2', 'other/model-3']);
    expect(ids(scene, scene.gateway)).toEqual([]);
  });

  it('uses the last of several that are set at once', async () => {
    const scene = await openScene();
    const others = [await twoModelLists('second'), await twoModelLists('third')];
    const running = sync(scene);
    await Promise.all(others.map((other) => scene.engine.useGateway(other.asked())));
    await running;
    await sync(scene);
    expect(others[0]?.requests).toEqual([]);
    expect(others[1] && ids(scene, others[1])).toHaveLength(3);
  });

  it('ignores a Retry-After that a key test got from the previous gateway', async () => {
    const scene = await openScene();
    const { held } = holdModels(scene.gateway);
    const trial = scene.engine.tryGateway(scene.gateway.asked(OTHER_KEY));
    const response = await held;
    const other = await twoModelLists('other');
    await scene.engine.useGateway(other.asked());
    refuse(response, 429, 'Slow down', 600);
    expect((await trial).failure?.code).toBe('rate_limited');
    expect((await sync(scene, 'now')).models).toMatchObject({ status: 'ok', added: 3 });
  });

  it('changes nothing for the same gateway with the same key', async () => {
    const scene = await openScene();
    await sync(scene);
    await scene.engine.useGateway(scene.gateway.asked());
    expect((await sync(scene)).models.status).toBe('notDue');
  });
});

describe('testing a key', () => {
  it.each([
    [KEY, null],
    [FOREIGN_KEY, 'forbidden'],
  ])('returns its response to %s and saves nothing', async (key, code) => {
    const scene = await openScene(null);
    const { failure } = await scene.engine.tryGateway(scene.gateway.asked(key));
    expect(failure?.code ?? null).toBe(code);
    expect(scene.gateway.requests.map(({ query }) => query.toString())).toEqual(['limit=1']);
    expect(ids(scene, scene.gateway)).toEqual([]);
    expect(JSON.stringify([scene.log, scene.events, failure])).not.toContain(key);
  });

  it('counts the embedding models at an address, without a key', async () => {
    const scene = await openScene();
    const other = await startGateway({ embeddings: modelRecords(17) });
    expect(await scene.call('gateway.test', { address: other.address })).toEqual({ embeddings: 17 });
    expect(other.requests).toMatchObject([{ modelList: 'embeddings', authorization: undefined }]);
    other.intercept = (_, response) => {
      refuse(response, 401, 'Missing Authentication header');
      return true;
    };
    expect(await scene.call('gateway.test', { address: other.address })).toEqual({ embeddings: null });
    await other.close();
    await expect(scene.call('gateway.test', { address: other.address })).rejects.toMatchObject({ code: 'unreachable' });
  });
});
