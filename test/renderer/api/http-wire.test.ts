import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpWire } from '../../../src-renderer/api/http-wire.ts';

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
    const reply = await new HttpWire().call('items.count', { query: { scope: 'all', window: 'any', state: 'any' } });
    expect(reply).toEqual({
      ok: true,
      value: { path: '/call/items.count', got: { query: { scope: 'all', window: 'any', state: 'any' } } },
    });
  });

  it.each([
    ['no JSON', (response: ServerResponse) => response.end('<html>')],
    ['JSON that is no reply', (response: ServerResponse) => response.end('{"hello":1}')],
    ['a connection that breaks', (response: ServerResponse) => response.destroy()],
  ])('turns %s into a failure', async (_, send) => {
    answer = (_path, _body, response) => send(response);
    const reply = await new HttpWire().call('counts.get', {});
    expect(reply).toMatchObject({ ok: false, error: { code: 'unreachable', retryable: true } });
  });
});

/** Stands in for the browser's own, which jsdom lacks. */
class StillEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: StillEventSource[] = [];
  readyState = 1;

  constructor() {
    super();
    StillEventSource.opened.push(this);
  }
}

describe('events over HTTP', () => {
  beforeEach(() => {
    StillEventSource.opened = [];
    vi.stubGlobal('EventSource', StillEventSource);
    answer = (path, _body, response) => response.end(JSON.stringify({ ok: true, value: { asked: path } }));
  });

  it('reach whoever listens, over one connection', () => {
    const wire = new HttpWire();
    const heard: unknown[] = [];
    const stop = wire.on('marks.changed', (payload) => heard.push(payload));
    wire.on('counts.changed', () => {});
    const [source] = StillEventSource.opened;
    source?.dispatchEvent(new MessageEvent('marks.changed', { data: '{"ids":["a"]}' }));
    stop();
    source?.dispatchEvent(new MessageEvent('marks.changed', { data: '{"ids":["b"]}' }));
    expect(heard).toEqual([{ ids: ['a'] }]);
    expect(StillEventSource.opened).toHaveLength(1);
  });

  it('are caught up with after a break', async () => {
    const wire = new HttpWire();
    const replaced = new Promise((resolve) => wire.on('data.replaced', resolve));
    const target = new Promise((resolve) => wire.on('app.goTo', resolve));
    const [source] = StillEventSource.opened;
    source?.dispatchEvent(new Event('error'));
    source?.dispatchEvent(new Event('open'));
    expect(await Promise.all([replaced, target])).toEqual([{}, {}]);
  });

  it('are asked for again when the host has refused', () => {
    vi.useFakeTimers();
    new HttpWire().on('counts.changed', () => {});
    const [source] = StillEventSource.opened;
    source!.readyState = 2;
    source?.dispatchEvent(new Event('error'));
    vi.advanceTimersByTime(1000);
    expect(StillEventSource.opened).toHaveLength(2);
    vi.useRealTimers();
  });
});
