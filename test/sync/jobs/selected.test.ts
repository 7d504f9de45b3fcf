import { describe, expect, it } from 'vitest';
import type { SyncResult } from '../../../src-main/contract/model/sync-status.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { SELECTED, expectEqualSets, rowsOf } from '../../support/selected-set.ts';

const MINUTE = 60_000;

function syncNow({ call }: TestApp, urgency: 'due' | 'now' = 'now'): Promise<SyncResult> {
  return call('sync.run', { urgency, resources: ['items', 'selected'] });
}

async function syncedApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await openTestApp(options);
  expect(await syncNow(app)).toMatchObject({ ok: true });
  return app;
}

/** Fails unless Selected shows what the service's list calls selected. At the end of its seven days, either is right. */
async function expectPreview(app: TestApp): Promise<number> {
  const listed = app.service.control.allItems().filter(({ selected }) => selected);
  const since = app.clock.now() - 6 * 24 * 60 * MINUTE;
  const recent = listed.filter(({ discoveredAt }) => Date.parse(discoveredAt) >= since).map(({ id }) => id);
  const shown = (await rowsOf(app, SELECTED)).map(({ id }) => id);
  expect(recent.length).toBeGreaterThan(400);
  expect(shown).toEqual(expect.arrayContaining(recent));
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(shown));
  return shown.length;
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
    const stored = app
      .heard('sync.changed')
      .flatMap(({ resources }) => resources.find(({ name }) => name === 'selected')?.progress?.stored ?? []);
    expect([...new Set(stored)]).toEqual([1000, 1100]);
  });

  it('that is interrupted is not shown as the set, and continues where it stopped', async () => {
    let broken = true;
    const app = await openTestApp({
      content: { selected: 1100, days: 12 },
      folder: 'temporary',
      intercept: (request, response) => {
        if (!broken || pageToken(request.url) === null) return false;
        response.destroy();
        return true;
      },
    });
    const report = await syncNow(app);
    expect(report).toMatchObject({
      ok: false,
      resources: { selected: { status: 'failed', added: expect.any(Number) as number } },
    });
    for (const reopened of [false, true]) {
      if (reopened) await app.reopen();
      // Only what the list of all items has, and calls selected.
      const shown = await expectPreview(app);
      expect(await app.call('counts.get', {})).toMatchObject({ selected: { total: 0 } });
      expect(await app.call('items.count', { query: SELECTED })).toEqual({ count: shown });
      expect(await app.call('sync.status', {})).toMatchObject({ selectedComplete: false });
    }
    broken = false;
    // The second page and the changes; not the first page again.
    expect((await syncNow(app)).resources.selected).toMatchObject({ status: 'ok', requests: 2 });
    await expectEqualSets(app, app.service.control);
    expect(await app.call('sync.status', {})).toMatchObject({ selectedComplete: true });
  });

  it('reports its progress page by page', async () => {
    const app: TestApp = await openTestApp({
      content: { selected: 1100, days: 60 },
      // Progress is published a few times a second.
      intercept: () => {
        app.clock.advance(1_000);
        return false;
      },
    });
    await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    const steps = (): unknown[] =>
      app
        .heard('sync.changed')
        .flatMap(({ resources }) =>
          resources.filter(({ name }) => name === 'selected').flatMap(({ progress }) => progress ?? []),
        );
    expect(new Set(steps().map((step) => JSON.stringify(step)))).toEqual(
      new Set(['{"stored":1000,"expected":null,"pages":1}', '{"stored":1100,"expected":1100,"pages":2}']),
    );
    app.events.length = 0;
    app.service.control.requireSnapshot();
    await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(steps()).toContainEqual({ stored: 1000, expected: 1100, pages: 1 });
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

  it('that changes while its pages are fetched is corrected at the end', async () => {
    let edit: (() => void) | undefined;
    const app = await openTestApp({
      content: { selected: 1100, days: 60 },
      intercept: (request) => {
        if (pageToken(request.url) !== null) edit?.();
        return false;
      },
    });
    const { control } = app.service;
    const [early, gone] = control.selectedItems();
    edit = () => {
      edit = undefined;
      control.editItem(early!.id, { title: 'Changed under way' });
      control.withdraw(gone!.id);
      control.addItem({ id: '0-first-of-all', title: 'In before the page that is read' });
    };
    await syncNow(app);
    await expectEqualSets(app, control);
  });
});
