import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpWire } from '../../../src-renderer/api/http-wire.ts';
import { waitFor } from '../support/wait.ts';

const KEY = 'the-key';

let server: Server;
let answer: (path: string, body: string, response: ServerResponse) => void;

beforeEach(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => answer(request.url ?? '', body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => real(`http://127.0.0.1:${port}${path}`, init));
});

afterEach(() => {
  vi.unstubAllGlobals();
  server.close();
  server.closeAllConnections();
});

describe('the HTTP wire', () => {
  it('posts the arguments and hands on the reply', async () => {
    answer = (path, body, response) =>
      response.end(JSON.stringify({ ok: true, value: { path, got: JSON.parse(body) as unknown } }));
    const reply = await new HttpWire(() => KEY).call('items.count', {
      query: { scope: 'all', window: 'any', state: 'any' },
    });
    expect(reply).toEqual({
      ok: true,
      value: { path: '/call/items.count', got: { query: { scope: 'all', window: 'any', state: 'any' } } },
    });
  });

  it('takes what the page asked for before, once, and only for the calls that it starts with', async () => {
    const asked: string[] = [];
    answer = (path, _body, response) => {
      asked.push(path);
      response.end('{"ok":true,"value":"later"}');
    };
    const early = (value: string): Promise<Response> => Promise.resolve(Response.json({ ok: true, value }));
    const calls = new Map(['settings.get', 'sync.status'].map((method) => [method, early('early')]));
    const wire = new HttpWire(() => KEY, undefined, { events: early(''), calls });
    const first = wire.call('settings.get', {});
    const second = wire.call('settings.get', {});
    expect(await first).toEqual({ ok: true, value: 'early' });
    expect(await second).toEqual({ ok: true, value: 'later' });
    // Replies that it had not taken by then are outdated.
    expect(await wire.call('sync.status', {})).toEqual({ ok: true, value: 'later' });
    expect(asked).toEqual(['/call/settings.get', '/call/sync.status']);
  });

  it('sends its key, the newest each time', async () => {
    const sent: (string | undefined)[] = [];
    answer = (_path, _body, response) => {
      sent.push(response.req.headers.authorization);
      response.end('{"ok":true,"value":{}}');
    };
    let key: string | null = 'one';
    const wire = new HttpWire(() => key);
    await wire.call('counts.get', {});
    key = 'two';
    await wire.call('counts.get', {});
    key = null;
    await wire.call('counts.get', {});
    expect(sent).toEqual(['Bearer one', 'Bearer two', undefined]);
  });

  it('makes another key for a server that was restarted, once for all calls, and sends them again', async () => {
    const sent: (string | undefined)[] = [];
    answer = (_path, _body, response) => {
      const { authorization } = response.req.headers;
      sent.push(authorization);
      if (authorization === 'Bearer new') response.end('{"ok":true,"value":1}');
      else response.writeHead(403).end('no');
    };
    let key = 'old';
    const renew = vi.fn(async () => {
      await Promise.resolve();
      key = 'new';
      return true;
    });
    const wire = new HttpWire(() => key, undefined, null, renew);
    const replies = await Promise.all([wire.call('counts.get', {}), wire.call('notes.keys', {})]);
    expect(replies).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 1 },
    ]);
    expect(renew).toHaveBeenCalledTimes(1);
    expect(sent.filter((one) => one === 'Bearer new')).toHaveLength(2);
  });

  it('sends nothing again without another key', async () => {
    let requests = 0;
    answer = (_path, _body, response) => {
      requests += 1;
      response.writeHead(403).end('no');
    };
    const wire = new HttpWire(
      () => KEY,
      undefined,
      null,
      () => Promise.reject(new Error('no storage')),
    );
    expect(await wire.call('counts.get', {})).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    expect(requests).toBe(1);
  });

  it.each([
    ['no JSON', (response: ServerResponse) => response.end('<html>')],
    ['JSON that is no reply', (response: ServerResponse) => response.end('{"hello":1}')],
    ['a connection that breaks', (response: ServerResponse) => response.destroy()],
  ])('turns %s into a failure', async (_, send) => {
    answer = (_path, _body, response) => send(response);
    const reply = await new HttpWire(() => KEY).call('counts.get', {});
    expect(reply).toMatchObject({ ok: false, error: { code: 'unreachable', retryable: true } });
  });
});

describe('events over HTTP', () => {
  /** The open streams, oldest first, and a way to wait for the next one. */
  const streams: ServerResponse[] = [];
  let opened = Promise.withResolvers<ServerResponse>();
  let refuses = false;

  beforeEach(() => {
    streams.length = 0;
    opened = Promise.withResolvers();
    refuses = false;
    answer = (_path, _body, response) => {
      if (refuses) response.writeHead(403).end('no');
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n');
      streams.push(response);
      opened.resolve(response);
    };
  });
  const next = async (): Promise<ServerResponse> => {
    const stream = await opened.promise;
    opened = Promise.withResolvers();
    return stream;
  };
  const heardBy = (wire: HttpWire, event: 'marks.changed' | 'data.replaced' | 'app.goTo') =>
    new Promise((resolve) => wire.on(event, resolve));

  it('reach whoever listens, over one connection, with the key', async () => {
    // It doesn't try again: that would be in the middle of another file's tests.
    const wire = new HttpWire(
      () => KEY,
      () => undefined,
    );
    const heard: unknown[] = [];
    const stop = wire.on('marks.changed', (payload) => heard.push(payload));
    wire.on('counts.changed', () => {});
    const stream = await next();
    expect(stream.req.headers.authorization).toBe(`Bearer ${KEY}`);
    const first = heardBy(wire, 'marks.changed');
    stream.write(': still here\n\nevent: no.such\ndata: {}\n\nevent: marks.changed\ndata: {"ids":["推');
    // In the middle of a text, as the network may cut it.
    stream.write('理"]}\n');
    stream.write('\n');
    expect(await first).toEqual({ ids: ['推理'] });
    stop();
    const second = heardBy(wire, 'marks.changed');
    stream.write('event: marks.changed\ndata: {"ids":["b"]}\n\n');
    await second;
    expect(heard).toEqual([{ ids: ['推理'] }]);
    expect(streams).toHaveLength(1);
  });

  /** Pauses that end only when a test ends them. */
  function pauses() {
    let planned = Promise.withResolvers<{ ms: number; end: () => void }>();
    const after = (ms: number, end: () => void): void => planned.resolve({ ms, end });
    const next = async () => {
      const pause = await planned.promise;
      planned = Promise.withResolvers();
      return pause;
    };
    return { after, next };
  }

  it.each([
    ['a break', (stream: ServerResponse) => stream.destroy()],
    ['the end of the server', (stream: ServerResponse) => stream.end()],
  ])('are caught up with after %s', async (_, end) => {
    const pause = pauses();
    const wire = new HttpWire(() => KEY, pause.after);
    const replaced = heardBy(wire, 'data.replaced');
    const target = heardBy(wire, 'app.goTo');
    end(await next());
    const planned = await pause.next();
    expect(planned.ms).toBe(2000);
    planned.end();
    await next();
    expect(await Promise.all([replaced, target])).toEqual([{}, {}]);
  });

  it('say when the host has ended, after one request that failed, and when it is back', async () => {
    const pause = pauses();
    const wire = new HttpWire(() => KEY, pause.after);
    const host: boolean[] = [];
    wire.onHost((answers) => host.push(answers));
    wire.on('counts.changed', () => {});
    (await next()).destroy();
    const first = await pause.next();
    // One break says nothing yet: the host may only have been busy.
    expect(host).toEqual([]);
    const open = answer;
    answer = (_path, _body, response) => response.destroy();
    first.end();
    const second = await pause.next();
    expect([host, second.ms]).toEqual([[false], 2000]);
    answer = open;
    second.end();
    await next();
    await waitFor(() => expect(host).toEqual([false, true]));
  });

  it('are asked for again when the host has refused, ever less often', async () => {
    const pause = pauses();
    refuses = true;
    new HttpWire(() => KEY, pause.after).on('counts.changed', () => {});
    const waits: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const { ms, end } = await pause.next();
      waits.push(ms);
      end();
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });
});
