import type { ServerResponse } from 'node:http';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { always, requestTo, client, errorOf, JSON_TYPE, serve } from '../tiny-service.ts';

const gzip = (body: string): Buffer => zlib.gzipSync(body);

describe('a request', () => {
  // Holds: news-1-accept-encoding, news-4-user-agent
  it('sends user agent, accepted type and accepted encodings', async () => {
    const service = await serve(always(200, JSON_TYPE, '{}'));
    await client().get(
      requestTo(service.address, { query: { limit: 5, q: '推理 a&b', category: undefined, cursor: '' } }),
    );
    const [request] = service.requests;
    expect(request?.method).toBe('GET');
    expect(request?.url).toBe('/api/v1/items?limit=5&q=%E6%8E%A8%E7%90%86+a%26b');
    expect(request?.headers).toMatchObject({
      'user-agent': 'Broadsheet/1.2.3 (desktop reader)',
      accept: 'application/json',
      'accept-encoding': 'gzip, br, zstd',
    });
    expect(request?.headers).not.toHaveProperty('if-none-match');
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  // Holds: news-0-base-address, models-0-base-address
  it('is sent below the path of the base address', async () => {
    const service = await serve(always(200, JSON_TYPE, '{}'));
    const answer = await client().get(requestTo(`${service.address}/news/`));
    expect(answer.address).toBe(`${service.address}/news/api/v1/items`);
  });

  it.each(['ftp://127.0.0.1', 'nowhere', 'http://user:word@127.0.0.1/', 'http://127.0.0.1/?q=1'])(
    'is not sent to the base address %s',
    async (address) => {
      expect(await errorOf(client().get(requestTo(address)))).toMatchObject({ code: 'invalid_argument', requests: 0 });
    },
  );

  it.each(['/api/../../secret', '/api/%2e%2e/secret', 'api', '/api?x=1', '/a b'])(
    'is not sent for the path %s',
    async (path) => {
      const service = await serve(always(200, JSON_TYPE, '{}'));
      expect((await errorOf(client().get(requestTo(service.address, { path })))).code).toBe('invalid_argument');
      expect(service.requests).toHaveLength(0);
    },
  );

  // Holds: models-5-bearer
  it('sends a key as a bearer token', async () => {
    const service = await serve(always(200, JSON_TYPE, '{}'));
    await client().get(requestTo(service.address, { bearer: 'key-1' }));
    expect(service.requests[0]?.headers.authorization).toBe('Bearer key-1');
  });
});

describe('a response', () => {
  // Holds: news-4-etag, news-4-cache-control
  it('includes validator, lifetime, address and number of requests', async () => {
    const service = await serve(
      always(200, { ...JSON_TYPE, etag: 'W/"a1"', 'cache-control': 's-maxage=300' }, '{"a":1}'),
    );
    expect(await client().get(requestTo(service.address))).toEqual({
      kind: 'fresh',
      value: '{"a":1}',
      validator: 'W/"a1"',
      lifetimeMs: 300_000,
      requests: 1,
      address: `${service.address}/api/v1/items`,
    });
  });

  it.each([
    ['gzip', gzip],
    ['br', (body: string) => zlib.brotliCompressSync(body)],
    ['zstd', (body: string) => zlib.zstdCompressSync(body)],
    ['gzip, br', (body: string) => zlib.brotliCompressSync(zlib.gzipSync(body))],
  ])('is decompressed from %s', async (encoding, pack) => {
    const service = await serve(always(200, { ...JSON_TYPE, 'content-encoding': encoding }, pack('{"a":"标题"}')));
    expect(await client().get(requestTo(service.address))).toMatchObject({ value: '{"a":"标题"}' });
  });

  it('has no byte order mark', async () => {
    const service = await serve(always(200, JSON_TYPE, '\uFEFF{}'));
    expect(await client().get(requestTo(service.address))).toMatchObject({ value: '{}' });
  });

  // Holds: news-4-json-bodies
  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/feed+json'])(
    'may be of type %s',
    async (type) => {
      const service = await serve(always(200, { 'content-type': type }, '{}'));
      expect((await client().get(requestTo(service.address))).kind).toBe('fresh');
    },
  );

  it('may be Markdown if requested', async () => {
    const service = await serve(always(200, { 'content-type': 'text/markdown' }, '# Guide'));
    expect(await client().get(requestTo(service.address, { accept: 'text/markdown' }))).toMatchObject({
      value: '# Guide',
    });
  });
});

describe('a validator', () => {
  // Holds: news-4-conditional-header
  it.each(['W/"a1"', '"plain"', 'W/"\xc3\xa9\xff"', 'unquoted', '"with , comma"'])(
    'is sent back byte for byte: %j',
    async (etag) => {
      const service = await serve((request, response) => {
        const held = request.headers['if-none-match'] === etag;
        // Node writes headers as Latin-1 only if they are sent without a body.
        response
          .writeHead(held ? 304 : 200, { ...(held ? {} : JSON_TYPE), etag })
          .end(held ? undefined : Buffer.from('{}'));
      });
      const http = client();
      const first = await http.get(requestTo(service.address));
      const second = await http.get(requestTo(service.address, { validator: first.validator ?? undefined }));
      expect(second).toMatchObject({ kind: 'notModified', validator: etag, lifetimeMs: 60_000, requests: 1 });
    },
  );

  it('is kept if a 304 does not repeat it', async () => {
    const service = await serve(always(304, { 'cache-control': 's-maxage=90' }));
    const answer = await client().get(requestTo(service.address, { validator: 'W/"a"' }));
    expect(answer).toMatchObject({ kind: 'notModified', validator: 'W/"a"', lifetimeMs: 90_000 });
  });

  it('is required for a 304', async () => {
    const service = await serve(always(304, { etag: 'W/"a"' }));
    expect(await errorOf(client().get(requestTo(service.address)))).toMatchObject({
      code: 'invalid_body',
      status: 304,
    });
  });
});

describe('a size limit', () => {
  const maxBytes = 10_000;
  const packed = { ...JSON_TYPE, 'content-encoding': 'gzip' };

  it('accepts a body of exactly that size', async () => {
    const service = await serve(always(200, packed, gzip(' '.repeat(maxBytes))));
    expect((await client().get(requestTo(service.address, { maxBytes }))).kind).toBe('fresh');
  });

  it.each([
    ['unpacked', packed, gzip(' '.repeat(maxBytes + 1))],
    [
      'unpacked twice',
      { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' },
      zlib.gzipSync(gzip(' '.repeat(100 * maxBytes))),
    ],
  ])('applies to the size %s', async (_, headers, body) => {
    const service = await serve(always(200, headers, body));
    expect(await errorOf(client().get(requestTo(service.address, { maxBytes })))).toMatchObject({
      code: 'too_large',
      retryable: false,
    });
  });

  it('applies to a body without Content-Length', async () => {
    const service = await serve((_request, response) => {
      response.writeHead(200, JSON_TYPE).write(' '.repeat(maxBytes));
      response.end(' ');
    });
    expect((await errorOf(client().get(requestTo(service.address, { maxBytes })))).code).toBe('too_large');
  });
});

describe('concurrent requests', () => {
  /** Delays every response until released. */
  async function holding() {
    const held: ServerResponse[] = [];
    let waiting: (() => void) | undefined;
    const service = await serve((_request, response) => {
      held.push(response);
      waiting?.();
    });
    const arrived = async (count: number): Promise<void> => {
      while (held.length < count) await new Promise<void>((resolve) => (waiting = resolve));
    };
    const release = (index: number): void => void held[index]?.writeHead(200, JSON_TYPE).end('{}');
    return { address: service.address, held, arrived, release };
  }

  it('run one after another for the same resource', async () => {
    const { address, held, arrived, release } = await holding();
    const http = client();
    const first = http.get(requestTo(address));
    const second = http.get(requestTo(address));
    const other = http.get(requestTo(address, { resource: 'selected' }));
    await arrived(2);
    expect(held.map((response) => response.req.url)).toHaveLength(2);
    release(0);
    release(1);
    await Promise.all([first, other]);
    await arrived(3);
    release(2);
    await expect(second).resolves.toMatchObject({ kind: 'fresh' });
  });

  it('do not wait for another service that is not responding', async () => {
    const silent = await serve(() => undefined);
    const service = await serve(always(200, JSON_TYPE, '{}'));
    const http = client();
    const waiting = errorOf(http.get(requestTo(silent.address)));
    await expect(http.get(requestTo(service.address))).resolves.toMatchObject({ kind: 'fresh' });
    await http.close();
    expect(await waiting).toMatchObject({ code: 'aborted' });
  });

  it('are limited to four', async () => {
    const { address, held, arrived, release } = await holding();
    const http = client();
    const calls = Array.from({ length: 6 }, (_, index) => http.get(requestTo(address, { resource: `r${index}` })));
    await arrived(4);
    expect(held).toHaveLength(4);
    release(0);
    await arrived(5);
    release(1);
    await arrived(6);
    for (const index of [2, 3, 4, 5]) release(index);
    await Promise.all(calls);
  });

  it('for single records leave half of the places to others', async () => {
    const { address, held, arrived, release } = await holding();
    const http = client();
    const get = (resource: string, bulk: boolean) =>
      http.get(requestTo(address, { resource, bulk, path: `/${resource}` }));
    const bulk = ['a', 'b', 'c', 'd'].map((resource) => get(resource, true));
    const others = ['items', 'selected'].map((resource) => get(resource, false));
    await arrived(4);
    expect(held.map(({ req }) => req.url).sort()).toEqual(['/a', '/b', '/items', '/selected']);
    for (const index of [0, 1, 2, 3]) release(index);
    await arrived(6);
    for (const index of [4, 5]) release(index);
    await Promise.all([...bulk, ...others]);
  });
});

describe('closing and aborting', () => {
  it('aborts requests in flight when the client closes, and sends no more', async () => {
    const service = await serve(() => undefined);
    const http = client();
    const calls = [
      http.get(requestTo(service.address)),
      http.get(requestTo(service.address)),
      http.get(requestTo(service.address, { resource: 'b' })),
    ];
    const errors = Promise.all(calls.map(errorOf));
    while (service.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await http.close();
    const [first, queued, other] = await errors;
    expect(first?.code).toBe('aborted');
    expect(other?.code).toBe('aborted');
    expect(queued).toMatchObject({ code: 'closed', requests: 0 });
    expect((await errorOf(http.get(requestTo(service.address)))).code).toBe('closed');
    expect(service.requests).toHaveLength(2);
  });

  it('aborts one request when its caller aborts', async () => {
    const service = await serve(() => undefined);
    const stop = new AbortController();
    const error = errorOf(client().get(requestTo(service.address, { signal: stop.signal })));
    while (service.requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await error).toMatchObject({ code: 'aborted', requests: 1 });
  });

  it('sends nothing if the caller has already aborted', async () => {
    const service = await serve(always(200, JSON_TYPE, '{}'));
    const error = await errorOf(client().get(requestTo(service.address, { signal: AbortSignal.abort() })));
    expect(error).toMatchObject({ code: 'aborted', requests: 0 });
    expect(service.requests).toHaveLength(0);
  });
});
