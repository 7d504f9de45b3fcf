import { describe, expect, it } from 'vitest';
import { createNewsClient } from '../../../src-main/clients/news/client.ts';
import { client, closeAfterTest, errorOf, serve } from '../tiny-service.ts';

const PAGE_BYTES = 2_000;
const item = (id: number, bytes = 10) => ({ id: `i${String(id).padStart(3, '0')}`, title: 'x'.repeat(bytes) });

/** 64 items, of which `large` are so large that a page of 8 or more with one of them is above the limit. */
async function openService(large: readonly number[], bytes = 1_500) {
  const all = Array.from({ length: 64 }, (_, id) => item(id, large.includes(id) ? bytes : 10));
  const asked: string[] = [];
  const service = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const limit = Number(searchParams.get('limit'));
    const token = searchParams.get('cursor') ?? searchParams.get('page');
    const from = token === null || token === 'start' ? 0 : Number(token);
    asked.push(`${String(from)}+${String(limit)}`);
    const part = all.slice(from, from + limit);
    const next = from + part.length;
    const hasMore = next < all.length;
    const bodies: Record<string, unknown> = {
      '/api/v1/items': { items: part, page: { hasMore, nextCursor: hasMore ? String(next) : null } },
      '/api/v1/selected/snapshot': { cursor: 'c', hasMore, nextPage: hasMore ? String(next) : null, items: part },
      '/api/v1/selected/changes': {
        cursor: String(next),
        hasMore,
        changes: part.map((one) => ({ op: 'upsert', changedAt: '2026-03-18T00:00:00Z', item: one })),
      },
      '/api/v1/dailies': { items: part.map(({ title }, day) => ({ date: `2026-01-${String(day + 10)}`, title })) },
    };
    response.writeHead(200, { 'content-type': 'application/json', etag: `"${request.url ?? ''}"` });
    response.end(JSON.stringify(bodies[pathname]));
  });
  const http = client({ defaultMaxBytes: PAGE_BYTES });
  closeAfterTest(() => http.close());
  return { news: createNewsClient({ http, baseAddress: service.address }), asked, all };
}

describe('a page above the size limit', () => {
  it('of items is requested with half the limit, and the next one with the usual limit', async () => {
    const { news, asked, all } = await openService([20]);
    const ids: string[] = [];
    const onPage = (page: { items: { id: string }[] }): void => void ids.push(...page.items.map(({ id }) => id));
    const answer = await news.allItems({ limit: 16 }, { onPage });
    expect(ids).toEqual(all.map(({ id }) => id));
    expect(asked).toEqual(['0+16', '16+16', '16+8', '24+16', '40+16', '56+16']);
    expect(answer.requests).toBe(asked.length);
  });

  it('of the snapshot and of changes, too', async () => {
    const { news, asked } = await openService([3]);
    const first = await news.snapshotPage({ limit: 32 });
    expect(first).toMatchObject({ requests: 3, validator: null, value: { nextPage: '8', hasMore: true } });
    expect(asked.splice(0)).toEqual(['0+32', '0+16', '0+8']);
    const changes = await news.changes({ cursor: 'start', limit: 32 });
    expect(changes).toMatchObject({ kind: 'fresh', requests: 4, value: { cursor: '4', hasMore: true } });
    expect(asked).toEqual(['0+32', '0+16', '0+8', '0+4']);
  });

  it('of an index, whose ETag is then not that of the whole index', async () => {
    const { news, asked } = await openService([1]);
    const index = await news.reportIndex('daily', { limit: 40 }, { validator: '"held"' });
    expect(index).toMatchObject({ kind: 'fresh', validator: null, requests: asked.length });
    expect(index.kind === 'fresh' && index.value.records).toHaveLength(10);
    expect(asked).toEqual(['0+40', '0+20', '0+10']);
  });

  it('down to a single record, which the others do not wait for', async () => {
    const { news, asked, all } = await openService([5], 1_900);
    const ids: string[] = [];
    const onPage = (page: { items: { id: string }[] }): void => void ids.push(...page.items.map(({ id }) => id));
    await news.allItems({ limit: 16 }, { onPage });
    expect(ids).toEqual(all.map(({ id }) => id));
    expect(asked.slice(0, 5)).toEqual(['0+16', '0+8', '0+4', '4+16', '4+8']);
    expect(asked).toContain('5+1');
  });

  it('ends in an error if a single record is above the limit', async () => {
    const { news, asked } = await openService([0], 3_000);
    expect(await errorOf(news.snapshotPage({ limit: 8 }))).toMatchObject({ code: 'too_large', requests: 4 });
    expect(asked).toEqual(['0+8', '0+4', '0+2', '0+1']);
  });
});
