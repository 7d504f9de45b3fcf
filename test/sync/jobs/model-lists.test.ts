import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json, ModelRecord } from '../../../src-main/contract/model/model.ts';
import { MODEL_LISTS, type ModelListName } from '../../../src-main/contract/model/resource.ts';
import type { SyncResult } from '../../../src-main/contract/model/sync-status.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { openTestEngine, type TestEngine, type TestEngineOptions } from '../../support/test-engine.ts';
import { temporaryFolder } from '../../support/folders.ts';
import {
  FOREIGN_KEY,
  KEY,
  modelRecord,
  modelRecords,
  OTHER_KEY,
  startGateway,
  type TestGateway,
} from '../../support/gateway.ts';

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

  const PRICES: [string, Json][] = [
    ['a small price', '0.00000015'],
    ['a very small one', '0.000000000001'],
    ['one with an exponent', '1e-7'],
    ['zero', '0'],
    ['a negative one', '-1'],
    ['an empty text', ''],
    ['null', null],
  ];

  // Holds: models-2-price-prompt
  it.each(PRICES)('save %s as received', async (_, prompt) => {
    const gateway = await startGateway({ models: [modelRecord('a/b', { pricing: { prompt } })] });
    const scene = await openScene({ gateway });
    await sync(scene, ['models']);
    expect(recordsOf(scene, gateway, 'models')[0]?.['pricing']).toEqual({ prompt });
    expect(scene.queries.models.list(gateway.address, 'models').lines[0]?.pricing).toEqual({ prompt });
  });

  it('save models without prices, and numeric prices digit by digit', async () => {
    const gateway = await startGateway();
    gateway.intercept = ({ modelList }, response) => {
      if (modelList !== 'models') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"data": [{"id": "a/b", "pricing": {"prompt": 0.00000015000000000000001}}, {"id": "c/d"}]}');
      return true;
    };
    const scene = await openScene({ gateway });
    await sync(scene, ['models']);
    expect(recordsOf(scene, gateway, 'models')).toEqual([
      { id: 'a/b', pricing: { prompt: '0.00000015000000000000001' } },
      { id: 'c/d' },
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

  // Holds: models-5-bearer, models-1-embeddings
  it('is sent with the models only', async () => {
    const { gateway, service, ...scene } = await openScene();
    await scene.call('sync.run', { urgency: 'now' });
    const sent = gateway.requests.map(({ modelList, authorization }) => [modelList, authorization]);
    expect(sent.sort()).toEqual([
      ['embeddings', undefined],
      ['models', `Bearer ${KEY}`],
    ]);
    expect(service.requests.some(({ headers }) => headers.hasAuthorization)).toBe(false);
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

describe('a model list that fails', () => {
  async function changedAndBroken(intercept: (gateway: TestGateway) => TestGateway['intercept']) {
    const gateway = await startGateway({
      models: modelRecords(120),
      embeddings: modelRecords(2, 'vectors'),
      pageSize: 50,
    });
    const scene = await openScene({ gateway });
    await sync(scene);
    const before = gateway.models;
    // It keeps most models: one that doesn't would wait for a second answer.
    gateway.models = [...modelRecords(20, 'other'), ...before.slice(10)];
    gateway.intercept = intercept(gateway);
    return { scene, gateway, before, resources: await sync(scene) };
  }

  const atThird =
    (answer: (gateway: TestGateway, response: Parameters<NonNullable<TestGateway['intercept']>>[1]) => void) =>
    (gateway: TestGateway): TestGateway['intercept'] =>
    ({ query }, response) => {
      if (query.get('offset') !== '100') return false;
      answer(gateway, response);
      return true;
    };
  const JSON_TYPE = { 'content-type': 'application/json' };

  it.each([
    ['no JSON', 'invalid_body', (_: TestGateway, response) => response.writeHead(200, JSON_TYPE).end('{"data": [')],
    ['an error', 'service_error', (_: TestGateway, response) => response.writeHead(500, JSON_TYPE).end('{}')],
    ['an end', 'unreachable', (_: TestGateway, response) => response.destroy()],
    [
      'too few',
      'cut_short',
      (_: TestGateway, response) => response.writeHead(200, JSON_TYPE).end('{"data": [], "links": {"next": null}}'),
    ],
  ] as [string, string, Parameters<typeof atThird>[0]][])(
    'leaves the previous one complete if its third page is %s',
    async (_, code, answer) => {
      const { scene, gateway, before, resources } = await changedAndBroken(atThird(answer));
      expect(resources.models).toMatchObject({ status: 'failed', added: 0, revised: 0, withdrawn: 0, error: { code } });
      expect(recordsOf(scene, gateway, 'models')).toEqual(before);
      expect(refreshesOf(scene, gateway)).toEqual([]);
      expect(resources.embeddings.status).toBe('notModified');
      expect(news(resources)).not.toContain('failed');
      gateway.intercept = null;
      expect((await sync(scene)).models).toMatchObject({ status: 'ok', added: 20, withdrawn: 10 });
    },
  );

  it('is not followed to another origin, which gets no key', async () => {
    const elsewhere = await startGateway({ models: modelRecords(200) });
    const { scene, gateway, before, resources } = await changedAndBroken(() => ({ query }, response) => {
      if (query.get('offset') !== '50') return false;
      const next = `${elsewhere.address}/api/v1/models/user?offset=100&limit=50`;
      const data = modelRecords(50, 'second');
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ data, links: { next }, total_count: 130 }));
      return true;
    });
    expect(resources.models).toMatchObject({ status: 'failed', error: { code: 'redirect_refused' } });
    expect(elsewhere.requests).toEqual([]);
    expect(recordsOf(scene, gateway, 'models')).toEqual(before);
  });

  it('leaves out unreadable records and reports them', async () => {
    const gateway = await startGateway({
      models: [modelRecord('a/b'), { name: 'no id' } as never, modelRecord('c/d')],
    });
    const scene = await openScene({ gateway });
    expect((await sync(scene)).models).toMatchObject({ status: 'ok', added: 2, skipped: 1 });
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

describe('the change log', () => {
  it('lists additions, removals and price changes once, also after a second sync and a restart', async () => {
    const [first, second, third] = modelRecords(3) as [ModelRecord, ModelRecord, ModelRecord];
    const gateway = await startGateway({ models: [first, second, third], embeddings: modelRecords(2, 'vectors') });
    const scene = await openScene({ gateway, folder: temporaryFolder() });
    await sync(scene);
    expect(refreshesOf(scene, gateway)).toEqual([]);

    scene.clock.advance(2 * HOUR);
    const pricing = { prompt: '0.0000002', completion: '0.0000006', image: '0', request: '0' };
    gateway.models = [modelRecord('made/new'), { ...first, pricing }, third];
    expect((await sync(scene)).models).toMatchObject({ status: 'ok', added: 1, revised: 1, withdrawn: 1 });
    const name = ({ id, name: called }: ModelRecord) => ({ model: id, name: called });
    const figures = { contextLength: second['context_length'], pricing: second['pricing'] };
    const told = [
      {
        id: 1,
        modelList: 'models',
        at: new Date(scene.clock.now()).toISOString(),
        otherKey: false,
        changes: [
          { model: 'made/new', name: 'The made/new', field: 'added', figures },
          { ...name(first), field: 'price', price: 'prompt', before: '0.00000015', after: '0.0000002' },
          { ...name(second), field: 'removed', figures },
        ],
      },
    ];
    expect(refreshesOf(scene, gateway)).toEqual(told);
    await sync(scene);
    expect(refreshesOf(scene, gateway)).toEqual(told);
    const after = await scene.reopen();
    await sync(after);
    expect(refreshesOf(after, gateway)).toEqual(told);
    expect(recordsOf(after, gateway, 'models')).toEqual(gateway.models);
  });
});

describe('two services', () => {
  it('are separate: without the news the model lists continue', async () => {
    const scene = await openScene();
    await scene.service.close();
    const resources = await syncAll(scene);
    expect([resources.items.status, resources.hotTopics.status]).toEqual(['failed', 'failed']);
    expect([resources.models.status, resources.embeddings.status]).toEqual(['ok', 'ok']);
    const { reachable, lastSuccessAt } = await scene.call('sync.status', {});
    expect([reachable, lastSuccessAt]).toEqual([false, null]);
    scene.clock.advance(2 * HOUR);
    const due = await scene.call('sync.run', { urgency: 'due' });
    expect(due.resources.models.status).toBe('notModified');
  });

  it('are separate: without the gateway the news continue', async () => {
    const scene = await openScene();
    await scene.gateway.close();
    const resources = await syncAll(scene);
    expect(news(resources)).not.toContain('failed');
    expect(resources.models).toMatchObject({ status: 'failed', error: { code: 'unreachable' } });
    expect(await scene.call('sync.status', {})).toMatchObject({ reachable: true });
  });
});
