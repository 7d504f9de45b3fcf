import { describe, expect, it } from 'vitest';
import { demo, type Body } from './service.ts';

const key = { headers: { authorization: 'Bearer demo-key' } };

describe('GET /models/user', () => {
  // Holds: models-5-missing, models-7-401, models-7-error-code
  it.each([undefined, '', 'Basic ZGVtbw==', 'Bearer', 'demo-key'])(
    'answers 401 to Authorization: %s',
    async (authorization) => {
      const { get } = await demo();
      const { status, body } = await get(
        '/models/user',
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect([status, body]).toEqual([401, { error: { code: 401, message: 'Missing Authentication header' } }]);
    },
  );

  // Holds: models-7-403
  it('answers 403 to a foreign key', async () => {
    const { get } = await demo({ modelsKey: 'right' });
    const { status, body } = await get('/models/user', key);
    expect([status, body.error.code]).toEqual([403, 403]);
    expect((await get('/models/user', { headers: { authorization: 'Bearer right' } })).status).toBe(200);
  });

  // Holds: models-2-id, models-2-total, models-4-full-list
  it('lists everything at once without offset and limit', async () => {
    const { get } = await demo();
    const { data, links, total_count } = (await get('/models/user', key)).body;
    expect([data.length, total_count, links.next]).toEqual([120, 120, null]);
    expect(new Set(data.map(({ id }: Body) => id)).size).toBe(120);
    expect(data.every(({ id }: Body) => /^~?[a-z0-9-]+\/[a-z0-9.:-]+$/.test(id))).toBe(true);
  });
});

describe('Both model lists', () => {
  it.each(['/models/user', '/embeddings/models'])('%s answer 304 to what they gave', async (path) => {
    const { get, service } = await demo();
    const { headers } = await get(path, key);
    const held = { headers: { ...key.headers, 'if-none-match': headers.get('etag') ?? '' } };
    expect((await get(path, held)).status).toBe(304);
    const list = path === '/models/user' ? 'models' : 'embeddings';
    service.control.removeModel(list, service.control.models(list)[3]!.id);
    expect((await get(path, held)).status).toBe(200);
  });
});

describe('GET /embeddings/models', () => {
  // Holds: models-1-embeddings, models-2-supported-parameters, models-2-instruct-type, models-2-links-details
  it('lists 17 models without a key', async () => {
    const { get } = await demo();
    const { data, total_count } = (await get('/embeddings/models')).body;
    expect([data.length, total_count]).toEqual([17, 17]);
    for (const { supported_parameters, architecture, links, id } of data) {
      expect(supported_parameters).toEqual([]);
      expect(architecture).toMatchObject({ instruct_type: null, output_modalities: ['embeddings'] });
      expect(links.details).toBe(`/api/v1/models/${id}/endpoints`);
    }
  });

  // Holds: models-4-offset, models-4-limit, models-7-400, models-8-limit, models-8-offset
  it.each(['limit=0', 'limit=1001', 'offset=-1', 'offset=x', 'sort=price', 'limit=2&limit=2'])(
    'answers 400 to ?%s',
    async (query) => {
      const { get } = await demo();
      const { status, body } = await get(`/embeddings/models?${query}`);
      expect([status, body.error.code, typeof body.error.message]).toEqual([400, 400, 'string']);
    },
  );

  // Holds: models-7-404
  it('reports 404 and 405 in its own form', async () => {
    const { get } = await demo();
    expect((await get('/models/none/such/endpoints')).body).toEqual({
      error: { code: 404, message: 'Resource not found' },
    });
    expect((await get('/embeddings/models', { method: 'POST' })).body.error.code).toBe(405);
  });
});
