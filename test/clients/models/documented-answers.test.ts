import { describe, expect, it } from 'vitest';
import { createModelsClient, type ModelsClient } from '../../../src-main/clients/models/client.ts';
import type { ErrorCode } from '../../../src-main/contract/errors.ts';
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
  errors: [number, ErrorCode][];
}

const LISTS: ModelListCase[] = [
  {
    list: 'models',
    path: '/api/v1/models/user',
    authorization: `Bearer ${KEY}`,
    errors: [
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [429, 'rate_limited'],
      [500, 'service_error'],
    ],
  },
  {
    list: 'embeddings',
    path: '/api/v1/embeddings/models',
    authorization: undefined,
    errors: [
      [400, 'invalid_request'],
      [429, 'rate_limited'],
      [500, 'service_error'],
    ],
  },
];

describe.each(LISTS)('$path', ({ list, path, authorization, errors }) => {
  const records = [modelRecord('acme/one'), modelRecord('acme/two')];
  const body = JSON.stringify({ data: records, links: { next: null }, total_count: 2 });

  // Holds: models-4-get-without-body, models-4-full-list, models-4-user-path, models-4-embeddings-path, models-4-body
  // Holds: models-2-data, models-5-bearer, models-9-prefix
  it('is asked for by a GET without a body or parameters, and gives the whole list', async () => {
    const bodies: Buffer[] = [];
    const service = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => void bodies.push(chunk));
      request.on('end', () => always(200, JSON_TYPE, body)(request, response));
    });
    expect(await modelsAt(service.address).whole(list)).toMatchObject({ kind: 'fresh', value: { records } });
    expect(service.requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', path, authorization],
    ]);
    expect(service.requests[0]?.headers).not.toHaveProperty('content-length');
    expect(bodies).toEqual([]);
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

  // Holds: models-4-user-responses, models-4-embeddings-responses, models-5-missing, models-7-error-object
  // Holds: models-7-error-code, models-7-error-message, models-7-400, models-7-401, models-7-403, models-7-404
  // Holds: models-7-500, models-8-rate-limits
  it.each(errors)('answers %i with an error object: %s', async (status, code) => {
    const service = await serve(
      always(status, JSON_TYPE, JSON.stringify({ error: { code: status, message: 'Why.' } })),
    );
    const error = await errorOf(modelsAt(service.address).whole(list));
    expect(error).toMatchObject({ code, status, detail: 'Why.' });
    expect(error.message).toMatch(/Message from the service: Why\.$/);
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
