import type http from 'node:http';
import { describe, expect, it } from 'vitest';
import { createModelsClient, type WholeModelList } from '../../../src-main/clients/models/client.ts';
import type { Fresh } from '../../../src-main/clients/http/client.ts';
import type { ServiceError } from '../../../src-main/clients/http/service-error.ts';
import { client, errorOf, JSON_TYPE, serve, type TinyService } from '../tiny-service.ts';

interface Page {
  ids?: string[];
  data?: unknown[];
  next?: string | null;
  total?: number;
  status?: number;
  body?: string;
}

/** Serves one page after another, whatever is requested, and repeats the last one. */
async function pages(...given: Page[]): Promise<TinyService> {
  let queries = 0;
  return serve((_request, response) => {
    const page = given[Math.min(queries, given.length - 1)] ?? {};
    queries += 1;
    send(response, page);
  });
}

function send(response: http.ServerResponse, { ids = [], data, next, total, status = 200, body }: Page): void {
  const links = next === undefined ? {} : { links: { next } };
  const count = total === undefined ? {} : { total_count: total };
  const value = { data: data ?? ids.map((id) => ({ id })), ...links, ...count };
  response.writeHead(status, { ...JSON_TYPE, etag: '"e"' }).end(body ?? JSON.stringify(value));
}

const modelList = (baseAddress: string, pageSize?: number) =>
  createModelsClient({ http: client(), baseAddress, bearer: 'sk-secret-key' }).whole('models', { pageSize });

async function whole(address: string, pageSize?: number): Promise<Fresh<WholeModelList>> {
  const answer = await modelList(address, pageSize);
  if (answer.kind !== 'fresh') throw new Error('Unexpected "not modified".');
  return answer;
}

const idsOf = ({ value }: Fresh<WholeModelList>): string[] => value.records.map(({ id }) => id);
const queries = (service: TinyService): (string | undefined)[] =>
  service.requests.map(({ url }) => url?.replace('/api/v1/models/user', ''));

async function failure(service: TinyService, pageSize?: number): Promise<ServiceError> {
  const error = await errorOf(modelList(service.address, pageSize));
  expect(error.requests).toBe(service.requests.length);
  return error;
}

describe('a model list continues', () => {
  // Holds: models-2-paging-links
  it.each([
    ['a separate address', '/api/v1/models/user?cursor=a%2Bb&x=&x=1', '?cursor=a%2Bb&x=&x=1'],
    ['a query only', '?cursor=2', '?cursor=2'],
    ['another path of the gateway', '/api/v1/more?p=2', '/api/v1/more?p=2'],
  ])('at %s, exactly as in links.next', async (_, next, second) => {
    const service = await pages({ ids: ['a', 'b'], next, total: 3 }, { ids: ['c'], next: null, total: 3 });
    const answer = await whole(service.address);
    expect([idsOf(answer), answer.requests, answer.value.pages, answer.validator]).toEqual([
      ['a', 'b', 'c'],
      2,
      2,
      null,
    ]);
    expect(queries(service)).toEqual(['', second]);
    expect(service.requests.every(({ headers }) => headers.authorization === 'Bearer sk-secret-key')).toBe(true);
  });

  // Holds: models-2-total, models-4-offset
  it('by offset with a total and a next of null', async () => {
    const more = { total: 5, next: null };
    const service = await pages({ ids: ['a', 'b'], ...more }, { ids: ['c', 'd'], ...more }, { ids: ['e'], ...more });
    expect(idsOf(await whole(service.address))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(queries(service)).toEqual(['', '?offset=2&limit=2', '?offset=4&limit=2']);
  });

  // Holds: models-2-paging-links, models-2-total
  it('by offset until a page is not full, without a total', async () => {
    const service = await pages({ ids: ['a', 'b'] }, { ids: ['c', 'd'] }, { ids: ['e'] });
    expect(idsOf(await whole(service.address, 2))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(queries(service)).toEqual(['?offset=0&limit=2', '?offset=2&limit=2', '?offset=4&limit=2']);
  });

  it('after pages shorter than requested, up to the total', async () => {
    const service = await pages({ ids: ['a'], total: 3 }, { ids: ['b'], total: 3 }, { ids: ['c'], total: 3 });
    expect(idsOf(await whole(service.address, 1000))).toEqual(['a', 'b', 'c']);
    expect(queries(service).at(-1)).toBe('?offset=2&limit=1000');
  });

  it.each([
    ['has neither next nor total', { ids: ['a', 'b'] }, 2],
    ['has them with wrong types', { ids: ['a'], body: '{"data":[{"id":"a"}],"links":[1],"total_count":"9"}' }, 1],
  ])('no further if it %s', async (_, page, count) => {
    const service = await pages(page);
    const answer = await whole(service.address);
    expect([answer.value.records.length, answer.requests, answer.validator]).toEqual([count, 1, '"e"']);
  });
});

describe('a model list that changes during the download', () => {
  it('is downloaded again once', async () => {
    const service = await pages(
      { ids: ['a', 'b'], next: '?p=2', total: 3 },
      { ids: ['b'], next: null, total: 4 },
      { ids: ['new', 'a'], next: '?p=2', total: 4 },
      { ids: ['b', 'c'], next: null, total: 4 },
    );
    const answer = await whole(service.address);
    expect([idsOf(answer), answer.requests, answer.value.skipped]).toEqual([['new', 'a', 'b', 'c'], 4, []]);
  });

  it('is accepted the second time if it is complete', async () => {
    const odd: Page[] = [
      { ids: ['a', 'b'], next: '?p=2', total: 2 },
      { ids: ['c'], next: null, total: 1 },
    ];
    const service = await pages(...odd, ...odd);
    expect(idsOf(await whole(service.address))).toEqual(['a', 'b', 'c']);
  });

  it('keeps the first of two models with the same id, and reports the second only if it differs', async () => {
    const service = await pages(
      { data: [{ id: 'a', v: { deep: 1 } }, { id: 'b' }], next: '?p=2', total: 5 },
      { data: [{ id: 'a', v: { deep: 1 } }, { id: 'b', v: 2 }, { id: 'c' }], next: null, total: 5 },
    );
    const { value } = await whole(service.address);
    expect(value.records).toEqual([{ id: 'a', v: { deep: 1 } }, { id: 'b' }, { id: 'c' }]);
    expect(value.skipped).toEqual([{ id: 'b', reason: 'id is taken' }]);
  });

  it('counts invalid records towards its total', async () => {
    const service = await pages(
      { data: [{ id: 'a' }, { name: 'none' }], next: '?p=2', total: 3 },
      { data: [{ id: 'b' }], total: 3 },
    );
    const { value } = await whole(service.address);
    expect([value.records.length, value.skipped]).toEqual([2, [{ reason: 'id is missing or not a string' }]]);
  });
});

describe('an incomplete model list', () => {
  it.each<[string, Page[], string, RegExp]>([
    [
      'ends before its total',
      [
        { ids: ['a'], next: '?p=2', total: 3 },
        { ids: ['b'], total: 3 },
      ],
      'cut_short',
      /2 of 3/,
    ],
    [
      'links to a page twice',
      [
        { ids: ['a'], next: '?p=2' },
        { ids: ['b'], next: '?p=3' },
        { ids: ['c'], next: '?p=2' },
      ],
      'invalid_body',
      /an earlier one/,
    ],
    [
      'has an empty page with a link to the next one',
      [{ ids: ['a'], next: '?p=2' }, { next: '?p=3' }],
      'invalid_body',
      /without models/,
    ],
    ['repeats the same models', [{ ids: ['a', 'b'], total: 9 }], 'invalid_body', /the same models/],
    ['fails', [{ ids: ['a'], next: '?p=2' }, { ids: ['b'], next: '?p=3' }, { status: 500 }], 'service_error', /failed/],
    [
      'has a page of invalid records',
      [{ ids: ['a'], next: '?p=2' }, { data: [1, {}] }],
      'invalid_body',
      /none of its models/,
    ],
  ])('that %s is rejected', async (_, given, code, message) => {
    const error = await failure(await pages(...given));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    if (code !== 'service_error') expect(error.message).toContain('Nothing was saved');
  });

  it('is abandoned after a thousand pages', async () => {
    let page = 0;
    const service = await serve((_request, response) => {
      page += 1;
      send(response, { ids: [`m${page}`], next: `?p=${page + 1}` });
    });
    expect(await failure(service)).toMatchObject({ code: 'invalid_body', requests: 1000 });
  });

  it('is too large if some of its pages are', async () => {
    let page = 0;
    const description = 'x'.repeat(22_400_000);
    const service = await serve((_request, response) => {
      page += 1;
      send(response, { data: [{ id: `m${page}`, description }], next: `?p=${page + 1}` });
    });
    expect(await failure(service)).toMatchObject({ code: 'too_large', requests: 3 });
  });

  it('may have as many invalid records as models', async () => {
    const answer = await whole((await pages({ data: [{ id: 'a' }, ...Array<object>(99_999).fill({})] })).address);
    expect([idsOf(answer), answer.value.skipped.length]).toEqual([['a'], 99_999]);
    const junk = [{ id: 'a' }, ...Array<object>(150_000).fill({})];
    expect(await failure(await pages({ data: junk }))).toMatchObject({ code: 'too_large', requests: 1 });
  });

  it('is complete if a page past the end has a next link', async () => {
    const service = await pages({ ids: ['a', 'b'], next: '?p=2', total: 2 }, { ids: [], next: '?p=3', total: 2 });
    expect(idsOf(await whole(service.address))).toEqual(['a', 'b']);
  });
});

describe('a next page outside the gateway', () => {
  it('is not requested, and its server gets no request', async () => {
    const other = await pages({ ids: ['theirs'] });
    const service = await pages({ ids: ['a'], next: `${other.address}/api/v1/models/user?offset=1` });
    const error = await failure(service);
    expect(error).toMatchObject({ code: 'redirect_refused', requests: 1, retryable: false });
    expect(error.message).toContain(other.address.replace('http://', ''));
    expect(error.message).toContain('Nothing was saved');
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['another protocol', (host: string) => `https://${host}/eu/api/v1/models/user?p=2`],
    ['a path above the base address', () => '/api/v1/models/user?p=2'],
    ['a path that only starts the same', () => '/europe/api/v1/models/user?p=2'],
    ['a path that leaves the base address', () => '/eu/%2e%2e/secret'],
    ['a name and a password', (host: string) => `http://user:word@${host}/eu/api/v1/models/user?p=2`],
    ['a script', () => 'javascript:alert(1)'],
    ['an invalid address', () => 'http://['],
  ])('is one with %s', async (_, next) => {
    const service = await serve((request, response) =>
      send(response, { ids: ['a'], next: next(request.headers.host!) }),
    );
    const error = await errorOf(modelList(`${service.address}/eu`));
    expect(error).toMatchObject({ code: 'redirect_refused', requests: 1 });
    expect(error.message).not.toContain('word@');
    expect(service.requests).toHaveLength(1);
  });
});
