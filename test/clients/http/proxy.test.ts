import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProxyDispatcher, type ProxyChoice } from '../../../src-main/clients/http/proxy-dispatcher.ts';
import { always, requestTo, client, errorOf, JSON_TYPE, serve } from '../tiny-service.ts';
import { startProxy } from '../tiny-proxy.ts';

/** Resolvable only by a proxy. */
const ELSEWHERE = 'http://news.example';

function waysOf(choice: ProxyChoice, environment: Record<string, string> = {}): ProxyDispatcher {
  const dispatcher = new ProxyDispatcher(choice, { connectMs: 5_000, connections: 4 }, environment);
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
}

async function openScene() {
  const service = await serve(always(200, JSON_TYPE, '{"a":1}'));
  return { service, proxy: await startProxy(service.address) };
}

describe('a request through a proxy', () => {
  it('reaches the service through a tunnel', async () => {
    const { service, proxy } = await openScene();
    const answer = await client({ proxy: proxy.address }).get(requestTo(ELSEWHERE));
    expect(answer).toMatchObject({ kind: 'fresh', value: '{"a":1}' });
    expect(proxy.requests).toMatchObject([{ method: 'CONNECT', target: 'news.example:80' }]);
    expect(service.requests[0]?.headers.host).toBe('news.example');
  });

  it.each(['127.0.0.1', 'localhost'])('connects directly to %s, with the key', async (host) => {
    const { service, proxy } = await openScene();
    const address = service.address.replace('127.0.0.1', host);
    await client({ proxy: proxy.address }).get(requestTo(address, { bearer: 'a-key-of-the-reader' }));
    expect(service.requests[0]?.headers.authorization).toBe('Bearer a-key-of-the-reader');
    expect(proxy.requests).toEqual([]);
    expect(proxy.tunnelled).toEqual([]);
  });

  it('shows an https proxy only the host name, not the key or any other content', async () => {
    const { proxy } = await openScene();
    const key = 'a-key-of-the-reader';
    const requests = client({ proxy: proxy.address }).get(requestTo('https://gateway.example', { bearer: key }));
    expect((await errorOf(requests)).code).toMatch(/^(unreachable|invalid_body|cut_short)$/);
    expect(proxy.requests).toMatchObject([{ method: 'CONNECT', target: 'gateway.example:443' }]);
    expect(proxy.requests[0]?.headers).not.toHaveProperty('authorization');
    // 22: the first byte of a TLS handshake.
    expect(proxy.tunnelled[0]?.[0]).toBe(22);
    expect(Buffer.concat(proxy.tunnelled).toString('latin1')).not.toContain(key);
    expect(JSON.stringify(proxy.requests)).not.toContain(key);
  });

  it('is not sent with a key over http', async () => {
    const { proxy } = await openScene();
    const requests = client({ proxy: proxy.address }).get(requestTo(ELSEWHERE, { bearer: 'a-key-of-the-reader' }));
    expect(await errorOf(requests)).toMatchObject({ code: 'key_not_sent', requests: 0 });
    expect(proxy.requests).toEqual([]);
  });

  it('names the proxy if it is unreachable', async () => {
    const gone = client({ proxy: 'http://127.0.0.1:9' });
    const error = await errorOf(gone.get(requestTo(ELSEWHERE)));
    expect(error).toMatchObject({ code: 'unreachable', reason: 'proxy' });
    expect(error.message).toBe(
      'Cannot reach the proxy 127.0.0.1:9 (ECONNREFUSED). Check the network, and the proxy in Settings.',
    );
  });

  it.each([
    [403, /^The proxy 127\.0\.0\.1:\d+ refused to connect to the service \(HTTP 403\)\./],
    [407, /^The proxy 127\.0\.0\.1:\d+ requires a user name and password, which Broadsheet does not support\./],
    [502, /^The proxy 127\.0\.0\.1:\d+ refused to connect to the service \(HTTP 502\)\./],
  ])('reports a proxy error with status %i', async (status, message) => {
    const { service, proxy } = await openScene();
    proxy.status = status;
    const error = await errorOf(client({ proxy: proxy.address }).get(requestTo(ELSEWHERE)));
    expect([error.code, error.reason]).toEqual(['unreachable', 'proxy']);
    expect(error.message).toMatch(message);
    expect(service.requests).toHaveLength(0);
  });

  it('ends when the client closes and the proxy does not respond', async () => {
    const { proxy } = await openScene();
    proxy.status = 0;
    const http = client({ proxy: proxy.address });
    const failed = errorOf(http.get(requestTo(ELSEWHERE)));
    await expect.poll(() => proxy.requests.length).toBe(1);
    await http.close();
    expect((await failed).code).toBe('aborted');
  });

  it('times out if the proxy does not respond', async () => {
    const { proxy } = await openScene();
    proxy.status = 0;
    const error = await errorOf(
      client({ proxy: proxy.address, timeouts: { connectMs: 50 } }).get(requestTo(ELSEWHERE)),
    );
    expect(error.code).toBe('timeout');
    expect(error.message).toMatch(/^The proxy 127\.0\.0\.1:\d+ did not connect in time\./);
  });

  it('uses a proxy that is set later only for later requests', async () => {
    let answer: (() => void) | undefined;
    const service = await serve((_, response) => {
      const send = (): void => void response.writeHead(200, JSON_TYPE).end('{}');
      if (answer) send();
      else answer = send;
    });
    const [first, second] = [await startProxy(service.address), await startProxy(service.address)];
    const http = client({ proxy: first.address });
    const held = http.get(requestTo(ELSEWHERE));
    await expect.poll(() => answer !== undefined).toBe(true);
    http.useProxy(second.address);
    await http.get(requestTo(ELSEWHERE, { resource: 'another' }));
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
    answer?.();
    expect(await held).toMatchObject({ kind: 'fresh' });
    http.useProxy('none');
    await http.get(requestTo(service.address, { resource: 'a third' }));
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  });
});

describe("the system's proxy", () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('is read from %s, with or without a scheme', async (name) => {
    const { proxy } = await openScene();
    for (const value of [proxy.address, proxy.host]) {
      const url = new URL(`${ELSEWHERE}/a`);
      const { statusCode, body } = await request(url, { dispatcher: waysOf('system', { [name]: value }).to(url) });
      await body.dump();
      expect(statusCode).toBe(200);
    }
    expect(proxy.requests.map(({ target }) => target)).toEqual(['news.example:80', 'news.example:80']);
  });

  it.each(['HTTPS_PROXY', 'https_proxy'])('is read from %s for https', async (name) => {
    const { proxy } = await openScene();
    proxy.status = 403;
    const url = new URL('https://news.example/a');
    const dispatcher = waysOf('system', { [name]: proxy.address }).to(url);
    await expect(request(url, { dispatcher })).rejects.toThrow(/^The proxy 127\.0\.0\.1:\d+ refused to connect/);
    expect(proxy.requests).toMatchObject([{ method: 'CONNECT', target: 'news.example:443' }]);
  });

  it('excludes the names in NO_PROXY', async () => {
    const { service, proxy } = await openScene();
    // Not one of the loopback names, but still this computer.
    const url = new URL(service.address.replace('127.0.0.1', '0.0.0.0'));
    for (const [environment, requests] of [
      [{ HTTP_PROXY: proxy.address, NO_PROXY: 'a.example,0.0.0.0' }, 0],
      [{ HTTP_PROXY: proxy.address }, 1],
    ] as const) {
      const { body } = await request(url, { dispatcher: waysOf('system', environment).to(url) });
      await body.dump();
      expect(proxy.requests).toHaveLength(requests);
    }
  });

  it.each(['socks5://127.0.0.1:9', 'http://', 'a b'])('is rejected with the invalid address %j', (value) => {
    const url = new URL(ELSEWHERE);
    const dispatcher = waysOf('system', { HTTPS_PROXY: value });
    expect(() => dispatcher.to(url)).toThrow(/^The proxy address must start with http or https\./);
    expect(() => dispatcher.to(new URL('http://127.0.0.1:1/'))).not.toThrow();
  });

  it('is not used if the user turns proxies off', () => {
    const dispatcher = waysOf('none', { HTTPS_PROXY: 'http://proxy.example' });
    expect(dispatcher.to(new URL('https://news.example'))).toBe(dispatcher.to(new URL('http://127.0.0.1:1')));
  });

  it('does not show its user name and password in errors', async () => {
    const url = new URL(ELSEWHERE);
    const dispatcher = waysOf('system', { HTTP_PROXY: 'http://reader:a-secret@127.0.0.1:9' }).to(url);
    const error = (await request(url, { dispatcher }).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toMatch(/^Cannot reach the proxy 127\.0\.0\.1:9/);
    expect(error.message).not.toContain('secret');
  });
});
