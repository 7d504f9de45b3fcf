import { describe, expect, it } from 'vitest';
import { createNewsClient, type NewsClient } from '../../../src-main/clients/news/client.ts';
import type { Item } from '../../../src-main/contract/model/item.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { JUNK_COUNT, startFaultyService } from '../../support/faults.ts';
import { client, closeAfterTest, errorOf } from '../tiny-service.ts';

async function demo(selected = 25): Promise<{ service: DemoService; news: NewsClient }> {
  const clock = fakeClock();
  const service = await startDemoService({ clock, content: { selected, days: 5 } });
  closeAfterTest(() => service.close());
  return { service, news: createNewsClient({ http: client({ clock }), baseAddress: service.newsAddress }) };
}

async function fresh<T>(call: Promise<{ kind: 'fresh'; value: T } | { kind: 'notModified' }>): Promise<T> {
  const answer = await call;
  if (answer.kind === 'notModified') throw new Error('Unexpected "not modified".');
  return answer.value;
}

async function snapshot(news: NewsClient, limit: number): Promise<{ items: Item[]; cursor: string; pages: number }> {
  const first = await fresh(news.snapshotPage({ limit }));
  const items = [...first.items];
  let pages = 1;
  for (let page = first.nextPage; page !== null; pages += 1) {
    const next = await fresh(news.snapshotPage({ limit, page }));
    items.push(...next.items);
    page = next.nextPage;
  }
  return { items, cursor: first.cursor, pages };
}

describe('the news client with the demo service', () => {
  // Holds: news-2-item-link, news-2-item-published-at, news-2-item-discovered-at, news-4.7-snapshot
  it('downloads the whole selected set, field by field', async () => {
    const { service, news } = await demo();
    const { items, pages } = await snapshot(news, 10);
    expect(pages).toBe(3);
    expect(items).toEqual(
      service.control.selectedItems().map(({ reason: _, ...served }) => ({ ...served, reason: null, extra: {} })),
    );
  });

  it('downloads recent items with their reasons, then gets "not modified"', async () => {
    const { service, news } = await demo();
    const items: Item[] = [];
    const onPage = (page: { items: Item[] }): void => void items.push(...page.items);
    const answer = await news.allItems({ mode: 'all', limit: 10 }, { onPage });
    expect(items.map(({ id, reason }) => [id, reason])).toEqual(
      service.control.allItems().map(({ id, reason = null }) => [id, reason]),
    );
    const again = await news.allItems({ mode: 'all', limit: 10 }, { onPage, validator: answer.validator ?? undefined });
    expect(again).toMatchObject({ kind: 'notModified', requests: 1, validator: answer.validator });
  });

  // Holds: news-4.7-changes
  it('gets changes, and an error when a new snapshot is required', async () => {
    const { service, news } = await demo();
    const { cursor, items } = await snapshot(news, 100);
    const added = service.control.addItem({ title: 'Just in' });
    service.control.withdraw(items[0]!.id);
    const page = await fresh(news.changes({ cursor }));
    expect(page.changes).toMatchObject([
      { op: 'upsert', item: { id: added.id, title: 'Just in' } },
      { op: 'remove', id: items[0]!.id },
    ]);
    service.control.requireSnapshot();
    expect(await errorOf(news.changes({ cursor: page.cursor }))).toMatchObject({
      code: 'snapshot_required',
      status: 409,
    });
  });

  // Holds: news-4.1-cursor-bound
  it('rejects a cursor of another query', async () => {
    const { news } = await demo();
    const page = await fresh(news.items({ mode: 'all', limit: 5 }));
    const error = await errorOf(news.items({ mode: 'selected', limit: 5, cursor: page.nextCursor! }));
    expect(error).toMatchObject({ code: 'invalid_cursor', status: 400 });
    expect(error.requestId).toBeTruthy();
  });

  it('skips only the invalid records', async () => {
    const { service } = await demo();
    const faulty = await startFaultyService({ upstream: service.newsAddress });
    closeAfterTest(() => faulty.close());
    faulty.fault('/snapshot', 'junkRecords');
    const news = createNewsClient({ http: client(), baseAddress: faulty.address });
    const page = await fresh(news.snapshotPage({ limit: 100 }));
    expect(page.items).toHaveLength(25);
    expect(page.skipped).toHaveLength(JUNK_COUNT);
    faulty.fault('/snapshot', 'wrongType');
    expect((await errorOf(news.snapshotPage({}))).code).toBe('wrong_content_type');
    faulty.mend();
    expect((await fresh(news.snapshotPage({}))).skipped).toEqual([]);
  });
});
