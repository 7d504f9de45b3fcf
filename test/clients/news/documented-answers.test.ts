import { describe, expect, it } from 'vitest';
import { createNewsClient, type NewsClient } from '../../../src-main/clients/news/client.ts';
import { KNOWN_CATEGORIES } from '../../../src-main/contract/model/item.ts';
import { always, client, errorOf, JSON_TYPE, serve } from '../tiny-service.ts';

interface Endpoint {
  /** With the query of the request. */
  path: string;
  body: object;
  ask: (news: NewsClient, validator?: string) => Promise<{ kind: string; lifetimeMs: number }>;
}

const INDEX = { count: 0, items: [] };

const ENDPOINTS: Endpoint[] = [
  {
    path: '/api/v1/items',
    body: { items: [], page: { hasMore: false, nextCursor: null } },
    ask: (news, validator) => news.items({}, { validator }),
  },
  { path: '/api/v1/hot-topics', body: INDEX, ask: (news, validator) => news.hotTopics({ validator }) },
  {
    path: '/api/v1/stories/s-1',
    body: { story: { publicId: 's-1', title: 'A story' } },
    ask: (news, validator) => news.story('s-1', { validator }),
  },
  ...(
    [
      ['daily', 'dailies', 'date', '2026-11-20'],
      ['weekly', 'weeklies', 'week', '2026-W47'],
      ['monthly', 'monthlies', 'month', '2026-11'],
    ] as const
  ).flatMap(([kind, path, name, label]): Endpoint[] => [
    {
      path: `/api/v1/${path}?limit=1`,
      body: INDEX,
      ask: (news, validator) => news.reportIndex(kind, { limit: 1 }, { validator }),
    },
    {
      path: `/api/v1/${path}/latest`,
      body: { report: { [name]: label } },
      ask: (news, validator) => news.latestReport(kind, { validator }),
    },
    {
      path: `/api/v1/${path}/${label}`,
      body: { report: { [name]: label } },
      ask: (news, validator) => news.report(kind, label, { validator }),
    },
  ]),
];
const CACHE = { etag: 'W/"now"', 'cache-control': 'public, s-maxage=60' };
const PROBLEMS = [
  [400, 'invalid_request', false],
  [403, 'forbidden', false],
  [404, 'not_found', false],
  [405, 'method_not_allowed', false],
  [429, 'rate_limited', true],
  [503, 'temporarily_unavailable', true],
] as const;

const newsAt = (baseAddress: string): NewsClient => createNewsClient({ http: client(), baseAddress });

describe.each(ENDPOINTS)('$path', ({ path, body, ask }) => {
  // Holds: news-1-json-over-get, news-1-read-only-anonymous, news-1-accept-encoding, news-4-get-without-body
  // Holds: news-4-user-agent, news-4.1-path, news-4.1-cursor-default, news-4.2-path, news-4.2-no-parameters
  // Holds: news-4.3-path, news-4.4-index, news-4.4-latest, news-4.4-one, news-4.5-index, news-4.5-latest
  // Holds: news-4.5-one, news-4.6-index, news-4.6-latest, news-4.6-one, news-5-no-key, news-9-prefix
  it('is asked for by an anonymous GET without a body or further parameters', async () => {
    const bodies: Buffer[] = [];
    const service = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => void bodies.push(chunk));
      request.on('end', () => always(200, { ...JSON_TYPE, ...CACHE }, JSON.stringify(body))(request, response));
    });
    expect(await ask(newsAt(service.address))).toMatchObject({ kind: 'fresh', validator: CACHE.etag });
    expect(service.requests.map(({ method, url }) => [method, url])).toEqual([['GET', path]]);
    const { headers } = service.requests[0]!;
    expect(headers).toMatchObject({
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^Broadsheet\//) as string,
    });
    expect(headers['accept-encoding']).toMatch(/gzip.*br/);
    for (const absent of [
      'authorization',
      'cookie',
      'x-api-key',
      'content-length',
      'transfer-encoding',
      'content-type',
    ])
      expect(headers).not.toHaveProperty(absent);
    expect(bodies).toEqual([]);
  });

  // Holds: news-1-unchanged-is-304, news-4-if-none-match, news-4-etag, news-4-cache-control, news-4.1-responses
  // Holds: news-4.2-responses, news-4.3-responses, news-4.4-index-responses, news-4.4-latest-responses
  // Holds: news-4.4-one-responses, news-4.5-index-responses, news-4.5-latest-responses, news-4.5-one-responses
  // Holds: news-4.6-index-responses, news-4.6-latest-responses, news-7-304, news-7-304-body, news-7-304-headers
  it('answers 200 with a body and 304 without one, both with a validator and a lifetime', async () => {
    const service = await serve((request, response) => {
      const isHeld = request.headers['if-none-match'] === CACHE.etag;
      if (isHeld) response.writeHead(304, CACHE).end();
      else response.writeHead(200, { ...JSON_TYPE, ...CACHE }).end(JSON.stringify(body));
    });
    const news = newsAt(service.address);
    expect(await ask(news)).toMatchObject({ kind: 'fresh', validator: CACHE.etag, lifetimeMs: 60_000 });
    expect(await ask(news, CACHE.etag)).toMatchObject({
      ...{ kind: 'notModified', validator: CACHE.etag, lifetimeMs: 60_000, requests: 1 },
    });
    expect(service.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, CACHE.etag]);
  });

  // Holds: news-2-problem, news-4.1-responses, news-4.2-responses, news-4.3-responses, news-4.4-index-responses
  // Holds: news-4.4-latest-responses, news-4.4-one-responses, news-4.5-index-responses, news-4.5-latest-responses
  // Holds: news-4.5-one-responses, news-4.6-index-responses, news-4.6-latest-responses, news-5-403-anywhere
  // Holds: news-7-400, news-7-403, news-7-404, news-7-405, news-7-429, news-7-503, news-7-problem-json
  // Holds: news-7-request-id, news-7-retry-after
  it.each(PROBLEMS)('answers %i with a problem: %s', async (status, code, retryable) => {
    const waits = status === 429 || status === 503;
    const problem = { type: 'about:blank', title: 'T', status, detail: 'D.', code, requestId: 'r-1' };
    const headers = { 'content-type': 'application/problem+json', 'x-request-id': 'r-1' };
    const service = await serve(
      always(status, { ...headers, ...(waits && { 'retry-after': '7' }) }, JSON.stringify(problem)),
    );
    const error = await errorOf(ask(newsAt(service.address)));
    expect(error).toMatchObject({ code, status, retryable, requestId: 'r-1', requests: 1 });
    expect(error.retryAfterMs).toBe(waits ? 7000 : null);
    expect(error.message).toContain('D.');
  });
});

// Holds: news-3-merged-redirects, news-3-merged-location, news-3-merged-followed, news-4.3-merged, news-4.3-responses
// Holds: news-7-308
it('a merged story answers 308, and its Location is followed once', async () => {
  const service = await serve((request, response) => {
    if (request.url?.endsWith('/old')) response.writeHead(308, { location: '/api/v1/stories/new' }).end();
    else response.writeHead(200, { ...JSON_TYPE, ...CACHE }).end('{"story":{"publicId":"new","title":"T"}}');
  });
  expect(await newsAt(service.address).story('old')).toMatchObject({
    ...{ kind: 'fresh', requests: 2, value: { story: { publicId: 'new' } } },
  });
  expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/v1/stories/old',
    'GET /api/v1/stories/new',
  ]);
});

// Holds: news-4.1-mode, news-4.1-category, news-4.1-window, news-4.1-by, news-8-items-window
it('every value of the parameters of items is sent as it is', async () => {
  const service = await serve(always(200, { ...JSON_TYPE, ...CACHE }, '{"items":[],"page":{"hasMore":false}}'));
  const news = newsAt(service.address);
  for (const mode of ['selected', 'all'] as const) await news.items({ mode });
  for (const window of ['24h', '7d'] as const) await news.items({ window });
  for (const by of ['timeline', 'published'] as const) await news.items({ by });
  for (const category of KNOWN_CATEGORIES) await news.items({ category });
  expect(service.requests.map(({ url }) => url?.split('?')[1])).toEqual([
    ...['mode=selected', 'mode=all', 'window=24h', 'window=7d', 'by=timeline', 'by=published'],
    ...['category=ai-models', 'category=ai-products', 'category=industry'],
    ...['category=paper', 'category=tip', 'category=opinion'],
  ]);
});

// Holds: news-2-other-fields, news-9-no-policy
it('a field that is added, or dropped, or of another type costs no record', async () => {
  const items = [
    { id: 'a', title: 'A', brandNew: { deep: [1] } },
    { id: 'b', title: 'B' },
    { id: 'c', title: 'C', score: 'high', links: [], publishedAt: 7, discoveredAt: null },
  ];
  const service = await serve(always(200, { ...JSON_TYPE, ...CACHE }, JSON.stringify({ items, extra: 1 })));
  const answer = await newsAt(service.address).items({});
  expect(answer).toMatchObject({
    kind: 'fresh',
    value: {
      items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      skipped: [{ field: 'links' }, { field: 'publishedAt' }, { field: 'score' }],
    },
  });
});
