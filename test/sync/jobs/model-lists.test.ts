import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelRecord } from '../../../src-main/contract/model/model.ts';
import { MODEL_LISTS, type ModelListName } from '../../../src-main/contract/model/resource.ts';
import type { SyncResult } from '../../../src-main/contract/model/sync-status.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { openTestEngine, type TestEngine, type TestEngineOptions } from '../../support/test-engine.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { FOREIGN_KEY, KEY, modelRecords, OTHER_KEY, startGateway, type TestGateway } from '../../support/gateway.ts';

const HOUR = 3_600_000;

interface Scene extends TestEngine {
  service: DemoService;
  gateway: TestGateway;
  /** Another engine in place of this one, with a key. */
  reopen(key?: string | null): Promise<TestEngine>;
}

async function openScene({
  key = KEY,
  gateway,
  folder = ':memory:',
}: { key?: string | null; gateway?: TestGateway; folder?: string } = {}): Promise<Scene> {
  const clock = fakeClock();
  const service = await startDemoService({ clock, content: { selected: 20, days: 5 } });
  onTestFinished(() => service.close());
  const asked = gateway ?? (await startGateway({ models: modelRecords(3), embeddings: modelRecords(2, 'vectors') }));
  const options: TestEngineOptions = { address: service.newsAddress, clock, folder };
  const room = openTestEngine({ ...options, gateway: asked.asked(key) });
  const reopen = async (other: string | null = KEY): Promise<TestEngine> => {
    await room.engine.close();
    return openTestEngine({ ...options, gateway: asked.asked(other) });
  };
  return { ...room, service, gateway: asked, reopen };
}

type Resources = SyncResult['resources'];

async function sync({ call }: TestEngine, resources: readonly ModelListName[] = MODEL_LISTS): Promise<Resources> {
  return (await call('sync.run', { urgency: 'now', resources: [...resources] })).resources;
}

const syncAll = async ({ call }: TestEngine): Promise<Resources> =>
  (await call('sync.run', { urgency: 'now' })).resources;

function recordsOf({ queries }: TestEngine, { address }: TestGateway, modelList: ModelListName): ModelRecord[] {
  const { lines } = queries.models.list(address, modelList);
  return lines.map(({ id }) => queries.models.get(address, modelList, id).record);
}

const refreshesOf = ({ queries }: TestEngine, { address }: TestGateway) => queries.models.refreshes(address, 10);

const news = ({ items, selected, hotTopics, stories, dailies, weeklies, monthlies }: Resources) =>
  [items, selected, hotTopics, stories, dailies, weeklies, monthlies].map(({ status }) => status);

describe('the two model lists', () => {
  // Holds: models-0-scope, models-1-properties, models-2-id, models-2-canonical-slug, models-2-name, models-2-data
  it("are equal to the gateway's, field by field, in its order, also in pages", async () => {
    const models = modelRecords(120).map((record, index) => ({ ...record, later_field: { deep: [index, null] } }));
    const gateway = await startGateway({ models, embeddings: modelRecords(17, 'vectors'), pageSize: 50 });
    const scene = await openScene({ gateway });
    expect(await sync(scene)).toMatchObject({
      models: { status: 'ok', requests: 3, added: 120, revised: 0, withdrawn: 0, skipped: 0 },
      embeddings: { status: 'ok', requests: 1, added: 17 },
    });
    expect(recordsOf(scene, gateway, 'models')).toEqual(models);
    expect(recordsOf(scene, gateway, 'embeddings')).toEqual(gateway.embeddings);
    expect(scene.events.filter(({ event }) => event === 'models.changed').map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([{ modelLists: ['models'] }, { modelLists: ['embeddings'] }]),
    );
    const { resources } = await scene.call('sync.status', {});
    expect(resources.filter(({ name }) => name === 'models' || name === 'embeddings').map(({ rows }) => rows)).toEqual([
      120, 17,
    ]);
  });
});

describe('a key', () => {
  // Holds: models-5-missing, models-5-management
  it.each([
    ['that is missing', null, 'unauthorized', /only with a key.*Add a key in Settings/s],
    ['that may not list', FOREIGN_KEY, 'forbidden', /only management keys/],
  ])('%s is reported and affects nothing else', async (_, key, code, words) => {
    const scene = await openScene({ key });
    const resources = await syncAll(scene);
    expect(resources.models).toMatchObject({ status: 'failed', error: { code } });
    expect(resources.models.error?.message).toMatch(words);
    expect(resources.embeddings).toMatchObject({ status: 'ok', added: 2 });
    expect(news(resources)).not.toContain('failed');
    expect(await scene.call('sync.status', {})).toMatchObject({ reachable: true });
    expect(JSON.stringify([scene.log, scene.events])).not.toContain(FOREIGN_KEY);
  });

  // Holds: models-1-filtered
  it('that changed requires a full response, and marks the differences', async () => {
    const gateway = await startGateway({ models: modelRecords(3) });
    gateway.modelsOf.set(OTHER_KEY, modelRecords(2));
    const scene = await openScene({ gateway });
    await sync(scene);
    await scene.engine.useGateway(gateway.asked(OTHER_KEY));
    expect((await scene.call('sync.run', { urgency: 'due' })).resources.models).toMatchObject({ withdrawn: 1 });
    expect(gateway.requests.at(-1)).toMatchObject({ modelList: 'models', validator: undefined });
    expect(refreshesOf(scene, gateway)).toMatchObject([{ otherKey: true, changes: [{ field: 'removed' }] }]);
    expect(gateway.requests.filter(({ modelList }) => modelList === 'embeddings')).toHaveLength(1);
  });
});

describe('a model list that lost too much', () => {
  const heldIn = async ({ call }: TestEngine) =>
    (await call('sync.status', {})).resources.find(({ name }) => name === 'models')?.confirming;
  const free = modelRecords(120).map((record) => ({ ...record, pricing: { prompt: '0', completion: '0' } }));

  it.each([
    ['is empty', [], { of: 'models', stored: 120, received: 0 }],
    ['lost over half', modelRecords(40), { of: 'models', stored: 120, received: 40 }],
    ['has no price left', free, { of: 'prices', received: 0 }],
  ])(
    'is held if it %s, says so, and replaces the saved one only when the reader accepts it',
    async (_, shrunk, lost) => {
      const gateway = await startGateway({ models: modelRecords(120), embeddings: modelRecords(2, 'vectors') });
      const scene = await openScene({ gateway, folder: temporaryFolder() });
      await sync(scene);
      const before = gateway.models;
      gateway.models = shrunk;
      scene.clock.advance(HOUR);
      const since = new Date(scene.clock.now()).toISOString();
      expect((await sync(scene)).models).toMatchObject({ status: 'notModified', requests: 1, withdrawn: 0 });
      expect(await heldIn(scene)).toMatchObject({ since, acceptable: true, ...lost });

      const later = await scene.reopen();
      for (let day = 0; day < 3; day += 1) {
        scene.clock.advance(24 * HOUR);
        await later.call('sync.run', { urgency: 'due', resources: ['models'] });
      }
      expect(gateway.requests.filter(({ modelList }) => modelList === 'models')).toHaveLength(5);
      expect(await heldIn(later)).toMatchObject({ since, ...lost });
      expect(recordsOf(later, gateway, 'models')).toEqual(before);
      expect(refreshesOf(later, gateway)).toEqual([]);

      later.events.length = 0;
      await later.call('sync.accept', { resource: 'models' });
      expect(recordsOf(later, gateway, 'models')).toEqual(shrunk);
      expect(await heldIn(later)).toBeNull();
      expect(refreshesOf(later, gateway)).toHaveLength(1);
      expect(later.events.filter(({ event }) => event === 'models.changed')).toHaveLength(1);
      expect((await sync(later)).models).toMatchObject({ status: 'notModified' });
      expect(recordsOf(later, gateway, 'models')).toEqual(shrunk);
    },
  );

  it('is forgotten when the gateway has everything again, as before or changed', async () => {
    const gateway = await startGateway({ models: modelRecords(120), embeddings: [] });
    const scene = await openScene({ gateway });
    await sync(scene);
    for (const fields of [{}, { name: 'Another' }]) {
      const whole = gateway.models;
      gateway.models = [];
      scene.clock.advance(HOUR);
      await sync(scene);
      expect(await heldIn(scene)).toMatchObject({ received: 0 });
      gateway.models = whole.map((record) => ({ ...record, ...fields }));
      scene.clock.advance(HOUR);
      await sync(scene);
      expect(await heldIn(scene)).toBeNull();
      expect(recordsOf(scene, gateway, 'models')).toEqual(gateway.models);
    }
  });
});
