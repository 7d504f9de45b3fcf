import { describe, expect, it } from 'vitest';
import { createModelsClient, type ModelsClient } from '../../../src-main/clients/models/client.ts';
import { DEMO_KEY } from '../../../src-main/contract/model/model.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import { startDemoService, type DemoOptions, type DemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { always, client, closeAfterTest, errorOf, JSON_TYPE, serve } from '../tiny-service.ts';

const MODEL_LISTS: readonly [ModelListName, number][] = [
  ['models', 120],
  ['embeddings', 17],
];

async function demo(options: Partial<DemoOptions> = {}): Promise<DemoService> {
  const service = await startDemoService({ clock: fakeClock(), content: { selected: 5, days: 1 }, ...options });
  closeAfterTest(() => service.close());
  return service;
}

function modelsAt(baseAddress: string, bearer: string | null = DEMO_KEY): ModelsClient {
  return createModelsClient({ http: client(), baseAddress, bearer });
}

async function fresh<T extends { kind: string }>(call: Promise<T>): Promise<Extract<T, { kind: 'fresh' }>> {
  const answer = await call;
  if (answer.kind !== 'fresh') throw new Error('Unexpected "not modified".');
  return answer as Extract<T, { kind: 'fresh' }>;
}

describe.each(MODEL_LISTS)('the model list of %s', (modelList, count) => {
  // Holds: models-1-properties, models-2-data, models-4-full-list, models-4-body
  it('arrives complete in one response, field by field and in order', async () => {
    const service = await demo();
    const { value, requests, validator } = await fresh(modelsAt(service.modelsAddress).whole(modelList));
    expect(value).toEqual({ records: service.control.models(modelList), skipped: [], pages: 1 });
    expect(value.records.length).toBe(count);
    expect([requests, typeof validator]).toEqual([1, 'string']);
    expect(service.requests.map(({ query }) => query)).toEqual(['']);
  });

  it('arrives complete if the gateway pages it by default', async () => {
    const service = await demo();
    service.control.pageSize(10);
    const { value, requests, validator } = await fresh(modelsAt(service.modelsAddress).whole(modelList));
    expect(value.records).toEqual(service.control.models(modelList));
    const pages = Math.ceil(count / 10);
    expect([value.pages, requests, service.requests.length, validator]).toEqual([pages, pages, pages, null]);
  });

  // Holds: models-4-limit
  it('arrives complete in pages of the requested size', async () => {
    const service = await demo();
    const { value } = await fresh(modelsAt(service.modelsAddress).whole(modelList, { pageSize: 50 }));
    expect(value.records).toEqual(service.control.models(modelList));
    expect(value.pages).toBe(Math.ceil(count / 50));
  });

  it('is "not modified" after a single response, and downloaded again after a change', async () => {
    const service = await demo();
    const models = modelsAt(service.modelsAddress);
    const validator = (await models.whole(modelList)).validator ?? undefined;
    expect(await models.whole(modelList, { validator })).toMatchObject({ kind: 'notModified', requests: 1, validator });
    const { id } = service.control.models(modelList)[0]!;
    service.control.editModel(modelList, id, { pricing: { prompt: '0.123' } });
    const { value } = await fresh(models.whole(modelList, { validator }));
    expect(value.records[0]).toMatchObject({ id, pricing: { prompt: '0.123' } });
  });

  // Holds: models-2-total, models-2-paging-links, models-4-same-parameters, models-4-offset, models-4-limit
  it('arrives page by page on request', async () => {
    const service = await demo();
    const { value } = await fresh(modelsAt(service.modelsAddress).page(modelList, { offset: 5, limit: 7 }));
    expect(value).toMatchObject({ listed: 7, totalCount: count, skipped: [] });
    expect(value.records).toEqual(service.control.models(modelList).slice(5, 12));
    expect(value.next).toContain('offset=12');
  });

  // Holds: models-4-offset, models-4-limit, models-8-limit, models-8-offset
  it.each([{ offset: -1 }, { offset: 1.5 }, { limit: 0 }, { limit: 1001 }, { limit: NaN }, { offset: Infinity }])(
    'is not requested with %j',
    async (request) => {
      const service = await demo();
      const models = modelsAt(service.modelsAddress);
      await expect(models.page(modelList, request)).rejects.toMatchObject({ code: 'invalid_argument' });
      expect(service.requests).toEqual([]);
    },
  );

  it.each([0, 1001, 2.5])('is not requested in pages of %d', async (pageSize) => {
    const service = await demo();
    const call = modelsAt(service.modelsAddress).whole(modelList, { pageSize });
    await expect(call).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(service.requests).toEqual([]);
  });
});

it('arrives complete with 5,000 models', async () => {
  const service = await demo({ models: 5000 });
  const { value } = await fresh(modelsAt(service.modelsAddress).whole('models', { pageSize: 1000 }));
  expect([value.records.length, value.pages]).toEqual([5000, 5]);
});

// Holds: models-0-base-address
it('is requested under the path of the gateway', async () => {
  const service = await serve(always(200, JSON_TYPE, '{"data":[]}'));
  await modelsAt(`${service.address}/eu/v2/`).whole('models');
  expect(service.requests[0]?.url).toBe('/eu/v2/api/v1/models/user');
});

describe('the key', () => {
  // Holds: models-1-embeddings, models-4-user-path, models-4-embeddings-path
  it('is sent for models, but not for embedding models', async () => {
    const service = await demo();
    const models = modelsAt(service.modelsAddress);
    await models.whole('models');
    await models.whole('embeddings');
    expect(service.requests.map(({ path, headers }) => [path, headers.hasAuthorization])).toEqual([
      ['/api/v1/models/user', true],
      ['/api/v1/embeddings/models', false],
    ]);
  });

  it.each([401, 403])('is sent for embedding models if the gateway answers %i without it', async (status) => {
    const service = await serve((request, response) => {
      if (request.headers.authorization === undefined) return always(status, JSON_TYPE, '{}')(request, response);
      const next = request.url?.includes('page=2') ? null : '?page=2';
      const body = { data: [{ id: request.url ?? '' }], links: { next } };
      return always(200, JSON_TYPE, JSON.stringify(body))(request, response);
    });
    const answer = await fresh(modelsAt(service.address, 'sk-or-1').whole('embeddings'));
    expect([answer.value.records.length, answer.requests]).toEqual([2, 3]);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer sk-or-1',
      'Bearer sk-or-1',
    ]);
  });

  it('is not tried if embedding models fail for another reason', async () => {
    const service = await serve(always(500, JSON_TYPE, '{}'));
    expect((await errorOf(modelsAt(service.address).whole('embeddings'))).requests).toBe(1);
    expect(service.requests).toHaveLength(1);
  });
});

describe('an error of the gateway', () => {
  const errorResponse = (code: number, message: string): string => JSON.stringify({ error: { code, message } });

  // Holds: models-5-management, models-7-400, models-7-401, models-7-403, models-7-404, models-7-500
  it.each([
    [401, 'models', null, 'unauthorized', 'lists its models only with a key. Add a key in Settings.'],
    [401, 'models', 'k-123456', 'unauthorized', 'rejected the key'],
    [401, 'embeddings', null, 'unauthorized', 'its embedding models only with a key. Add a key'],
    [403, 'models', 'k-123456', 'forbidden', 'cannot list the models: only management keys can'],
    [403, 'embeddings', 'k-123456', 'forbidden', 'cannot list the embedding models: only management keys can'],
    [403, 'models', null, 'forbidden', 'without a key. Add a key in Settings.'],
    [404, 'models', 'k-123456', 'not_found', 'Check the gateway address in Settings.'],
    [400, 'embeddings', null, 'invalid_request', 'Broadsheet may be too old for it'],
    [500, 'models', 'k-123456', 'service_error', 'tries again automatically'],
    [503, 'models', null, 'temporarily_unavailable', 'temporarily unavailable'],
    [429, 'embeddings', null, 'rate_limited', 'too many requests'],
  ] as const)('with %i for %s and key %s is told in message', async (status, modelList, key, code, message) => {
    const service = await serve(always(status, JSON_TYPE, errorResponse(status, 'The reason.')));
    const error = await errorOf(modelsAt(service.address, key).whole(modelList));
    expect(error).toMatchObject({ code, status, detail: 'The reason.' });
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/ Message from the service: The reason\.$/);
    expect(error.requests).toBe(service.requests.length);
    expect(error.retryable).toBe([500, 503, 429].includes(status));
  });

  // Holds: models-7-error-object, models-7-error-code, models-7-error-message
  it.each([
    ['{"error":{"code":"unauthorized","message":"The reason."}}', 'The reason.'],
    ['{"error":{"message":"The reason."}}', 'The reason.'],
    ['{"error":{"code":401,"message":{"text":"no"}}}', null],
    ['{"error":"The reason."}', 'The reason.'],
    ['{"error":{"code":401}}', null],
    ['{"error":null}', null],
    ['<h1>401</h1>', null],
    ['', null],
  ])('with the body %s is one clear error', async (body, detail) => {
    const service = await serve(always(401, JSON_TYPE, body));
    const error = await errorOf(modelsAt(service.address, null).whole('models'));
    expect(error).toMatchObject({ code: 'unauthorized', status: 401, detail });
    expect(error.message).toContain('Add a key in Settings.');
  });

  // Holds: models-5-missing, models-5-management
  it('matches the demo service: no key, and an invalid one', async () => {
    const service = await demo();
    const none = await errorOf(modelsAt(service.modelsAddress, null).whole('models'));
    expect([none.code, none.detail]).toEqual(['unauthorized', 'Missing Authentication header']);
    const foreign = await errorOf(modelsAt(service.modelsAddress, 'sk-foreign-key').whole('models'));
    expect([foreign.code, foreign.detail]).toEqual(['forbidden', 'Only management keys can perform this operation']);
    expect(service.requests.map(({ headers }) => headers.hasAuthorization)).toEqual([false, true]);
  });
});
