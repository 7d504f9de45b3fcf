import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startDemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { demo } from './service.ts';

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
});

describe('HTTP', () => {
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
});
