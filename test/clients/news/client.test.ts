import { describe, expect, it } from 'vitest';
import { BroadsheetError } from '../../../src-main/contract/errors.ts';
import { createNewsClient, type NewsClient } from '../../../src-main/clients/news/client.ts';
import type { ItemsRequest } from '../../../src-main/clients/news/schemas.ts';
import { always, client, errorOf, JSON_TYPE, serve, type TinyService } from '../tiny-service.ts';

const newsAt = (baseAddress: string): NewsClient => createNewsClient({ http: client(), baseAddress });

const EMPTY = JSON.stringify({ items: [], changes: [], cursor: 'c', hasMore: false });
const item = (id: string) => ({ id, title: `Title of ${id}` });

describe('the parameters of items', () => {
  // Holds: news-4.1-path, news-4.1-category-open, news-4.1-q-trimmed, news-4.1-q-length, news-4.1-limit
  // Holds: news-4.1-cursor-opaque, news-8-items-q, news-8-items-limit
  it.each<[ItemsRequest, string]>([
    [{}, ''],
    [
      { mode: 'all', category: 'ai-models', window: '24h', by: 'published', q: '推理', limit: 100, cursor: 'a b/+' },
      '?mode=all&category=ai-models&window=24h&by=published&q=%E6%8E%A8%E7%90%86&limit=100&cursor=a+b%2F%2B',
    ],
    [{ category: 'not-known-yet' }, '?category=not-known-yet'],
    [{ q: ' \n ab\0c ' }, '?q=abc'],
    [{ q: '😀'.repeat(200) }, `?q=${'%F0%9F%98%80'.repeat(200)}`],
  ])('%j are sent as %s', async (request, query) => {
    const service = await serve(always(200, JSON_TYPE, EMPTY));
    await newsAt(service.address).items(request);
    expect(service.requests.map(({ url }) => url)).toEqual([`/api/v1/items${query}`]);
  });

  // Holds: news-4.1-mode, news-4.1-window, news-4.1-by, news-4.1-q-length, news-4.1-limit, news-8-items-q
  // Holds: news-8-items-limit
  it.each([
    { limit: 0 },
    { limit: 101 },
    { limit: '5' },
    { mode: 'some' },
    { window: '48h' },
    { by: 'score' },
    { category: '' },
    { cursor: '' },
    { q: '' },
    { q: '  a  ' },
    { q: 'a\0' },
    { q: 'a'.repeat(201) },
    { page: 'x' },
  ])('%j are rejected before anything is sent', async (request) => {
    const service = await serve(always(200, JSON_TYPE, EMPTY));
    const call = newsAt(service.address).items(request as ItemsRequest);
    await expect(call).rejects.toBeInstanceOf(BroadsheetError);
    await expect(call).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(call).rejects.toThrow(Object.keys(request)[0]);
    expect(service.requests).toHaveLength(0);
  });
});

describe('the selected set', () => {
  // Holds: news-4.7-snapshot, news-4.7-changes
  it('is requested by page and by cursor', async () => {
    const service = await serve(always(200, JSON_TYPE, EMPTY));
    const news = newsAt(service.address);
    await news.snapshotPage({});
    await news.snapshotPage({ page: 'p 2', limit: 1000 });
    await news.changes({ cursor: 'c=1', limit: 100 });
    expect(service.requests.map(({ url }) => url)).toEqual([
      '/api/v1/selected/snapshot',
      '/api/v1/selected/snapshot?page=p+2&limit=1000',
      '/api/v1/selected/changes?cursor=c%3D1&limit=100',
    ]);
  });

  it('is not requested with invalid limits', async () => {
    const news = newsAt('http://127.0.0.1:9');
    for (const call of [
      news.snapshotPage({ limit: 1001 }),
      news.snapshotPage({ limit: 0 }),
      news.snapshotPage({ page: '' }),
      news.changes({ cursor: '' }),
      news.changes({ cursor: 'c', limit: 101 }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'invalid_argument' });
    }
  });
});

describe('paging by cursor', () => {
  /** Three pages of two items; `lose` returns for which request (from 1) the cursor is invalid. */
  async function threePages(lose: (count: number) => boolean = () => false): Promise<TinyService> {
    let count = 0;
    return serve((request, response) => {
      count += 1;
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? 0);
      if (lose(count))
        return always(
          400,
          { 'content-type': 'application/problem+json' },
          '{"code":"invalid_cursor"}',
        )(request, response);
      if (request.headers['if-none-match'] === '"first"') return always(304, {})(request, response);
      const items = [item(`${page}a`), page === 1 ? null : item(`${page}b`)];
      const way = page < 2 ? { hasMore: true, nextCursor: String(page + 1) } : { hasMore: false, nextCursor: null };
      const headers = {
        ...JSON_TYPE,
        etag: page === 0 ? '"first"' : '"other"',
        'cache-control': `s-maxage=${60 + page}`,
      };
      always(200, headers, JSON.stringify({ items, page: way }))(request, response);
    });
  }

  async function walk(service: TinyService, options: Partial<Parameters<NewsClient['allItems']>[1]> = {}) {
    const ids: string[] = [];
    const onPage = (page: { items: { id: string }[] }): void => void ids.push(...page.items.map(({ id }) => id));
    const answer = await newsAt(service.address).allItems({ mode: 'all', limit: 2 }, { onPage, ...options });
    return { answer, ids };
  }

  // Holds: news-2-item-cursor, news-4.1-cursor-opaque, news-4.1-cursor-unchanged, news-4.1-times-are-no-keys
  it('reaches the last page, with the first page’s validator and lifetime', async () => {
    const service = await threePages();
    const { answer, ids } = await walk(service);
    expect(ids).toEqual(['0a', '0b', '1a', '2a', '2b']);
    expect(answer).toMatchObject({
      kind: 'fresh',
      requests: 3,
      validator: '"first"',
      lifetimeMs: 60_000,
      value: { pages: 3, items: 5, endReason: 'lastPage', skipped: [{ reason: 'a record is null, not an object' }] },
    });
    expect(service.requests.map(({ url }) => url?.split('?')[1])).toEqual([
      'mode=all&limit=2',
      'mode=all&limit=2&cursor=1',
      'mode=all&limit=2&cursor=2',
    ]);
  });

  // Holds: news-1-page-back-to-known
  it('stops after a page with a known item', async () => {
    const { answer, ids } = await walk(await threePages(), { isKnown: (id) => id === '1a' });
    expect(ids).toEqual(['0a', '0b', '1a']);
    expect(answer).toMatchObject({ requests: 2, value: { pages: 2, endReason: 'known' } });
  });

  it('stops after the maximum number of pages', async () => {
    const { answer } = await walk(await threePages(), { maxPages: 1 });
    expect(answer).toMatchObject({ requests: 1, value: { pages: 1, endReason: 'maxPages' } });
  });

  it('does not start if nothing has changed', async () => {
    const { answer, ids } = await walk(await threePages(), { validator: '"first"' });
    expect(answer).toMatchObject({ kind: 'notModified', requests: 1 });
    expect(ids).toEqual([]);
  });

  // Holds: news-4.1-cursor-restart
  it('restarts once with an invalid cursor, without the validator', async () => {
    const service = await threePages((count) => count === 3);
    const { answer, ids } = await walk(service, { validator: '"older"' });
    expect(ids).toEqual(['0a', '0b', '1a', '0a', '0b', '1a', '2a', '2b']);
    expect(answer).toMatchObject({ requests: 6, value: { pages: 3, endReason: 'lastPage' } });
    expect(service.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      '"older"',
      ...Array<undefined>(5),
    ]);
  });

  it('fails if the cursor is invalid twice', async () => {
    const error = await errorOf(walk(await threePages((count) => count === 2 || count === 4)));
    expect(error).toMatchObject({ code: 'invalid_cursor', requests: 4 });
  });

  it('counts all requests if a later page fails', async () => {
    const service = await serve((request, response) => {
      if (request.url?.includes('cursor')) always(503, { 'retry-after': '9' })(request, response);
      else
        always(
          200,
          JSON_TYPE,
          JSON.stringify({ items: [], page: { hasMore: true, nextCursor: 'n' } }),
        )(request, response);
    });
    const error = await errorOf(walk(service));
    expect(error).toMatchObject({ code: 'temporarily_unavailable', requests: 2, retryAfterMs: 9000 });
  });

  it('fails if a page names itself as the next', async () => {
    const service = await serve(
      always(200, JSON_TYPE, JSON.stringify({ items: [], page: { hasMore: true, nextCursor: 'n' } })),
    );
    expect(await errorOf(walk(service))).toMatchObject({ code: 'invalid_body', requests: 2 });
  });

  it('ends with the error of the page callback, and requests no more', async () => {
    const service = await threePages();
    const full = new BroadsheetError('disk_full', 'The disk is full.');
    await expect(walk(service, { onPage: () => Promise.reject(full) })).rejects.toBe(full);
    expect(service.requests).toHaveLength(1);
  });
});
