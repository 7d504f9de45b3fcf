import { describe, expect, it } from 'vitest';
import { createModelsClient, type ModelsClient } from '../../../src-main/clients/models/client.ts';
import type { ModelRecord } from '../../../src-main/contract/model/model.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import { modelRecord } from '../../support/gateway.ts';
import { always, client, errorOf, JSON_TYPE, serve } from '../tiny-service.ts';

const KEY = 'sk-or-1';
const modelsAt = (baseAddress: string, bearer: string | null = KEY): ModelsClient =>
  createModelsClient({ http: client(), baseAddress, bearer });

interface ModelListCase {
  list: ModelListName;
  path: string;
  authorization: string | undefined;
}

const LISTS: ModelListCase[] = [
  {
    list: 'models',
    path: '/api/v1/models/user',
    authorization: `Bearer ${KEY}`,
  },
  {
    list: 'embeddings',
    path: '/api/v1/embeddings/models',
    authorization: undefined,
  },
];

describe.each(LISTS)('$path', ({ list, path, authorization }) => {
  const records = [modelRecord('acme/one'), modelRecord('acme/two')];
  const body = JSON.stringify({ data: records, links: { next: null }, total_count: 2 });

  // Holds: models-0-base-address, models-1-embeddings, models-1-properties, models-4-get-without-body
  // Holds: models-4-full-list, models-4-user-path, models-4-embeddings-path, models-4-body, models-2-data
  // Holds: models-5-bearer, models-9-prefix
  it('is asked for by a GET without a body or parameters, and gives the whole list', async () => {
    const bodies: Buffer[] = [];
    const service = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => void bodies.push(chunk));
      request.on('end', () => always(200, JSON_TYPE, body)(request, response));
    });
    expect(await modelsAt(service.address).whole(list)).toMatchObject({
      ...{ kind: 'fresh', value: { records, skipped: [], pages: 1 }, requests: 1 },
    });
    expect(service.requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', path, authorization],
    ]);
    expect(service.requests[0]?.headers).not.toHaveProperty('content-length');
    expect(bodies).toEqual([]);
  });

  it('is "not modified" for its validator', async () => {
    const service = await serve((request, response) => {
      const isHeld = request.headers['if-none-match'] === '"e"';
      always(isHeld ? 304 : 200, { ...JSON_TYPE, etag: '"e"' }, isHeld ? undefined : body)(request, response);
    });
    const models = modelsAt(service.address);
    const { validator } = await models.whole(list);
    expect(await models.whole(list, { validator: validator ?? '' })).toMatchObject({
      ...{ kind: 'notModified', requests: 1, validator: '"e"' },
    });
  });

  // Holds: models-4-same-parameters, models-4-offset, models-4-limit, models-8-limit, models-8-offset
  it('takes offset and limit', async () => {
    const service = await serve(always(200, JSON_TYPE, body));
    const models = modelsAt(service.address);
    await models.page(list, { offset: 0, limit: 1 });
    await models.page(list, { offset: 5000, limit: 1000 });
    expect(service.requests.map(({ url }) => url)).toEqual([
      `${path}?offset=0&limit=1`,
      `${path}?offset=5000&limit=1000`,
    ]);
  });

  // Holds: models-4-offset, models-4-limit, models-8-limit, models-8-offset
  it.each([{ offset: -1 }, { offset: 1.5 }, { limit: 0 }, { limit: 1001 }, { limit: NaN }, { offset: Infinity }])(
    'is not requested with %j',
    async (request) => {
      const models = modelsAt('http://127.0.0.1:9');
      await expect(models.page(list, request)).rejects.toMatchObject({ code: 'invalid_argument' });
    },
  );
});

describe('the key', () => {
  it.each([401, 403])('is sent for embedding models if the gateway answers %i without it', async (status) => {
    const service = await serve((request, response) => {
      if (request.headers.authorization === undefined) return always(status, JSON_TYPE, '{}')(request, response);
      const next = request.url?.includes('page=2') ? null : '?page=2';
      const body = { data: [{ id: request.url ?? '' }], links: { next } };
      return always(200, JSON_TYPE, JSON.stringify(body))(request, response);
    });
    const answer = await modelsAt(service.address, 'sk-or-1').whole('embeddings');
    expect(answer).toMatchObject({ kind: 'fresh', requests: 3, value: { pages: 2 } });
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

  // Holds: models-4-user-responses, models-4-embeddings-responses, models-5-missing, models-5-management
  // Holds: models-7-400, models-7-401, models-7-403, models-7-404, models-7-500, models-8-rate-limits
  it.each([
    [401, 'models', null, 'unauthorized', 'lists its models only with a key. Add a key in Settings.'],
    [401, 'models', 'k-123456', 'unauthorized', 'rejected the key'],
    [403, 'models', 'k-123456', 'forbidden', 'cannot list the models: only management keys can'],
    [403, 'models', null, 'forbidden', 'without a key. Add a key in Settings.'],
    [404, 'models', 'k-123456', 'not_found', 'Check the gateway address in Settings.'],
    [400, 'embeddings', null, 'invalid_request', 'Broadsheet may be too old for it'],
    [500, 'models', 'k-123456', 'service_error', 'tries again automatically'],
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
    ['{"error":{"code":401,"message":{"text":"no"}}}', null],
    ['{"error":"The reason."}', 'The reason.'],
    ['', null],
  ])('with the body %s is one clear error', async (body, detail) => {
    const service = await serve(always(401, JSON_TYPE, body));
    const error = await errorOf(modelsAt(service.address, null).whole('models'));
    expect(error).toMatchObject({ code: 'unauthorized', status: 401, detail });
    expect(error.message).toContain('Add a key in Settings.');
  });
});

// Holds: models-2-supported-voices, models-2-default-parameters, models-2-expiration-date, models-2-knowledge-cutoff
// Holds: models-2-per-request-limits
it('every field that may be null is kept as null, and as a value', async () => {
  const values: Partial<ModelRecord> = {
    supported_voices: ['alloy'],
    default_parameters: { temperature: 0.7 },
    expiration_date: '2027-01-31',
    knowledge_cutoff: '2025-06-30',
    per_request_limits: { prompt_tokens: '100000' },
  };
  const records = [modelRecord('acme/null'), modelRecord('acme/value', values as never)];
  const service = await serve(always(200, JSON_TYPE, JSON.stringify({ data: records })));
  const answer = await modelsAt(service.address).whole('models');
  expect(answer).toMatchObject({ kind: 'fresh', value: { records, skipped: [] } });
  for (const name of Object.keys(values)) expect(records[0]).toHaveProperty(name, null);
});
