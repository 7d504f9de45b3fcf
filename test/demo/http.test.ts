import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startDemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { send, demo } from './service.ts';

/** As fetch does it, without fetch's own unpacking and headers. */
function raw(url: string, headers: Record<string, string>): Promise<{ headers: IncomingHttpHeaders; bytes: number }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ headers: response.headers, bytes }));
    })
      .on('error', reject)
      .end();
  });
}

describe('Caching', () => {
  // Holds: news-1-unchanged-is-304, news-4-etag, news-4-cache-control, news-4.2-fresh-60s, news-7-304-body
  // Holds: news-7-304-headers, news-8-topics
  it.each([
    ['/items', 60],
    ['/hot-topics', 60],
    ['/dailies', 60],
    ['/dailies/latest', 60],
    ['/dailies/2026-03-18', 300],
    ['/weeklies', 300],
    ['/weeklies/latest', 300],
    ['/monthlies', 300],
    ['/monthlies/2026-02', 300],
    ['/selected/snapshot', 300],
    ['/agent', 300],
  ])('%s carries a weak ETag and s-maxage=%i, and a 304 both of them without a content type', async (path, seconds) => {
    const { get } = await demo({ content: { selected: 200, days: 60 } });
    const { status, headers } = await get(path);
    const etag = headers.get('etag') ?? '';
    expect(status).toBe(200);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(headers.get('cache-control')).toContain(`s-maxage=${seconds}`);
    const unchanged = await get(path, { headers: { 'if-none-match': etag } });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(unchanged.headers.get('etag')).toBe(etag);
    expect(unchanged.headers.get('cache-control')).toBe(headers.get('cache-control'));
    expect(unchanged.headers.has('content-type')).toBe(false);
  });

  it('takes *, and lists that hold the validator', async () => {
    const { get } = await demo();
    const etag = (await get('/items')).headers.get('etag') ?? '';
    for (const held of ['*', `W/"other", ${etag}`, `${etag},"x"`])
      expect((await get('/items', { headers: { 'if-none-match': held } })).status).toBe(304);
  });

  it('compares byte for byte: a validator without W/ or its quotes is another one', async () => {
    const { get } = await demo();
    const etag = (await get('/items')).headers.get('etag') ?? '';
    for (const held of [etag.slice(2), etag.replaceAll('"', ''), 'W/"other"'])
      expect((await get('/items', { headers: { 'if-none-match': held } })).status).toBe(200);
  });

  it('has another validator for each exact address, though the body be the same', async () => {
    const { get } = await demo({ content: { selected: 0, unselected: 0 } });
    const first = await get('/items?mode=selected');
    const second = await get('/items');
    expect(first.text).toBe(second.text);
    expect(first.headers.get('etag')).not.toBe(second.headers.get('etag'));
  });

  it('changes the validator with the content', async () => {
    const { get, service } = await demo();
    const headers = { 'if-none-match': (await get('/items')).headers.get('etag') ?? '' };
    service.control.addItem();
    expect((await get('/items', { headers })).status).toBe(200);
  });
});

describe('HTTP', () => {
  it('answers HEAD with the headers of GET and no body', async () => {
    const { get } = await demo();
    const [head, whole] = [await get('/items', { method: 'HEAD' }), await get('/items')];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
  });

  // Holds: news-7-405
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('answers 405 with Allow to %s', async (method) => {
    const { get } = await demo();
    const { status, headers, body } = await get('/items', { method });
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
  });

  // Holds: news-7-problem-json, news-7-request-id
  it('reports every problem as problem+json with the id that X-Request-Id carries', async () => {
    const { get } = await demo();
    const { headers, body } = await get('/items?limit=0');
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(headers.get('x-request-id')).toBe(body.requestId);
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'requestId', 'status', 'title', 'type']);
    expect(headers.has('etag')).toBe(false);
  });

  it.each(['/items/', '/dailies/', '/nothing', '/selected', '/items//'])('answers 404 to %s', async (path) => {
    const { get } = await demo();
    const { status, body } = await get(path);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it.each(['/hot-topics', '/dailies/latest', '/stories/x', '/weeklies/latest', '/agent', '/dailies/2026-03-18'])(
    'refuses a parameter that %s does not have',
    async (path) => {
      const { get } = await demo();
      expect((await get(`${path}?fresh=1`)).body.code).toBe('invalid_request');
    },
  );

  it.each([
    ['/', 404],
    ['/favicon.ico', 404],
    ['/apis/v1/items', 404],
    ['/api/v1/stories/%E0%A4%A', 400],
    [`/api/v1/items?q=${'x'.repeat(9000)}`, 414],
  ])('answers %.40s with %i and a page of HTML, as a proxy in front would', async (path, expected) => {
    const { service } = await demo();
    const { status, headers, text } = await send(service.newsAddress + path);
    expect(status).toBe(expected);
    expect(headers.get('content-type')).toBe('text/html');
    expect(text).toContain('<html>');
  });

  it.each([
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['zstd', undefined],
    ['gzip;q=0', undefined],
  ])('packs a large body for Accept-Encoding: %s as %s', async (accepted, coding) => {
    const { service } = await demo();
    const answer = await raw(`${service.newsAddress}/api/v1/items`, { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.headers['content-length']).toBe(String(answer.bytes));
    expect(answer.headers.vary).toBe('Accept-Encoding');
  });

  it('sends a small body as it is', async () => {
    const { service } = await demo({ content: { selected: 1, unselected: 0 } });
    const url = `${service.newsAddress}/api/v1/selected/snapshot?fields=minimal`;
    expect((await raw(url, { 'accept-encoding': 'gzip' })).headers).not.toHaveProperty('content-encoding');
  });
});

describe('The service', () => {
  it('listens on loopback only, at the port it is given, and frees it', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const options = { clock: fakeClock(), content: { selected: 1 }, port };
    const service = await startDemoService(options);
    expect(service.newsAddress).toBe(`http://127.0.0.1:${port}`);
    await expect(startDemoService(options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await service.close();
    await (await startDemoService(options)).close();
  });

  it('notes every request, with its validator and without its key', async () => {
    const seen: string[] = [];
    const { service, get } = await demo({ log: ({ path }) => seen.push(path) });
    await get('/items?limit=2', { headers: { 'if-none-match': 'W/"x"', authorization: 'Bearer secret' } });
    await get('/nothing');
    expect(service.requests.map(({ method, path, query, status }) => [method, path, query, status])).toEqual([
      ['GET', '/api/v1/items', '?limit=2', 200],
      ['GET', '/api/v1/nothing', '', 404],
    ]);
    expect(service.requests[0]?.headers).toMatchObject({ ifNoneMatch: 'W/"x"', hasAuthorization: true });
    expect(JSON.stringify(service.requests)).not.toContain('secret');
  });

  it('lets a test answer in its place', async () => {
    const { get, service } = await demo({
      intercept: (request, response) => {
        if (!request.url?.includes('hot-topics')) return false;
        response.writeHead(502).end('Bad gateway');
        return true;
      },
    });
    expect((await get('/hot-topics')).status).toBe(502);
    expect((await get('/items')).status).toBe(200);
    expect(service.requests.length).toBe(2);
  });
});
