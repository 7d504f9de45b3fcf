import { describe, expect, it } from 'vitest';
import { requestTo, client, errorOf, JSON_TYPE, serve, type TinyService } from '../tiny-service.ts';

/** Redirects the paths in the table, and answers all others. */
async function routes(table: Record<string, [status: number, location?: string]>): Promise<TinyService> {
  return serve((request, response) => {
    const [status, location] = table[request.url ?? ''] ?? [200];
    if (status === 200) response.writeHead(200, JSON_TYPE).end('{}');
    else response.writeHead(status, location === undefined ? {} : { location }).end();
  });
}

describe('a redirect', () => {
  it.each([301, 302, 307, 308])('with status %i is followed, and the new address reported', async (status) => {
    const service = await routes({ '/api/v1/stories/old': [status, '/api/v1/stories/new'] });
    const answer = await client().get(requestTo(service.address, { path: '/api/v1/stories/old' }));
    expect(answer).toMatchObject({ kind: 'fresh', requests: 2, address: `${service.address}/api/v1/stories/new` });
  });

  it('includes validator and key, because the service is the same', async () => {
    const service = await routes({ '/api/v1/items': [308, 'other'] });
    await client().get(requestTo(service.address, { validator: '"v"', bearer: 'k' }));
    expect(service.requests.map(({ url, headers }) => [url, headers['if-none-match'], headers.authorization])).toEqual([
      ['/api/v1/items', '"v"', 'Bearer k'],
      ['/api/v1/other', '"v"', 'Bearer k'],
    ]);
  });

  it('is followed five times, but not a sixth time', async () => {
    const service = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.writeHead(200, JSON_TYPE).end('{}');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect(await client().get(requestTo(service.address, { path: '/5' }))).toMatchObject({
      kind: 'fresh',
      requests: 6,
    });
    expect(await errorOf(client().get(requestTo(service.address, { path: '/6' })))).toMatchObject({
      code: 'too_many_redirects',
      requests: 6,
      status: 302,
    });
  });

  it.each([
    ['another host', 'http://example.invalid/news/api/v1/items'],
    ['another port', 'http://127.0.0.1:9/news/api/v1/items'],
    ['another protocol', 'https://127.0.0.1/news/api/v1/items'],
    ['a host without protocol', '//example.invalid/news/x'],
    ['a path above the base address', '/api/v1/items'],
    ['a path that only starts the same', '/newsletter/items'],
    ['a path that leaves the base address', '/news/../secret'],
    ['a path that leaves the base address, encoded', '/news/%2e%2e/secret'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['an invalid address', 'http://['],
  ])('to %s is refused', async (_, location) => {
    const service = await routes({ '/news/api/v1/items': [302, location] });
    const error = await errorOf(client().get(requestTo(`${service.address}/news`)));
    expect(error).toMatchObject({ code: 'redirect_refused', requests: 1, status: 302, retryable: false });
    expect(service.requests).toHaveLength(1);
  });

  it('to the same service with a name and password is refused', async () => {
    const service = await serve((request, response) => {
      response.writeHead(302, { location: `http://user:word@${request.headers.host}/x` }).end();
    });
    const error = await errorOf(client().get(requestTo(service.address)));
    expect(error.code).toBe('redirect_refused');
    expect(error.message).not.toContain('word');
  });

  it('without a Location is refused', async () => {
    const service = await routes({ '/api/v1/items': [308] });
    expect((await errorOf(client().get(requestTo(service.address)))).code).toBe('redirect_refused');
  });

  it.each([300, 303, 305])('with status %i is refused', async (status) => {
    const service = await routes({ '/api/v1/items': [status, '/x'] });
    expect(await errorOf(client().get(requestTo(service.address)))).toMatchObject({
      code: 'redirect_refused',
      status,
      requests: 1,
    });
  });
});
