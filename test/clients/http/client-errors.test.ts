import type http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { LogLevel } from '../../../src-main/contract/ports.ts';
import { fakeClock } from '../../support/clock.ts';
import { startFaultyService, type FaultKind, type FaultyService } from '../../support/faults.ts';
import { always, requestTo, client, closeAfterTest, errorOf, JSON_TYPE, serve } from '../tiny-service.ts';

const PROBLEM = { 'content-type': 'application/problem+json' };
const problem = (code: string, more: object = {}): string =>
  JSON.stringify({ type: 'about:blank', title: 'A title', detail: 'Some detail.', code, requestId: 'r-1', ...more });

async function faulty(kind: FaultKind, options = {}): Promise<FaultyService> {
  const service = await startFaultyService();
  closeAfterTest(() => service.close());
  service.fault('/items', kind, options);
  return service;
}

describe('an error response with a problem body', () => {
  // Holds: news-7-400-invalid-cursor
  it.each([
    [400, 'invalid_cursor', 'invalid_cursor', false],
    [409, 'snapshot_required', 'snapshot_required', false],
    // A code that is unknown or does not fit its status is ignored.
    [400, 'brand_new', 'invalid_request', false],
    [500, 'snapshot_required', 'service_error', true],
    [400, 'constructor', 'invalid_request', false],
  ])('of status %i and code %s is %s', async (status, problemCode, code, retryable) => {
    const service = await serve(always(status, PROBLEM, problem(problemCode)));
    const error = await errorOf(client().get(requestTo(service.address)));
    expect(error).toMatchObject({
      code,
      retryable,
      status,
      problemCode,
      requests: 1,
      requestId: 'r-1',
      detail: 'Some detail.',
    });
    expect(error.message).toContain('Some detail.');
  });

  // Holds: news-7-request-id
  it('uses the correlation id of the header first', async () => {
    const service = await serve(always(403, { ...PROBLEM, 'x-request-id': 'h-1' }, problem('x')));
    expect((await errorOf(client().get(requestTo(service.address)))).requestId).toBe('h-1');
  });

  it('accepts a compressed body', async () => {
    const headers = { ...PROBLEM, 'content-encoding': 'gzip' };
    const service = await serve(always(400, headers, zlib.gzipSync(problem('invalid_cursor'))));
    expect((await errorOf(client().get(requestTo(service.address)))).code).toBe('invalid_cursor');
  });

  it('shortens its text to one line', async () => {
    const detail = `first\nsecond\u202e\u0000${'x'.repeat(5000)}`;
    const service = await serve(always(400, PROBLEM, problem('invalid_request', { detail })));
    const error = await errorOf(client().get(requestTo(service.address)));
    expect(error.detail).toMatch(/^first second x+$/);
    expect(error.detail?.length).toBe(300);
  });
});

describe('an error response of another kind', () => {
  const html = { 'content-type': 'text/html' };
  // Holds: news-7-problem-fields
  it.each([
    [400, html, '<h1>Bad Request</h1>', 'invalid_request', false],
    [403, html, 'no', 'forbidden', false],
    [418, {}, '', 'service_error', false],
    [429, {}, '', 'rate_limited', true],
    [500, JSON_TYPE, '{"broken', 'service_error', true],
    [503, {}, '', 'temporarily_unavailable', true],
    [504, PROBLEM, 'null', 'service_error', true],
    [500, PROBLEM, '{"code":7,"detail":{"a":1}}', 'service_error', true],
    [503, html, 'x'.repeat(200_000), 'temporarily_unavailable', true],
    [503, { 'content-encoding': 'gzip' }, 'not packed', 'temporarily_unavailable', true],
    [204, {}, '', 'service_error', false],
  ])('of status %i %j %.20j is one clear error', async (status, headers, body, code, retryable) => {
    const service = await serve(always(status, headers, status === 204 ? undefined : body));
    const error = await errorOf(client().get(requestTo(service.address)));
    expect(error).toMatchObject({ code, retryable, status, requests: 1, detail: null });
    expect(error.message).toMatch(/^The service .*\.$/);
  });
});

describe('a Retry-After', () => {
  it('is used even if the body never ends', async () => {
    const service = await serve((_request, response) => {
      response.writeHead(503, { 'retry-after': '40' }).write('...');
    });
    const error = await errorOf(client({ timeouts: { totalMs: 100 } }).get(requestTo(service.address)));
    expect(error).toMatchObject({ code: 'temporarily_unavailable', status: 503, retryAfterMs: 40_000, requests: 1 });
  });

  const now = '2026-03-18T06:30:00Z';

  it.each([
    ['a day behind', '2026-03-17T06:30:00Z', 'Wed, 18 Mar 2026 06:29:30 GMT', 60_000],
    ['two hours ahead', '2026-03-18T08:30:00Z', 'Wed, 18 Mar 2026 06:29:30 GMT', 60_000],
    ['right, and that of the service was never set', now, 'Thu, 01 Jan 1970 00:00:10 GMT', 30_000],
  ])('that is a date is one of the clock of the service, if this one is %s', async (_, here, date, ms) => {
    const headers = { ...PROBLEM, date, 'retry-after': 'Wed, 18 Mar 2026 06:30:30 GMT' };
    const service = await serve(always(429, headers, problem('x')));
    const error = await errorOf(client({ clock: fakeClock(here) }).get(requestTo(service.address)));
    expect(error.retryAfterMs).toBe(ms);
  });
});

describe('an unexpected response', () => {
  it.each([
    [200, 'text/html; charset=utf-8', 'wrong_content_type', 'web_page'],
    [200, 'text/plain', 'wrong_content_type', undefined],
    [503, 'text/html', 'temporarily_unavailable', undefined],
  ] as const)('of status %i and type %s is recognised as a web page or not', async (status, type, code, reason) => {
    const service = await serve(always(status, { 'content-type': type }, '<p>Welcome'));
    const error = await errorOf(client().get(requestTo(service.address)));
    expect([error.code, error.reason]).toEqual([code, reason]);
  });

  const short = { totalMs: 150 };
  it.each([
    ['htmlPage200', {}, 'wrong_content_type', 200],
    ['hugeBody', { bytes: 200_000 }, 'too_large', 200],
    ['zipBomb', { bytes: 200_000 }, 'too_large', 200],
    ['connectionReset', {}, 'unreachable', null],
    ['silent', {}, 'timeout', null],
    ['endless', {}, 'timeout', 200],
  ] as const)('%s ends in one clear error', async (kind, options, code, status) => {
    const service = await faulty(kind, options);
    const error = await errorOf(client({ timeouts: short }).get(requestTo(service.address, { maxBytes: 100_000 })));
    expect(error).toMatchObject({ code, status });
    expect(error.requests).toBe(service.requests.length);
  });

  // Holds: news-4-json-bodies
  it.each([
    ['a missing type', always(200, {}, '{}'), 'wrong_content_type'],
    ['invalid gzip', always(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, 'not packed'), 'invalid_body'],
    [
      'an encoding that was not requested',
      always(200, { ...JSON_TYPE, 'content-encoding': 'sdch' }, '{}'),
      'invalid_body',
    ],
    ['three layers', always(200, { ...JSON_TYPE, 'content-encoding': 'gzip, gzip, gzip' }, '{}'), 'invalid_body'],
    [
      'truncated gzip',
      always(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, zlib.gzipSync('{"a":1}').subarray(0, 15)),
      'cut_short',
    ],
    ['headers that are too long', always(200, { ...JSON_TYPE, 'x-long': 'x'.repeat(100_000) }, '{}'), 'too_large'],
  ])('with %s is one clear error', async (_, handler, code) => {
    const service = await serve(handler);
    expect((await errorOf(client().get(requestTo(service.address)))).code).toBe(code);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 'invalid_body'],
    [
      'an invalid chunk',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      'invalid_body',
    ],
    [
      'chunks without an end',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n',
      'cut_short',
    ],
    ['a closed connection', '', 'unreachable'],
  ])('%s ends in one clear error', async (_, bytes, code) => {
    const server = net.createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end(bytes)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeAfterTest(() => new Promise((resolve) => server.close(() => resolve())));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await errorOf(client().get(requestTo(address)))).code).toBe(code);
  });

  it('reports an unreachable port with its name', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await errorOf(client().get(requestTo(`http://127.0.0.1:${port}`)));
    expect(error).toMatchObject({
      ...{ code: 'unreachable', reason: 'refused', retryable: true },
      ...{ status: null, requests: 1 },
    });
    expect(error.message).toContain(`127.0.0.1:${port}`);
  });

  it('does not affect the next request', async () => {
    const service = await startFaultyService({ upstream: (await serve(always(200, JSON_TYPE, '{}'))).address });
    closeAfterTest(() => service.close());
    const http = client({ timeouts: short });
    for (const kind of ['cutShort', 'silent', 'connectionReset', 'htmlPage200', 'zipBomb'] as const) {
      service.fault('/items', kind, { times: 1, bytes: 200_000 });
      await errorOf(http.get(requestTo(service.address, { maxBytes: 100_000 })));
    }
    expect(await http.get(requestTo(service.address))).toMatchObject({ kind: 'fresh', value: '{}' });
  });
});

describe('the log', () => {
  it('has one line for each call, without query and headers', async () => {
    const lines: string[] = [];
    const log = (level: LogLevel, message: string, fields: object = {}): void => {
      lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
    };
    const service = await serve((request, response) => {
      always(
        request.url?.startsWith('/api/v1/items') ? 200 : 404,
        { ...JSON_TYPE, etag: '"e-1"' },
        '{}',
      )(request, response);
    });
    const http = client({ log });
    await http.get(
      requestTo(service.address, { query: { q: 'private message' }, bearer: 'sk-secret', validator: '"v-1"' }),
    );
    await errorOf(
      http.get(requestTo(service.address, { path: '/other', query: { q: 'private message' }, bearer: 'sk-secret' })),
    );
    expect(lines).toEqual([
      'debug service answered {"resource":"items","path":"/api/v1/items","status":200,"requests":1,"result":"fresh"}',
      'debug request failed {"resource":"items","path":"/other","status":404,"requests":1,"code":"not_found"}',
    ]);
  });
});

describe('a body that comes slowly', () => {
  /** Sends 20 KiB this many times, with short pauses. */
  const parts = (count: number): http.RequestListener => {
    return (_request, response) => {
      response.writeHead(200, JSON_TYPE);
      let left = count;
      const timer = setInterval(() => {
        response.write(' '.repeat(20 * 1024));
        left -= 1;
        if (left === 0) response.end();
      }, 60);
      response.on('close', () => clearInterval(timer));
    };
  };

  it('is read to its end, however long that takes', async () => {
    const service = await serve(parts(12));
    const answer = await client({ timeouts: { totalMs: 250 } }).get(requestTo(service.address));
    expect(answer).toMatchObject({ kind: 'fresh', requests: 1 });
  });

  it('is given up if it never ends', async () => {
    const service = await serve(parts(Infinity));
    const error = await errorOf(client({ timeouts: { totalMs: 100 } }).get(requestTo(service.address)));
    expect(error).toMatchObject({ code: 'timeout', status: 200 });
  });
});
