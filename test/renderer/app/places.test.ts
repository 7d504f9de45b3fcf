import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../src-main/contract/model/resource.ts';
import App from '../../../src-renderer/app/App.svelte';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { parseEntry } from '../../../src-renderer/app/history.svelte.ts';
import { NOW, openCore, type CoreWire } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';
import { waitFor } from '../support/wait.ts';

/** Forty selected items, of which every second is a paper. */
const items = Array.from({ length: 40 }, (_, n) =>
  madeUpRow(n, NOW, { inSelectedSet: true, category: n % 2 === 0 ? 'paper' : 'industry' }),
);

let wire: CoreWire;
let app: AppState;
/** One of each that the service made of the items. */
let ids: Record<'story' | 'daily' | 'topic', string>;

/** The page, as after a start: without a history of the window. */
async function start({ starts = false } = {}): Promise<void> {
  history.replaceState(null, '');
  ({ app } = await openPage(wire, { starts }));
  await waitFor(() => expect(app.location.isShown).toBe(true));
  await settle();
}

/** Stays until the location has its own entry in the history of the window: shorter stays get none. */
async function stay(): Promise<void> {
  await settle();
  const noted = (): string => (history.state as { broadsheet: string }).broadsheet;
  await waitFor(() => expect(parseEntry(noted())?.location).toEqual(app.history.location));
  await settle();
}

/** Goes back or forward by a key, until it has arrived. */
async function walk(key: string): Promise<void> {
  const arrived = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  await fireEvent.keyDown(document.activeElement ?? window, { key });
  await arrived;
  await settle();
  await settle();
}

/** The page is closed, and what it saved is there for the next one. */
function leave(): void {
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
}

async function open(index: number): Promise<void> {
  app.items.openRow(app.feed.list.at(index)!);
  await settle();
}

beforeEach(async () => {
  wire = await openCore({ items, synced: RESOURCES, settings: { foldStories: false } });
  const [story] = (await wire.ask('stories.list', { which: 'all' })).stories;
  const [daily] = (await wire.ask('reports.index', { kind: 'daily' })).lines;
  const [topic] = (await wire.ask('hotTopics.list', {})).topics;
  ids = { story: story!.publicId, daily: daily!.label, topic: topic!.id };
});

describe('the place that was saved', () => {
  it('is asked for with the first calls, without waiting for the part of the page that shows it', async () => {
    history.replaceState(null, '');
    const asked = wire.calls.length;
    const next = new AppState(wire);
    const loaded = next.load();
    const first = wire.calls.slice(asked).map(({ method }) => method);
    expect(first.filter((method) => method === 'app.lastPlace')).toHaveLength(1);
    await loaded;
    const all = wire.calls.slice(asked).map(({ method }) => method);
    expect(all.filter((method) => method === 'app.lastPlace')).toHaveLength(1);
  });

  it('is the start if what was saved is no location', async () => {
    wire.answer('app.lastPlace', () => ({ place: '{"shown":null}', savedAt: new Date(NOW).toISOString() }));
    await start({ starts: true });
    expect([app.views.current, app.feed.list.phase, app.toasts.note]).toEqual(['today', 'ready', null]);
  });
});

describe('the place of the reader', () => {
  beforeEach(() => start());

  it('is not shown over what the reader opened while the page was starting', async () => {
    app.navigation.openStory(ids.story);
    await settle();
    leave();
    const letGo = wire.hold('items.page');
    history.replaceState(null, '');
    const asked = wire.calls.length;
    const next = new AppState(wire);
    const loaded = next.load();
    render(App, { app: next });
    await waitFor(() => expect(wire.calls.slice(asked).map(({ method }) => method)).toContain('items.page'));
    await fireEvent.pointerDown(document.body);
    next.navigation.showView('sources');
    letGo();
    await loaded;
    await settle();
    expect(next.views.current).toBe('sources');
  });

  const places: [what: string, go: () => unknown, state: () => unknown, wanted: () => unknown][] = [
    [
      'a topic',
      () => app.navigation.openTopic(ids.topic),
      () => [app.views.current, app.views.hotTopics.topic?.id],
      () => ['hotTopics', ids.topic],
    ],
    [
      'the sources, filtered',
      async () => {
        app.navigation.showView('sources');
        await settle();
        app.views.sources.search('wire');
      },
      () => [app.views.current, app.views.sources.text],
      () => ['sources', 'wire'],
    ],
    [
      'the models, filtered',
      async () => {
        app.navigation.showView('models');
        await waitFor(() => expect(() => app.views.models.table).not.toThrow());
        app.views.models.words = 'north';
      },
      () => [app.views.current, app.views.models.words],
      () => ['models', 'north'],
    ],
  ];

  it('is there after a restart, whatever it is', async () => {
    for (const [what, go, state, wanted] of places) {
      await go();
      await settle();
      leave();
      await start({ starts: true });
      expect([what, state()]).toEqual([what, wanted()]);
    }
  });

  it('does not mark again what was marked as unread by hand', async () => {
    await open(3);
    app.actions.toggleRead();
    await settle();
    leave();
    await start({ starts: true });
    expect([app.reading.item?.id, app.reading.item?.state.readAt]).toEqual(['item-3', null]);
    expect((await wire.stateOf('item-3')).readAt).toBeNull();
  });

  it('stays open while it can’t be read', async () => {
    await open(5);
    leave();
    wire.failing.set('items.get', { code: 'disk_full', message: '', retryable: true });
    await start({ starts: true });
    expect([app.reading.item, app.history.location.open]).toEqual([null, [{ view: 'item', id: 'item-5' }]]);
    wire.failing.delete('items.get');
    wire.emit('engine.changed', { running: true });
    await settle();
    expect(app.reading.item?.id).toBe('item-5');
  });

  it('is the view of what is gone, without an error', async () => {
    await open(5);
    leave();
    await wire.withdraw('item-5');
    await start({ starts: true });
    expect([app.views.current, app.history.isPreview('feed'), app.toasts.note]).toEqual(['feed', true, null]);
    app.navigation.openReport('daily', ids.daily);
    leave();
    const gone = { code: 'not_found', message: '', retryable: false } as const;
    for (const method of ['reports.get', 'reports.open'] as const) wire.failing.set(method, gone);
    await start({ starts: true });
    expect([app.views.current, app.toasts.note]).toEqual(['archive', null]);
  });

  it('is Today at the first start of another day', async () => {
    await open(5);
    leave();
    wire.pass(24 * 3_600_000);
    await start({ starts: true });
    expect([app.views.current, app.reading.item]).toEqual(['today', null]);
    leave();
    await start({ starts: true });
    expect(app.views.current).toBe('today');
  });
});

describe('another list and back', () => {
  beforeEach(() => start());

  it('has the same item and the same part of the article', async () => {
    const text = document.querySelector<HTMLElement>('#feed-reading .scroller')!;
    await open(9);
    text.scrollTop = 250;
    await fireEvent.scroll(text);
    app.navigation.show({ kind: 'everything' });
    await settle();
    await open(20);
    app.navigation.show({ kind: 'selected' });
    await settle();
    await settle();
    expect([app.reading.item?.id, text.scrollTop]).toEqual(['item-9', 250]);
  });
});

describe('the history of places', () => {
  beforeEach(() => start());

  it('has keys that can be changed, says where it ends, and goes by mouse, menu and browser', async () => {
    await fireEvent.keyDown(window, { key: '[' });
    expect(app.announcer.said.at(-1)?.text).toBe('Nothing to go back to');
    app.navigation.showView('notes');
    await stay();
    await walk('[');
    expect(app.views.current).toBe('feed');
    await walk(']');
    await app.settings.set({ shortcuts: { historyBack: 'b' } });
    await walk('b');
    expect(app.views.current).toBe('feed');
    app.navigation.showView('notes');
    await stay();
    const press = (button: number) => void fireEvent.mouseUp(window, { button });
    for (const go of [
      () => press(3),
      () => press(4),
      () => wire.emit('app.command', { command: 'back' }),
      () => wire.emit('app.command', { command: 'forward' }),
      () => history.back(),
      () => history.forward(),
    ]) {
      const arrived = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
      const before = app.views.current;
      go();
      await arrived;
      await settle();
      expect(app.views.current).toBe(before === 'feed' ? 'notes' : 'feed');
    }
  });

  it('ignores what another page left in the history', async () => {
    for (const state of [null, 7, { broadsheet: 5, at: 0 }, { broadsheet: '{}', at: 0 }, { broadsheet: 'x', at: -1 }]) {
      window.dispatchEvent(new PopStateEvent('popstate', { state }));
    }
    await settle();
    expect([app.views.current, app.toasts.note]).toEqual(['feed', null]);
  });
});
