import { describe, expect, it } from 'vitest';
import { createModelsClient } from '../../../src-main/clients/models/client.ts';
import type { ServiceError } from '../../../src-main/clients/http/service-error.ts';
import { always, requestTo, client, errorOf, JSON_TYPE, serve } from '../tiny-service.ts';

const KEY = 'sk-or-v1-Secret+Key/42==';
const ECHOES: readonly [string, string][] = [
  ['unchanged', KEY],
  ['in capitals', KEY.toUpperCase()],
  ['in lower case', KEY.toLowerCase()],
  ['percent-encoded', encodeURIComponent(KEY)],
  ['in Base64', Buffer.from(KEY).toString('base64')],
  ['in Base64 for URLs', Buffer.from(KEY).toString('base64url')],
  ['in Base64 with its header', Buffer.from(`Bearer ${KEY}`).toString('base64')],
  ['in hexadecimal', Buffer.from(KEY).toString('hex')],
];

/** An error with all its causes as text. */
function allOf(error: ServiceError): string {
  const { message, detail, problemCode, requestId, stack, cause } = error;
  return [message, detail, problemCode, requestId, stack, cause, JSON.stringify(cause)].map(String).join('\n');
}

describe('a key', () => {
  it.each(['http://gateway.example', 'http://192.168.1.4:8080', 'http://127.0.0.1.example'])(
    'is not sent to %s, and no request is made',
    async (address) => {
      const error = await errorOf(client().get(requestTo(address, { bearer: KEY })));
      expect(error).toMatchObject({ code: 'key_not_sent', requests: 0, status: null, retryable: false });
      expect(error.message).toContain('Use an https address in Settings, or one on this computer');
    },
  );

  it('is sent to a loopback address by name and by number', async () => {
    const service = await serve(always(200, JSON_TYPE, '{}'));
    const named = service.address.replace('127.0.0.1', 'localhost');
    for (const address of [service.address, named]) await client().get(requestTo(address, { bearer: KEY }));
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  });

  it.each(['two words', 'line\nbreak', 'schlüssel', ' key', 'a\0b'])('%j is not sent', async (bearer) => {
    const service = await serve(always(200, JSON_TYPE, '{}'));
    const error = await errorOf(client().get(requestTo(service.address, { bearer })));
    expect(error).toMatchObject({ code: 'key_not_sent', requests: 0 });
    expect(error.message).not.toContain(bearer);
    expect(service.requests).toEqual([]);
  });

  it.each([301, 302, 307, 308])('is not sent to another server by a redirect %i', async (status) => {
    const other = await serve(always(200, JSON_TYPE, '{"data":[]}'));
    const service = await serve(always(status, { location: `${other.address}/api/v1/models/user` }));
    const models = createModelsClient({ http: client(), baseAddress: service.address, bearer: KEY });
    const error = await errorOf(models.whole('models'));
    expect([error.code, error.requests]).toEqual(['redirect_refused', 1]);
    expect(allOf(error)).not.toContain(KEY);
    expect([service.requests.length, other.requests.length]).toEqual([1, 0]);
  });
});

describe.each(ECHOES)('a gateway that quotes the key %s', (_, echo) => {
  const long = `${'x'.repeat(290)}${echo}`;
  it.each<[string, number, Record<string, string>, string]>([
    ['in its own error format', 401, JSON_TYPE, JSON.stringify({ error: { code: 401, message: `No key ${echo}.` } })],
    ['where the error is cut', 403, JSON_TYPE, JSON.stringify({ error: { code: 403, message: long } })],
    ['in an error string', 403, JSON_TYPE, JSON.stringify({ error: echo })],
    [
      'in a problem body',
      500,
      { 'content-type': 'application/problem+json' },
      JSON.stringify({ code: echo, title: echo, requestId: echo }),
    ],
    ['in a header', 503, { ...JSON_TYPE, 'x-request-id': echo }, '{}'],
    ['as a content type', 200, { 'content-type': `text/${echo}` }, 'no'],
    ['where the content type is cut', 200, { 'content-type': `text/${'x'.repeat(85)}${echo}` }, 'no'],
    ['in a body that is not JSON', 200, JSON_TYPE, `{"data": ${echo}`],
    ['in a body of another format', 200, JSON_TYPE, JSON.stringify({ output: echo })],
    ['in a redirect', 302, { location: `http://${echo}.example/` }, ''],
    [
      'in the next page',
      200,
      JSON_TYPE,
      JSON.stringify({ data: [{ id: 'x' }], links: { next: `http://h.example/${echo}` } }),
    ],
    ['in a broken body', 200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, echo],
  ])('%s does not reveal it in errors and logs', async (_where, status, headers, body) => {
    const lines: string[] = [];
    const http = client({
      log: (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
    });
    const service = await serve(always(status, headers, body));
    const models = createModelsClient({ http, baseAddress: service.address, bearer: KEY });
    const output = `${allOf(await errorOf(models.whole('models')))}\n${lines.join('\n')}`.toLowerCase();
    expect(output).not.toContain(echo.toLowerCase());
    // Half of the key must not appear either.
    expect(output).not.toContain(echo.toLowerCase().slice(0, 10));
  });
});

describe('the response of a gateway', () => {
  it('is saved without the key', async () => {
    const body = JSON.stringify({ data: [{ id: 'x', description: `For ${KEY} only` }] });
    const service = await serve(always(200, { ...JSON_TYPE, etag: `"${KEY}"` }, body));
    const answer = await createModelsClient({ http: client(), baseAddress: service.address, bearer: KEY }).whole(
      'models',
    );
    expect(answer).toMatchObject({ validator: null, value: { records: [{ id: 'x', description: 'For *** only' }] } });
  });

  it.each([
    ['a letter', KEY.replace('k', '\\u006b')],
    ['a sign, in capitals', KEY.replace('+', '\\u002B')],
    ['a slash', KEY.replace('/', '\\/')],
    ['everything', Array.from(KEY, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ])('is saved without the key, with %s of it escaped', async (_what, escaped) => {
    const body = `{"data":[{"id":"x","description":"For ${escaped} only","${escaped}":1}]}`;
    expect(JSON.stringify(JSON.parse(body))).toContain(KEY);
    const service = await serve(always(200, JSON_TYPE, body));
    const answer = await createModelsClient({ http: client(), baseAddress: service.address, bearer: KEY }).whole(
      'models',
    );
    expect(answer).toMatchObject({ value: { records: [{ id: 'x', description: 'For *** only', '***': 1 }] } });
  });

  it('is unchanged if a short key occurs in it by chance', async () => {
    const service = await serve(always(200, JSON_TYPE, '{"data":[{"id":"k"}]}'));
    const answer = await createModelsClient({ http: client(), baseAddress: service.address, bearer: 'k' }).whole(
      'models',
    );
    expect(answer).toMatchObject({ value: { records: [{ id: 'k' }] } });
  });
});
