import { cleanup, fireEvent } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { NOW, openCore, STORIES, type CoreWire } from '../support/core.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';
import { chooseTab, openOn, pressGo, show, shown } from '../support/shown-view.ts';

let app: AppState;
let wire: CoreWire;

beforeEach(async () => {
  ({ app, wire } = await openOn(STORIES));
});
afterEach(() => vi.unstubAllGlobals());

const press = async (key: string): Promise<void> => {
  await fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await settle();
};
/** Everything that counts as read, or as seen, or is opened at the service for the reader. */
const marked = (): number =>
  (['items.mark', 'stories.open', 'reports.mark', 'reports.markCitations'] as const).reduce(
    (sum, method) => sum + wire.argsOf(method).length,
    0,
  );
const reading = (view: string): HTMLElement => document.querySelector<HTMLElement>(`#${view}-reading`)!;

describe('a list with nothing open', () => {
  it('of topics shows the first, which is read when the reader takes it up', async () => {
    await show('Topics');
    const [first] = app.views.hotTopics.topics;
    expect([app.views.hotTopics.topic, marked()]).toEqual([first, 0]);
    await press('j');
    expect([app.views.hotTopics.topic?.id, wire.argsOf('items.mark').length]).toEqual([first?.id, 1]);
    await press('j');
    expect(app.views.hotTopics.place).toBe(1);
  });

  it.each(['pointerDown', 'wheel', 'keyDown'] as const)('counts as read by %s in its pane', async (event) => {
    await show('Topics');
    expect(marked()).toBe(0);
    await fireEvent[event](reading('hotTopics').querySelector('h2, h1')!);
    await settle();
    expect(wire.argsOf('items.mark')).toHaveLength(1);
    expect(app.history.isPreview('hotTopics')).toBe(false);
  });

  it('of all topics shows the first, whose news stay new', async () => {
    await show('Topics', 'All');
    const [first] = app.views.stories.lines;
    expect([app.views.stories.id, marked()]).toEqual([first?.publicId, 0]);
    app.views.stories.open(first!.publicId);
    await settle();
    expect(wire.argsOf('stories.open')).toEqual([{ publicId: first!.publicId }]);
  });

  it('of reports shows the newest of its kind', async () => {
    await show('Reports');
    const newest = app.views.archive.lines('daily')[0]!;
    expect([app.views.archive.open, marked()]).toMatchObject([{ kind: 'daily', label: newest.label }, 0]);
    expect(shown().getAllByRole('heading', { level: 2 }).length).toBeGreaterThan(0);
    await chooseTab('Weeklies');
    expect(app.views.archive.open?.kind ?? 'weekly').toBe('weekly');
  });

  it('keeps what was read there last', async () => {
    await show('Topics', 'All');
    const [, second] = app.views.stories.lines;
    app.views.stories.open(second!.publicId);
    await settle();
    await pressGo('e');
    await pressGo('s');
    expect(app.views.stories.id).toBe(second!.publicId);
  });

  it('is saved, and found by going back, without its preview', async () => {
    await show('Topics');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await settle();
    expect(wire.argsOf('app.savePlace').at(-1)?.place).toMatch(/^hotTopics#/);
    expect(app.recents.shown).toEqual([]);
  });

  it('stays empty in a window of one pane', async () => {
    cleanup();
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: false,
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    ({ app } = await openPage(await openCore(STORIES)));
    app.navigation.showView('hotTopics');
    await settle();
    expect([app.layout.panes, app.views.hotTopics.topic]).toEqual(['one', null]);
  });
});

describe('another list', () => {
  it('leaves no article of the one before in the pane', async () => {
    cleanup();
    const items = [
      madeUpRow(0, NOW, { inSelectedSet: true, category: 'paper' }),
      madeUpRow(1, NOW, { inSelectedSet: false, category: 'tip' }),
    ];
    ({ app } = await openPage(await openCore({ items })));
    await pressGo('e');
    app.items.open(app.feed.list.at(1)!);
    await settle();
    await pressGo('f');
    expect(app.reading.item).toBeNull();
    await pressGo('e');
    expect(app.reading.item?.id).toBe('item-1');
    app.items.open(app.feed.list.at(0)!);
    await pressGo('f');
    expect(app.reading.item?.id).toBe('item-0');
  });

  it('of topics opens its own first', async () => {
    await show('Topics', 'All');
    await chooseTab('Following');
    expect(app.views.stories.id).toBeNull();
  });
});
