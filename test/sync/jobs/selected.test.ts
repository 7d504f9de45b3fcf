import { describe, expect, it } from 'vitest';
import type { SyncResult } from '../../../src-main/contract/model/sync-status.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { expectEqualSets } from '../../support/selected-set.ts';

function syncNow({ call }: TestApp, urgency: 'due' | 'now' = 'now'): Promise<SyncResult> {
  return call('sync.run', { urgency, resources: ['items', 'selected'] });
}

async function syncedApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await openTestApp(options);
  expect(await syncNow(app)).toMatchObject({ ok: true });
  return app;
}

describe('the selected set', () => {
  // Holds: news-4.7-snapshot
  it('of several pages is saved completely, is then not due, and is not written again', async () => {
    const app = await syncedApp({ content: { selected: 1100, days: 60 } });
    await expectEqualSets(app, app.service.control);
    expect(await app.call('counts.get', {})).toMatchObject({ selected: { total: 1100, unread: 1100 } });

    const asked = app.service.requests.length;
    const notDue = await syncNow(app, 'due');
    expect(notDue.resources).toMatchObject({ items: { status: 'notDue' }, selected: { status: 'notDue' } });
    expect(app.service.requests).toHaveLength(asked);

    await syncNow(app);
    const { resources } = await syncNow(app);
    const unchanged = { status: 'notModified', added: 0, revised: 0, withdrawn: 0, skipped: 0, requests: 1 };
    expect(resources).toMatchObject({ items: unchanged, selected: unchanged });
  });

  // Holds: news-4.1-category-open, news-3-other-lifecycle, news-4.7-changes
  it('follows edits, additions, and withdrawals, also twice for one item and for items that were never saved', async () => {
    const app = await syncedApp();
    const { control } = app.service;
    const [a, b, c, d] = control.selectedItems().map(({ id }) => id);
    control.editItem(a!, { title: 'Another title', score: 12.5, summary: null, unheardOf: { deep: ['yes'] } });
    control.editItem(b!, { category: 'a-new-category' });
    control.withdraw(c!);
    control.withdraw(c!);
    control.withdraw('never-held');
    const added = control.addItem({ title: 'Just in' });
    const brief = control.addItem({ title: 'Here and gone' });
    control.withdraw(brief.id);
    control.editItem(d!, { selected: false });

    const report = await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(report.resources.selected).toMatchObject({ status: 'ok', added: 1, withdrawn: 0, skipped: 0 });
    await expectEqualSets(app, control);
    // The list shows which of those that left are still public.
    const { resources } = await app.call('sync.run', { urgency: 'now', resources: ['items'] });
    expect(resources.items).toMatchObject({ status: 'ok', withdrawn: 1 });
    expect(await app.reply('items.get', { id: c! })).toMatchObject({ error: { code: 'not_found' } });
    expect(await app.call('items.get', { id: d! })).toMatchObject({ inSelectedSet: false, withdrawnAt: null });
    expect(await app.call('items.get', { id: added.id })).toMatchObject({ title: 'Just in' });
  });

  it('does not call an item new that was removed and restored between two syncs', async () => {
    let changes: object[] | null = null;
    const app = await syncedApp({
      intercept: (request, response) => {
        if (changes === null || !request.url?.includes('/selected/changes')) return false;
        const body = { fields: 'default', cursor: 'next', count: changes.length, hasMore: false, changes };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return true;
      },
    });
    await app.call('visits.end', {});
    const [member, other] = app.service.control.selectedItems();
    const changedAt = new Date(app.clock.now()).toISOString();
    changes = [
      { op: 'remove', changedAt, id: member!.id },
      { op: 'remove', changedAt, id: other!.id },
      { op: 'upsert', changedAt, item: member },
      { op: 'upsert', changedAt, item: { ...other, title: 'Restored with another title' } },
    ];
    const { resources } = await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(resources.selected).toMatchObject({ status: 'ok', added: 0, revised: 1, withdrawn: 0 });
    expect(await app.call('visits.sinceLast', {})).toMatchObject({ added: 0, revised: 1, withdrawn: 0 });
  });
});

/** The token of a page of the snapshot, or null for the first one and other requests. */
function pageToken(url: string | undefined): string | null {
  return url?.includes('/selected/snapshot') ? new URL(url, 'http://localhost').searchParams.get('page') : null;
}

describe('a snapshot', () => {
  it('counts as added when it is the first, also the items that the list brought before', async () => {
    const app = await openTestApp({ content: { selected: 60, unselected: 20, days: 5 } });
    const { resources } = await app.call('sync.run', { urgency: 'now', resources: ['items'] });
    expect(resources.items.added).toBeGreaterThan(20);
    const first = await syncNow(app);
    expect(first.resources.selected).toMatchObject({ status: 'ok', added: 60, revised: 0 });
    expect(first.counts.selected).toBe(60);
  });

  it.each([
    [409, 'snapshot_required'],
    [400, 'invalid_cursor'],
  ])('whose page token is rejected with %d %s restarts', async (status, code) => {
    let refusals = 1;
    const app: TestApp = await openTestApp({
      content: { selected: 1100, days: 60 },
      intercept: (request, response) => {
        app.clock.advance(1_000);
        if (pageToken(request.url) === null || refusals === 0) return false;
        refusals -= 1;
        response.writeHead(status, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify({ status, code }));
        return true;
      },
    });
    const report = await syncNow(app);
    // One page, a refusal, two pages, and the changes.
    expect(report.resources.selected).toMatchObject({ status: 'ok', requests: 5, added: expect.any(Number) as number });
    await expectEqualSets(app, app.service.control);
    const progress = app
      .heard('sync.changed')
      .flatMap(({ resources }) => resources.find(({ name }) => name === 'selected')?.progress ?? [])
      .map(({ stored, expected }) => `${String(stored)} of ${String(expected)}`);
    expect([...new Set(progress)]).toEqual(['1000 of null', '1100 of 1100']);
  });

  it('keeps a saved member whose record is unreadable, and counts it with its reason', async () => {
    const app = await syncedApp();
    const { control } = app.service;
    const [broken, fine] = control.selectedItems();
    control.editItem(broken!.id, { title: null });
    control.editItem(fine!.id, { title: 'Fine' });
    control.requireSnapshot();
    const report = await syncNow(app);
    expect(report.resources.selected).toMatchObject({ status: 'ok', skipped: 1, withdrawn: 0, revised: 1 });
    expect(await app.call('items.get', { id: broken!.id })).toMatchObject({
      title: broken!.title,
      inSelectedSet: true,
    });
    expect(await app.call('counts.get', {})).toMatchObject({ selected: { total: 40 } });
  });
});
