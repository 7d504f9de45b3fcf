import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDemoService } from '../../../src-main/demo/service.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { effect } from '../support/effects.svelte.ts';
import { NOW, openCore, unreadPicks, type CoreWire } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { listed } from '../support/listed.ts';
import { openApp, openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  wire = await openCore({ items: unreadPicks(10) });
  app = await openApp(wire);
});

describe('reading', () => {
  it('continues from the same place if the open item has left the list', async () => {
    app.items.open(app.feed.list.at(4)!);
    await settle();
    await wire.withdraw('item-4');
    await app.feed.reload();
    app.actions.step(1);
    expect(app.reading.item?.id).toBe('item-5');
  });

  it('shows a revision of the open item in place, and keeps it when it is withdrawn, which it says', async () => {
    let shown: unknown[] = [];
    const look = (): void => {
      const item = app.reading.itemIn('feed');
      shown = [item?.id, item?.title, item && app.reading.lossOf(item)];
    };
    onTestFinished(effect(look));
    app.items.open(app.feed.list.at(4)!);
    await wire.revise('item-4', { title: 'Put right' });
    await settle();
    expect(shown).toEqual(['item-4', 'Put right', null]);
    await wire.withdraw('item-4');
    await settle();
    expect(shown).toEqual(['item-4', 'Put right', 'withdrawn']);
  });
});

describe('links', () => {
  it('are otherwise opened by the page, without access to their opener', async () => {
    wire.capabilities = { ...wire.capabilities, opensLinks: false };
    await app.settings.load();
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    app.links.open('https://news.example/x');
    expect(open).toHaveBeenCalledWith('https://news.example/x', '_blank', 'noopener,noreferrer');
    open.mockRestore();
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
});
