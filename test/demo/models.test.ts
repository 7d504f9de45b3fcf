import { describe, expect, it } from 'vitest';
import { type CatalogueModel, perToken } from '../../src-main/demo/models.ts';
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

  it('pages by links.next to the end', async () => {
    const { get, service } = await demo();
    const ids: string[] = [];
    let next: string | null = '/models/user?limit=50';
    while (next !== null) {
      const { body }: { body: Body } = await get(next, key);
      ids.push(...body.data.map(({ id }: Body) => id));
      next = body.links.next?.replace(`${service.modelsAddress}/api/v1`, '') ?? null;
    }
    expect(ids.length).toBe(120);
    expect((await get('/models/user?offset=115&limit=10', key)).body).toMatchObject({
      links: { next: null },
      total_count: 120,
    });
    expect((await get('/models/user?offset=500', key)).body.data).toEqual([]);
  });

  it('has free prices, zero prices and absent ones, all decimal strings without an exponent', async () => {
    const { get } = await demo();
    const data = (await get('/models/user', key)).body.data.filter(({ id }: Body) => !id.startsWith('edge-cases/'));
    const others = ['discount', 'overrides'];
    const prices = data.flatMap(({ pricing }: Body) =>
      Object.entries(pricing).filter(([name]) => !others.includes(name)),
    );
    expect(
      prices.every(([, price]: [string, unknown]) => typeof price === 'string' && /^(\d+(\.\d+)?|-1)$/.test(price)),
    ).toBe(true);
    expect(data.some(({ id, pricing }: Body) => id.endsWith(':free') && pricing.prompt === '0')).toBe(true);
    expect(data.some(({ pricing }: Body) => !('image' in pricing))).toBe(true);
    expect(data.some(({ pricing }: Body) => !('completion' in pricing))).toBe(true);
  });

  it('has price tiers, aliases, a router and placeholders, as real gateways do', async () => {
    const { body } = await (await demo()).get('/models/user', key);
    const data = body.data as unknown as CatalogueModel[];
    const tiers = data.flatMap(({ pricing }) => (pricing['overrides'] ?? []) as Record<string, unknown>[]);
    const fits = (expected: object): boolean =>
      tiers.some((tier) => Object.entries(expected).every(([name, value]) => tier[name] === value));
    expect(fits({ min_prompt_tokens: 32_000 })).toBe(true);
    expect(fits({ utc_start: '16:30', utc_end: '00:30' })).toBe(true);
    expect(tiers.every(({ prompt }) => /^0\.\d+$/.test(String(prompt)))).toBe(true);
    const ids = data.map(({ id }) => id);
    const targets = data.filter(({ id }) => id.startsWith('~')).map((alias) => alias['alias_target']);
    expect(targets).toEqual(
      Array.from({ length: 3 }, () => ({ slug: expect.toBeOneOf(ids) as string, name: expect.any(String) as string })),
    );
    expect(data.filter(({ pricing }) => pricing['prompt'] === '-1' && pricing['request'] === '-1')).toHaveLength(1);
    expect(data.some(({ expiration_date: expiry }) => expiry === '2098-12-31')).toBe(true);
    const images = data.map(({ pricing }) => pricing).filter(({ image }) => Number(image) > 0);
    expect(images.length).toBeGreaterThan(5);
    expect(images.every(({ image, prompt }) => image === prompt)).toBe(true);
  });

  it('has every odd price once, as it would be written', async () => {
    const { get } = await demo();
    const { text, body } = await get('/models/user', key);
    const odd = body.data.filter(({ id }: Body) => id.startsWith('edge-cases/'));
    expect(odd.map(({ pricing }: Body) => pricing.prompt)).toEqual([
      '0',
      '-1',
      '-0.000001',
      '',
      null,
      undefined,
      '1e-7',
      '0.000000000001',
      1e-7,
    ]);
    expect(text).toContain('"prompt":1e-7,');
  });

  it('serves as many models as requested, none twice', async () => {
    const { get } = await demo({ models: 5000 });
    const { data } = (await get('/models/user', key)).body;
    expect([data.length, new Set(data.map(({ id }: Body) => id)).size]).toEqual([5000, 5000]);
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

  it('let shared caches store what needs no key, and nothing else', async () => {
    const { get } = await demo();
    expect((await get('/models/user', key)).headers.get('cache-control')).toBe('private, max-age=60');
    expect((await get('/embeddings/models')).headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
  });

  it('come in pages where the gateway wants it so, and all at once again', async () => {
    const { get, service } = await demo();
    service.control.pageSize(50);
    const sizes: number[] = [];
    for (let next: string | null = '/models/user'; next !== null;) {
      const { body }: { body: Body } = await get(next, key);
      sizes.push(body.data.length);
      next = body.links.next?.replace(`${service.modelsAddress}/api/v1`, '') ?? null;
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect((await get('/models/user?limit=70', key)).body.data.length).toBe(70);
    service.control.pageSize(null);
    expect((await get('/models/user', key)).body.data.length).toBe(120);
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

describe('A price', () => {
  it.each([
    [15, '0.00000015'],
    [0, '0'],
    [1, '0.00000001'],
    [1.25, '0.0000000125'],
    [100_000_000, '1'],
  ])('of %f cents a million is %s a token', (cents, text) => {
    expect(perToken(cents)).toBe(text);
  });
});
