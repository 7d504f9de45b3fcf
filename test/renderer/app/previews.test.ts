import { cleanup, fireEvent, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { topicKey } from '../../../src-renderer/features/topics/index.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { NOW, openCore, STORIES, type CoreWire } from '../support/core.ts';
import { stubWindowWidth } from '../support/narrow-window.ts';
import { openPage } from '../support/page.ts';
import { clickOn, press } from '../support/reader.ts';
import { settle } from '../support/settle.ts';
import { openOn, pressGo, show } from '../support/shown-view.ts';

let app: AppState;
let wire: CoreWire;

afterEach(() => vi.unstubAllGlobals());

/** Everything that counts as read, or as seen, or is opened at the service for the reader. */
const marked = (): number =>
  (['items.mark', 'stories.open', 'reports.mark', 'reports.markCitations'] as const).reduce(
    (sum, method) => sum + wire.argsOf(method).length,
    0,
  );
const reading = (view: string): HTMLElement => document.querySelector<HTMLElement>(`#${view}-reading`)!;

describe('a list with nothing open', () => {
  beforeEach(async () => {
    ({ app, wire } = await openOn(STORIES, { withoutRows: true }));
  });

  it('of topics shows the first, which is read when the reader takes it up', async () => {
    await show('Topics');
    const [first] = app.views.hotTopics.topics;
    expect([app.views.hotTopics.topic, marked()]).toEqual([first, 0]);
    await press('j');
    expect([app.views.hotTopics.topic?.id, wire.argsOf('items.mark').length]).toEqual([first?.id, 1]);
    await press('j');
    expect(app.views.hotTopics.place).toBe(1);
  });

  it('of all topics shows the first, whose news stay new', async () => {
    await show('Topics', 'All');
    const { stories } = app.views;
    const opened = stories.id ?? (stories.topic && topicKey(stories.topic));
    expect([opened, marked()]).toEqual([stories.lines[0]?.publicId, 0]);
    // A hot topic may have no story.
    const first = stories.lines.find(({ reportCount }) => reportCount !== null)!;
    stories.open(first.publicId);
    await settle();
    expect(wire.argsOf('stories.open')).toEqual([{ publicId: first.publicId }]);
  });
});

const state = (): unknown[] => [app.reading.item?.id, app.history.isPreview('feed'), marked()];

describe('a list of items with nothing open', () => {
  const READ = { readAt: new Date(NOW).toISOString(), starredAt: null };

  /** Twelve picks, of which the first two are read. */
  async function openItems(): Promise<void> {
    const items = Array.from({ length: 12 }, (_, n) =>
      madeUpRow(n, NOW, { inSelectedSet: n < 11, category: n === 4 ? 'paper' : 'tip', ...(n < 2 && { state: READ }) }),
    );
    wire = await openCore({ items });
    ({ app } = await openPage(wire));
  }
  const row = (n: number): HTMLElement => document.getElementById(`item-item-${n}`)!;

  beforeEach(openItems);

  it('shows the first unread, without opening it or moving focus or list, under another view, too, but not for a search or a source', async () => {
    expect(state()).toEqual(['item-2', true, 0]);
    expect(row(2).getAttribute('aria-selected')).toBe('true');
    expect([app.feed.cursor.active, document.activeElement]).toEqual([-1, document.body]);
    await pressGo('e');
    expect(state()).toEqual(['item-2', true, 0]);
    expect(document.activeElement?.id).toBe('item-list');
    await show('Topics');
    await pressGo('f');
    expect(state()).toEqual(['item-2', true, 0]);
    await pressGo('f');
    expect(state()).toEqual(['item-2', true, 0]);
    for (const view of [{ kind: 'source', source: 'Papers Weekly' }, { kind: 'starred' }, { kind: 'muted' }] as const) {
      app.navigation.show(view);
      await settle();
      expect(app.history.in('feed').open).toEqual([]);
    }
    app.feed.search('item');
    await settle();
    expect(app.history.in('feed').open).toEqual([]);
  });

  it.each(['j', 'n', 'ArrowUp', 'Enter', ' '])('opens that first by %s', async (key) => {
    document.getElementById('item-list')!.focus();
    await press(key);
    expect(state()).toEqual(['item-2', false, 1]);
    expect(app.feed.cursor.active).toBe(2);
    await press('j');
    expect(state()).toEqual(['item-3', false, 2]);
  });

  it('opens it by a click on its row, and another without marking it', async () => {
    await clickOn(row(5));
    expect([...state(), wire.argsOf('items.mark')[0]?.ids]).toEqual(['item-5', false, 1, ['item-5']]);
    cleanup();
    await openItems();
    await clickOn(row(2));
    expect(state()).toEqual(['item-2', false, 1]);
  });

  it('counts it as read by scrolling it', async () => {
    await fireEvent.wheel(reading('feed').querySelector('h2, h1')!);
    await settle();
    expect(state()).toEqual(['item-2', false, 1]);
  });

  it('counts it only as the settings say', async () => {
    await app.settings.set({ countsAsRead: 'byHand' });
    await fireEvent.pointerDown(reading('feed'));
    await settle();
    expect(state()).toEqual(['item-2', false, 0]);
  });

  it('shows that of another list, and of other filters, and what was opened there again', async () => {
    app.feed.filter({ ...app.feed.query, category: 'paper' });
    await settle();
    expect(state()).toEqual(['item-4', true, 0]);
    await pressGo('e');
    expect(state()).toEqual(['item-2', true, 0]);
    await clickOn(row(11));
    await pressGo('f');
    expect(state()).toEqual(['item-4', true, 1]);
    await pressGo('e');
    expect(state()).toEqual(['item-11', false, 1]);
  });
});

describe('a list of one item with nothing open', () => {
  beforeEach(async () => {
    wire = await openCore({ items: [madeUpRow(0, NOW, { inSelectedSet: true })] });
  });

  it('gives way to the list in a window that becomes narrow', async () => {
    const changes = stubWindowWidth(1440);
    ({ app } = await openPage(wire));
    expect(state()).toEqual(['item-0', true, 0]);
    for (let times = 0; times < 2; times += 1) {
      changes(480);
      await settle();
      expect(state()).toEqual([undefined, false, 0]);
      // As printing does for a moment.
      changes(1440);
      await settle();
      expect(state()).toEqual(['item-0', true, 0]);
    }
    expect(reading('feed').querySelector('article')).not.toBeNull();
  });

  it('says that it could not be read, instead of an empty pane, and reads it again', async () => {
    wire.failing.set('items.get', { code: 'internal', message: 'Not read.', retryable: false });
    ({ app } = await openPage(wire));
    expect(state()).toEqual([undefined, true, 0]);
    wire.failing.clear();
    await clickOn(within(reading('feed')).getByRole('button', { name: 'Try again' }));
    expect(state()).toEqual(['item-0', true, 0]);
    expect(reading('feed').querySelector('article')).not.toBeNull();
  });
});

describe('another list', () => {
  it('leaves no article of the one before in the pane', async () => {
    const items = [
      madeUpRow(0, NOW, { inSelectedSet: true, category: 'paper' }),
      madeUpRow(1, NOW, { inSelectedSet: false, category: 'tip' }),
    ];
    ({ app } = await openPage(await openCore({ items })));
    await pressGo('e');
    app.items.open(app.feed.list.at(1)!);
    await settle();
    await pressGo('f');
    expect([app.reading.item?.id, app.history.isPreview('feed')]).toEqual(['item-0', true]);
    await pressGo('e');
    expect(app.reading.item?.id).toBe('item-1');
    app.items.open(app.feed.list.at(0)!);
    await pressGo('f');
    expect(app.reading.item?.id).toBe('item-0');
  });
});
