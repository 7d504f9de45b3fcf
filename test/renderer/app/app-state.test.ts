import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDemoService } from '../../../src-main/demo/service.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { effect } from '../support/effects.svelte.ts';
import { NOW, openCore, type CoreWire } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { listed } from '../support/listed.ts';
import { openApp, openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';

const OTHER = { address: 'https://other.example', demo: false, from: 'settings' } as const;

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  const items = Array.from({ length: 10 }, (_, n) =>
    madeUpRow(n, NOW, { inSelectedSet: true, state: { readAt: null, starredAt: null } }),
  );
  wire = await openCore({ items });
  app = await openApp(wire);
});

describe('what the page shows at first', () => {
  it.each([
    ['node', 0],
    ['electron', 1],
  ] as const)('is reported to a desktop, which shows the window then: %s', async (host, times) => {
    wire.capabilities = { ...wire.capabilities, host };
    await app.settings.load();
    app.reportPaint();
    await settle();
    expect(wire.argsOf('app.painted')).toHaveLength(times);
  });
});

describe('a refresh', () => {
  it('says when it will be possible again if the cache rules permit nothing yet', async () => {
    const notDue = { status: 'notDue', requests: 0, added: 0, revised: 0, withdrawn: 0, skipped: 0 } as const;
    const soon = new Date(NOW + 40_000).toISOString();
    const later = new Date(NOW + 300_000).toISOString();
    const resources = { items: { ...notDue, permittedAt: later }, selected: { ...notDue, permittedAt: soon } };
    wire.answer('sync.run', () => ({ resources }) as never);
    await app.sync.refresh();
    expect(app.toasts.note?.text).toContain('in 40 s.');
  });

  it('says nothing if something was fetched', async () => {
    wire.pass(600_000);
    await app.sync.refresh();
    expect(app.toasts.note).toBeNull();
  });
});

describe('reading', () => {
  it('marks an item as read when it is opened', async () => {
    app.items.open(app.feed.list.at(2)!);
    expect(app.reading.item?.state.readAt).not.toBeNull();
    await settle();
    expect((await wire.stateOf('item-2')).readAt).not.toBeNull();
  });

  it('steps through the list, and stops at its ends', () => {
    app.actions.step(1);
    expect(app.reading.item?.id).toBe('item-0');
    app.actions.step(1);
    app.actions.step(-1);
    app.actions.step(-1);
    expect(app.reading.item?.id).toBe('item-0');
  });

  it('continues from the same place if the open item has left the list', async () => {
    app.items.open(app.feed.list.at(4)!);
    await settle();
    await wire.withdraw('item-4');
    await app.feed.reload();
    app.actions.step(1);
    expect(app.reading.item?.id).toBe('item-5');
  });

  it('keeps the open item when it is withdrawn, and says so', async () => {
    let loss: string | null = null;
    onTestFinished(effect(() => void (loss = app.reading.item && app.reading.lossOf(app.reading.item))));
    app.items.open(app.feed.list.at(4)!);
    await wire.withdraw('item-4');
    await settle();
    expect(app.reading.item?.id).toBe('item-4');
    expect(loss).toBe('withdrawn');
  });

  it('shows a revision of the open item in place', async () => {
    onTestFinished(effect(() => void app.reading.itemIn('feed')));
    app.items.open(app.feed.list.at(4)!);
    await wire.revise('item-4', { title: 'Put right' });
    await settle();
    expect(app.reading.item?.title).toBe('Put right');
  });

  it('undoes a change that failed', async () => {
    wire.failing.set('items.mark', { code: 'disk_full', message: '', retryable: true });
    app.items.open(app.feed.list.at(0)!);
    await settle();
    expect(app.feed.list.at(0)?.state.readAt).toBeNull();
    expect(app.toasts.note?.tone).toBe('problem');
  });
});

describe('mark all read', () => {
  it('offers to undo it, and does', async () => {
    await app.items.markAllRead();
    expect(app.toasts.note?.text).toBe('10 items marked as read');
    app.toasts.note?.action?.run();
    await settle();
    expect((await wire.stored()).every((row) => row.state.readAt === null)).toBe(true);
    expect(app.toasts.note?.text).toBe('10 items marked as unread');
  });

  it('says when there was nothing to mark', async () => {
    await app.items.markAllRead();
    await app.items.markAllRead();
    expect(app.toasts.note?.action).toBeUndefined();
  });
});

describe('links', () => {
  it('are opened by the host if it can', () => {
    app.links.open('https://news.example/x');
    expect(wire.calls.at(-1)).toEqual({ method: 'links.open', args: { url: 'https://news.example/x' } });
  });

  it('are otherwise opened by the page, without access to their opener', async () => {
    wire.capabilities = { ...wire.capabilities, opensLinks: false };
    await app.settings.load();
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    app.links.open('https://news.example/x');
    expect(open).toHaveBeenCalledWith('https://news.example/x', '_blank', 'noopener,noreferrer');
    open.mockRestore();
  });

  it('are refused if they are not web links', () => {
    app.links.open('javascript:alert(1)');
    expect(wire.argsOf('links.open')).toEqual([]);
    expect(app.toasts.note?.tone).toBe('problem');
  });
});

describe('the first download', () => {
  it('leaves the list where it is when it is complete, and counts what belongs above', async () => {
    await wire.setStatus({ selectedComplete: false });
    await settle();
    await wire.arrive([madeUpRow(0, NOW, { id: 'late', inSelectedSet: true })]);
    await wire.setStatus({ selectedComplete: true });
    await settle();
    expect([app.feed.list.at(0)?.id, app.feed.list.fresh.count]).toEqual(['item-0', 1]);
    await app.feed.list.showFresh();
    expect(app.feed.list.at(0)?.id).toBe('late');
  });
});

describe('another news source', () => {
  it('has its own list, and closes what is open of the old one', async () => {
    app.items.open(app.feed.list.at(0)!);
    await settle();
    const other = await startDemoService({ clock: wire.app.clock, content: { selected: 0, unselected: 0 } });
    onTestFinished(() => other.close());
    other.control.addItem({ id: 'theirs' });
    await wire.ask('settings.set', { patch: { newsAddress: other.newsAddress } });
    await wire.sync();
    await settle();
    expect(listed(app.feed.list).map((row) => row?.id)).toEqual(['theirs']);
    expect(app.reading.item).toBeNull();
  });
});

describe('replaced data', () => {
  beforeEach(async () => {
    ({ app } = await openPage(wire));
  });

  it('is read again by everything that shows or counts it, and what is open stays open', async () => {
    const open = app.feed.list.at(0)!;
    app.items.open(open);
    app.navigation.showView('hotTopics');
    app.navigation.showView('stories');
    await settle();
    wire.calls.length = 0;
    wire.emit('data.replaced', {});
    await settle();
    expect([...new Set(wire.calls.map(({ method }) => method))].sort()).toEqual([
      'app.capabilities',
      'counts.get',
      'hotTopics.list',
      'items.context',
      'items.get',
      'items.page',
      'items.places',
      'items.rows',
      'mutes.list',
      'notes.get',
      'notes.keys',
      'notifications.list',
      'saved.list',
      'settings.get',
      'stories.list',
      'sync.status',
      'today.get',
      'visits.sinceLast',
    ]);
    expect(app.reading.item?.id).toBe(open.id);
  });

  it('of another service closes what is open of the one before', async () => {
    app.items.open(app.feed.list.at(0)!);
    await settle();
    wire.answer('sync.status', async () => ({ ...(await wire.ask('sync.status', {})), source: OTHER }));
    wire.emit('data.replaced', {});
    await settle();
    expect(app.history.isPreview('feed')).toBe(true);
  });
});

describe('settings', () => {
  it('change the language of the page', async () => {
    await app.settings.set({ language: 'zh-CN' });
    expect(document.documentElement.lang).toBe('zh-CN');
    await app.settings.set({ language: 'en' });
  });
});
