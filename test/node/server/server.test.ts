import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BODY_LIMIT, CONNECTION_LIMIT, startLoopbackServer } from '../../../src-main/node/server/server.ts';
import { ask, openRoom, PAGE, silentLog } from '../hosts.ts';
import type { Question, Room } from '../hosts.ts';
import { keyIn } from '../../support/sign-in.ts';

let room: Room;
beforeEach(async () => {
  room = await openRoom();
});
afterEach(() => room.server.close());

/** A valid request, which each test breaks in one way. */
function honest(question: Question): Question {
  const authorization = `Bearer ${room.key}`;
  const own = { cookie: room.cookie, authorization, origin: room.origin, 'sec-fetch-site': 'same-origin' };
  return { ...question, headers: { ...own, ...question.headers } };
}

function call(method: string, body: string | Buffer, headers: Question['headers'] = {}) {
  const question = {
    method: 'POST',
    path: `/call/${method}`,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  };
  return ask(room.server.port, honest(question));
}

describe('the printed address', () => {
  it('is exchanged for a cookie that scripts cannot read, and removed from the address bar', async () => {
    const url = new URL(room.server.address);
    const answer = await ask(room.server.port, { path: `/${url.search}`, headers: { 'sec-fetch-site': 'none' } });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(/^\/\?ticket=[\w-]{43}$/);
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^broadsheet-${room.server.port}=[\\w-]{43}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict$`),
    );
    expect(cookie).not.toContain(url.searchParams.get('token'));
  });

  it('leads to the page, which gets the key of its calls once', async () => {
    const { search } = new URL(room.server.address);
    const { headers } = await ask(room.server.port, { path: `/${search}` });
    const path = headers.location ?? '';
    const cookie = { cookie: room.cookie };
    const page = await ask(room.server.port, { path, headers: { 'sec-fetch-site': 'none' } });
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    const lasting = /<meta name="broadsheet-lasting-key" content="([\w-]{43})">/.exec(page.text)?.[1] ?? '';
    expect(page.text).toBe(
      `<!doctype html><head><meta name="broadsheet-key" content="${room.key}"><meta name="broadsheet-lasting-key" content="${lasting}"></head>page`,
    );
    expect([room.key, room.cookie.split('=')[1]]).not.toContain(lasting);
    expect(page.headers['set-cookie']?.[0]).toContain(room.cookie);
    for (const secret of [search.slice('?token='.length), room.cookie.split('=')[1], path.slice('/?ticket='.length)])
      expect(room.key).not.toBe(secret);
    // From the history: the page, without the key.
    expect((await ask(room.server.port, { path })).status).toBe(403);
    expect(await ask(room.server.port, { path, headers: cookie })).toMatchObject({
      status: 303,
      headers: { location: '/' },
    });
    expect((await ask(room.server.port, { path: '/', headers: cookie })).text).not.toContain(room.key);
  });

  it('can be opened from a file, which browsers call another site, but not by the script or frame of a page', async () => {
    const { search } = new URL(room.server.address);
    const open = (path: string, mode: string, dest: string) => {
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
      return ask(room.server.port, { path, headers });
    };
    const { status, headers } = await open(`/${search}`, 'navigate', 'document');
    expect(status).toBe(303);
    const path = headers.location ?? '';
    for (const [mode, dest] of [
      ['navigate', 'iframe'],
      ['no-cors', 'script'],
      ['cors', 'empty'],
    ] as const) {
      expect((await open(`/${search}`, mode, dest)).status).toBe(403);
      expect((await open(path, mode, dest)).status).toBe(403);
    }
    expect(keyIn((await open(path, 'navigate', 'document')).text)).toBe(room.key);
    expect((await open('/', 'navigate', 'document')).status).toBe(403);
    expect((await open('/?ticket=AAAA', 'navigate', 'document')).status).toBe(403);
  });

  it('gives tickets that expire after a minute, and no more than a few', async () => {
    const { search } = new URL(room.server.address);
    const ticket = async () => (await ask(room.server.port, { path: `/${search}` })).headers.location ?? '';
    const late = await ticket();
    room.clock.advance(60_001);
    expect((await ask(room.server.port, { path: late })).status).toBe(403);
    const first = await ticket();
    const others = [];
    for (let n = 0; n < 32; n += 1) others.push(await ticket());
    expect((await ask(room.server.port, { path: first })).status).toBe(403);
    for (const path of others) expect((await ask(room.server.port, { path })).status).toBe(200);
  });

  it('can be opened again in a second browser', async () => {
    const { search } = new URL(room.server.address);
    expect((await ask(room.server.port, { path: `/${search}` })).status).toBe(303);
  });

  it('opens only the page, and only by GET', async () => {
    const { search } = new URL(room.server.address);
    expect((await ask(room.server.port, { path: `/events${search}` })).status).toBe(403);
    expect((await ask(room.server.port, { path: `/${search}`, method: 'HEAD' })).status).toBe(403);
    expect(
      (await ask(room.server.port, { path: `/${search}`, headers: { 'sec-fetch-site': 'cross-site' } })).status,
    ).toBe(403);
  });
});

describe('a browser that is signed in', () => {
  const SECRET = 'k'.repeat(43);
  const restart = async (port: number, secret = SECRET) => {
    await room.server.close();
    const { wire, clock } = room;
    const server = await startLoopbackServer({ wire, clock, files: PAGE, log: silentLog, port, secret });
    room = { ...room, server };
    return server.port;
  };
  const signIn = async () => {
    const { headers } = await ask(room.server.port, { path: `/${new URL(room.server.address).search}` });
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const { text } = await ask(room.server.port, { path: headers.location ?? '', headers: { cookie } });
    const lasting = /lasting-key" content="([\w-]{43})"/.exec(text)?.[1] ?? '';
    return { cookie, key: keyIn(text), lasting };
  };
  const mayCall = async (cookie: string, key: string): Promise<boolean> => {
    const headers = { cookie, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await ask(room.server.port, {
      method: 'POST',
      path: '/call/counts.get',
      headers: { ...headers, origin: `http://127.0.0.1:${room.server.port}` },
      body: '{}',
    });
    return answer.status === 200;
  };
  const keyOfRun = async (cookie: string, lasting: string): Promise<string> => {
    const { text } = await ask(room.server.port, { path: '/run', headers: { cookie } });
    return createHmac('sha256', lasting).update(text).digest('base64url');
  };

  it('stays so over a restart, with another key, which its lasting one makes', async () => {
    const port = await restart(0);
    const { cookie, key, lasting } = await signIn();
    expect(await mayCall(cookie, key)).toBe(true);
    await restart(port);
    expect((await ask(port, { path: '/', headers: { cookie } })).status).toBe(200);
    expect(await mayCall(cookie, key)).toBe(false);
    expect(await mayCall(cookie, lasting)).toBe(false);
    const next = await keyOfRun(cookie, lasting);
    expect(next).not.toBe(key);
    expect(await mayCall(cookie, next)).toBe(true);
    expect((await ask(port, { path: '/run' })).status).toBe(403);
  });

  it('is not with another secret, or on another port, which may have been another program', async () => {
    const port = await restart(0);
    const { cookie, lasting } = await signIn();
    await restart(port, 'x'.repeat(43));
    expect((await ask(port, { path: '/', headers: { cookie } })).status).toBe(403);
    const other = await restart(0);
    expect(other).not.toBe(port);
    const renamed = cookie.replace(String(port), String(other));
    expect((await ask(other, { path: '/', headers: { cookie: renamed } })).status).toBe(403);
    const own = await signIn();
    expect(await mayCall(own.cookie, await keyOfRun(own.cookie, lasting))).toBe(false);
  });

  it('not at all learns the command that signs it in', async () => {
    expect((await ask(room.server.port, { path: '/' })).text).toContain('`broadsheet open`');
  });
});

describe('the server rejects', () => {
  const port = () => room.server.port;
  const cases: [name: string, status: number, question: () => Question][] = [
    ['no cookie', 403, () => ({ path: '/' })],
    ['no cookie on a script', 403, () => ({ path: '/assets/app.js' })],
    ['no cookie on the events', 403, () => ({ path: '/events' })],
    ['another value in the cookie', 403, () => honest({ headers: { cookie: `${room.cookie.slice(0, -1)}~` } })],
    [
      'the cookie value under another name',
      403,
      () => honest({ headers: { cookie: room.cookie.replace('broadsheet', 'b') } }),
    ],
    // Whoever listens on another port of this computer gets the cookie.
    ['the events for a cookie without the key', 403, () => honest({ path: '/events', headers: { authorization: '' } })],
    [
      'the events for a cookie and another key',
      403,
      () => honest({ path: '/events', headers: { authorization: `Bearer ${room.key.slice(0, -1)}~` } }),
    ],
    [
      'the events for the cookie as the key',
      403,
      () => honest({ path: '/events?x', headers: { authorization: `Bearer ${room.cookie.split('=')[1] ?? ''}` } }),
    ],
    ['the events for the key without a cookie', 403, () => honest({ path: '/events', headers: { cookie: '' } })],
    ['a wrong ticket', 403, () => ({ path: '/?ticket=AAAA' })],
    ['a wrong token', 403, () => ({ path: '/?token=AAAA' })],
    ['a wrong token with a valid cookie', 403, () => honest({ path: '/?token=AAAA' })],
    ['an empty token', 403, () => ({ path: '/?token=' })],
    ['another Host', 403, () => honest({ headers: { host: 'example.org' } })],
    ['a name rebound to this computer', 403, () => honest({ headers: { host: `rebound.example:${port()}` } })],
    ['a Host that only starts like ours', 403, () => honest({ headers: { host: `127.0.0.1:${port()}.example.org` } })],
    ['our Host without its port', 403, () => honest({ headers: { host: '127.0.0.1' } })],
    ['our Host with another port', 403, () => honest({ headers: { host: '127.0.0.1:1' } })],
    ['a foreign Origin on a GET', 403, () => honest({ headers: { origin: 'https://example.org' } })],
    ['the Origin of another port', 403, () => honest({ headers: { origin: 'http://127.0.0.1:1' } })],
    ['an opaque Origin', 403, () => honest({ headers: { origin: 'null' } })],
    ['a page of another site', 403, () => honest({ headers: { 'sec-fetch-site': 'cross-site' } })],
    ['a page of another port of this computer', 403, () => honest({ headers: { 'sec-fetch-site': 'same-site' } })],
    ['a whole address as the target', 400, () => honest({ path: 'http://example.org/' })],
    ['a write to the page', 405, () => honest({ path: '/', method: 'POST' })],
    ['a write to the events', 405, () => honest({ path: '/events', method: 'PUT' })],
    ['a call by GET', 405, () => honest({ path: '/call/counts.get' })],
    ['a preflight', 405, () => honest({ path: '/call/counts.get', method: 'OPTIONS' })],
    ['a file that is not listed', 404, () => honest({ path: '/package.json' })],
    ['a parent path', 404, () => honest({ path: '/../../package.json' })],
    ['an encoded parent path', 404, () => honest({ path: '/%2e%2e/%2e%2e/package.json' })],
    ['a parent path with encoded slashes', 404, () => honest({ path: '/..%2f..%2fpackage.json' })],
    ['a parent path with backslashes', 404, () => honest({ path: '/..\\..\\package.json' })],
    ['a parent path behind a known folder', 404, () => honest({ path: '/assets/../../package.json' })],
    ['a NUL', 404, () => honest({ path: '/index.html%00.js' })],
    ['an invalid escape', 404, () => honest({ path: '/%E0%A4%A' })],
  ];
  it.each(cases)('%s (%i)', async (_name, status, question) => {
    const answer = await ask(room.server.port, question());
    expect(answer.status).toBe(status);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.text).not.toContain(new URL(room.server.address).searchParams.get('token'));
    expect(room.wire.calls).toEqual([]);
  });

  it('a POST without Origin', async () => {
    const headers = { cookie: room.cookie, 'content-type': 'application/json' };
    const answer = await ask(room.server.port, { method: 'POST', path: '/call/counts.get', headers, body: '{}' });
    expect(answer.status).toBe(403);
    expect(room.wire.calls).toEqual([]);
  });

  it('a call with the cookie but without the key', async () => {
    for (const authorization of ['', room.key, `Basic ${room.key}`, `Bearer ${room.key}x`, 'Bearer ']) {
      expect((await call('counts.get', '{}', { authorization })).status).toBe(403);
    }
    expect(room.wire.calls).toEqual([]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'a call whose body says to be "%s"',
    async (type) => {
      expect((await call('counts.get', '{}', { 'content-type': type })).status).toBe(415);
      expect(room.wire.calls).toEqual([]);
    },
  );

  it('a compressed body', async () => {
    expect((await call('counts.get', '{}', { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('a body over the limit, declared or not', async () => {
    const body = Buffer.alloc(BODY_LIMIT + 1, ' ');
    expect((await call('counts.get', body)).status).toBe(413);
    expect((await call('counts.get', body, { 'transfer-encoding': 'chunked' })).status).toBe(413);
    expect((await call('counts.get', Buffer.alloc(10 * BODY_LIMIT, ' '))).status).toBe(413);
    expect(room.wire.calls).toEqual([]);
  });

  it('any body, however long, in a way that also a client hears that sends all of it before it listens', async () => {
    const size = 20 * BODY_LIMIT;
    const length = { 'content-length': String(size) };
    const refused: [number, Record<string, string>][] = [
      [413, length],
      [413, { 'transfer-encoding': 'chunked' }],
      [415, { ...length, 'content-type': 'text/plain' }],
      [403, { ...length, authorization: 'Bearer wrong' }],
    ];
    for (const [status, headers] of refused) {
      const own = honest({ headers: { 'content-type': 'application/json', ...headers } }).headers ?? {};
      expect({ headers, answer: await sendAll(own, size) }).toEqual({
        headers,
        answer: expect.stringMatching(`^HTTP/1.1 ${String(status)} `) as string,
      });
    }
    expect(room.wire.calls).toEqual([]);
  });
});

/** As the HTTP clients of several languages do: sends the request, and then reads the answer up to its end. */
async function sendAll(headers: object, size: number): Promise<string> {
  const socket = connect(room.server.port, '127.0.0.1').pause();
  const part = Buffer.alloc(1024 * 1024, ' ');
  const isChunked = 'transfer-encoding' in headers;
  const lines = Object.entries({ host: new URL(room.origin).host, connection: 'close', ...headers });
  const head = ['POST /call/counts.get HTTP/1.1', ...lines.map(([name, value]) => `${name}: ${value}`), '', ''];
  function* request() {
    yield head.join('\r\n');
    for (let sent = 0; sent < size; sent += part.length) {
      if (isChunked) yield `${part.length.toString(16)}\r\n`;
      yield part;
      if (isChunked) yield '\r\n';
    }
    if (isChunked) yield '0\r\n\r\n';
  }
  try {
    await pipeline(request, socket, { end: false });
    return await text(socket);
  } catch (error) {
    return String(error);
  }
}

describe('the server serves', () => {
  it('the files of the page with their types, without caching', async () => {
    const script = await ask(room.server.port, honest({ path: '/assets/app.js?v=1' }));
    expect(script).toMatchObject({ status: 200, text: 'run()' });
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    const head = await ask(room.server.port, honest({ path: '/', method: 'HEAD' }));
    expect(head).toMatchObject({ status: 200, text: '' });
  });

  it('fonts of the page, which the browser keeps, under a policy that allows them from here only', async () => {
    const font = await ask(room.server.port, honest({ path: '/assets/text-BVZ5su8S.woff2' }));
    expect(font).toMatchObject({ status: 200, text: 'font' });
    expect(font.headers).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'private, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(font.headers['content-security-policy']).toMatch(/(^|; )font-src 'self'(;|$)/);
  });

  it('scripts and styles with a hash in their name, which the browser keeps, but nothing else of the page', async () => {
    for (const path of ['/assets/start-Bfi-NJd-.js', '/assets/start-D4J_yGOA.css']) {
      const { status, headers } = await ask(room.server.port, honest({ path }));
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'cache-control': 'private, max-age=31536000, immutable' });
    }
    for (const path of ['/', '/assets/app.js', '/first-paint.js', '/assets/missing-D4J_yGOA.css']) {
      const { headers } = await ask(room.server.port, honest({ path }));
      expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    }
  });

  it('the page at localhost too', async () => {
    const host = `localhost:${room.server.port}`;
    expect((await ask(room.server.port, honest({ headers: { host, origin: `http://${host}` } }))).status).toBe(200);
  });

  it("a response for the browser's icon request", async () => {
    expect((await ask(room.server.port, honest({ path: '/favicon.ico' }))).status).toBe(204);
  });

  it('a message if the page has not been built', async () => {
    const bare = await openRoom(new Map());
    const answer = await ask(bare.server.port, { headers: { cookie: bare.cookie } });
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('npm run build');
    await bare.server.close();
  });

  it('calls, with the reply of the wire', async () => {
    const answer = await call('items.get', '{"id":"推理"}', { 'content-type': 'application/json; charset=utf-8' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ ok: true, value: { method: 'items.get', args: { id: '推理' } } });
  });

  it.each([
    ['broken JSON', 'counts.get', '{', 'invalid_argument'],
    ['an empty body', 'counts.get', '', 'invalid_argument'],
    ['bytes that are not UTF-8', 'counts.get', Buffer.from([0x22, 0xff, 0x22]), 'invalid_argument'],
    ['an unknown method', 'counts.drop', '{}', 'unknown_method'],
    ['the name of an object property', 'constructor', '{}', 'unknown_method'],
  ])('an error reply to %s', async (_name, method, body, code) => {
    const answer = await call(method, body);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ ok: false, error: { code, retryable: false } });
    expect(room.wire.calls).toEqual([]);
  });
});

describe('under many connections', () => {
  it('closes the oldest unauthenticated one and still serves the page', async () => {
    const sockets = Array.from({ length: CONNECTION_LIMIT + 20 }, () => connect(room.server.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    await Promise.all(sockets.slice(0, 20).map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    expect((await ask(room.server.port, honest({ path: '/' }))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
