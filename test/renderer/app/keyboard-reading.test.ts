import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { WAIT_MS } from '../../../src-renderer/app/keyboard/key-sequence.svelte.ts';
import { markKeyUse } from '../../../src-renderer/ui/focus-regions.ts';
import { NOW, openCore, STORIES, type CoreOptions, type CoreWire } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { openPage } from '../support/page.ts';
import { clickOn, keyDown } from '../support/reader.ts';
import { settle } from '../support/settle.ts';
import { waitFor } from '../support/wait.ts';
const UNREAD = { readAt: null, starredAt: null };
const READ = { readAt: new Date(NOW).toISOString(), starredAt: null };

let wire: CoreWire;
let app: AppState;

async function openOn(options: CoreOptions): Promise<void> {
  wire = await openCore(options);
  ({ app } = await openPage(wire));
}

/** Twelve items, the first six selected; those named are read. */
function openWith(read: readonly number[] = []): Promise<void> {
  const items = Array.from({ length: 12 }, (_, n) =>
    madeUpRow(n, NOW, { inSelectedSet: n < 6, state: read.includes(n) ? READ : UNREAD }),
  );
  return openOn({ items });
}

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    const shiftKey = key === 'Shift+ ';
    const init = { key: shiftKey ? ' ' : key, shiftKey, cancelable: true };
    await keyDown(document.activeElement ?? document.body, init);
    await settle();
  }
}

/** As {@link press}, but stays after each until that is noted; a preview that is taken up is no move. */
async function stay(...keys: string[]): Promise<void> {
  const at = (): unknown => (history.state as { at: number }).at;
  for (const key of keys) {
    const before = app.history.isPreview('feed') ? null : at();
    await press(key);
    await waitFor(() => expect(at()).not.toBe(before));
    await settle();
    await settle();
  }
}

const open = (): string | undefined => app.reading.item?.id;
const listbox = (): HTMLElement => screen.getByRole('listbox');
const said = (): string[] =>
  screen
    .getAllByRole('status')
    .flatMap((region) => [...region.querySelectorAll('p, .toast')].map((one) => one.textContent.trim()));

describe('n', () => {
  it('goes on to the next list with unread items at the end, and says so', async () => {
    await openWith([3, 4, 5, 6, 7]);
    await press('n', 'n', 'n');
    expect(open()).toBe('item-2');
    await press('n');
    expect([open(), app.feed.list.query.scope]).toEqual(['item-8', 'all']);
    expect(said()).toContain('Next: All items, 4 unread');
    expect(document.activeElement).toBe(listbox());
  });

  it('finds an unread item far below, where no rows are loaded', async () => {
    const items = Array.from({ length: 1_000 }, (_, n) =>
      madeUpRow(n, NOW, { inSelectedSet: true, state: n === 900 ? UNREAD : READ }),
    );
    await openOn({ items });
    await press('n');
    await waitFor(() => expect(open()).toBe('item-900'));
    expect(app.feed.placeOf('item-900')).toBe(900);
  });

  it('goes on from a list with filters to the whole one', async () => {
    await openWith();
    app.navigation.show({ kind: 'category', category: 'ai-models' });
    await settle();
    await press('n');
    expect(open()).toBe('item-0');
    await press('n');
    const { category, scope } = app.feed.list.query;
    expect([category, scope, open()]).toEqual([undefined, 'selected', 'item-1']);
  });

  it('goes through the topics that were not read', async () => {
    await openOn(STORIES);
    await press('g', 'h');
    await waitFor(() => screen.getByRole('heading', { name: 'Topics' }));
    await settle();
    const unread = app.views.hotTopics.ranking.value!.topics.filter(({ readAt }) => readAt === null);
    await press('n');
    expect(app.views.hotTopics.topic?.id).toBe(unread[0]?.id);
  });
});

describe('p', () => {
  it('goes back through what was read', async () => {
    await openWith([3, 4, 5]);
    await stay('n', 'n', 'n', 'n');
    expect(open()).toBe('item-6');
    await stay('p');
    expect([open(), document.activeElement]).toEqual(['item-2', listbox()]);
    await stay('p', 'p');
    expect(open()).toBe('item-0');
    await press('p');
    expect(open()).toBe('item-0');
    expect(said()).toContain('Nothing was read before this');
  });
});

describe('the space bar', () => {
  beforeEach(() => openWith());

  const text = (): HTMLElement => document.querySelector<HTMLElement>('#feed-reading .scroller')!;
  const lay = (clientHeight: number, scrollHeight: number): void => {
    for (const [name, value] of Object.entries({ clientHeight, scrollHeight })) {
      Object.defineProperty(text(), name, { configurable: true, value });
    }
  };

  it('scrolls the article by a page with an overlap, then opens the next unread', async () => {
    await press('j');
    lay(500, 1_100);
    await press(' ');
    expect([open(), text().scrollTop]).toEqual(['item-0', 436]);
    text().scrollTop = 600;
    await press(' ');
    expect([open(), text().scrollTop]).toEqual(['item-1', 0]);
    expect(document.activeElement).toBe(listbox());
  });

  it('goes back with Shift: up, then to what was read before', async () => {
    await stay('j', 'j');
    lay(500, 1_100);
    text().scrollTop = 400;
    await press('Shift+ ');
    expect([open(), text().scrollTop]).toEqual(['item-1', expect.closeTo(-36)]);
    text().scrollTop = 0;
    await stay('Shift+ ');
    expect(open()).toBe('item-0');
  });

  it('pages after a click on a button, which takes it only if keys led there', async () => {
    markKeyUse(document.documentElement);
    await press('j');
    lay(500, 1_100);
    const star = within(document.querySelector<HTMLElement>('#feed-reading')!).getByRole('button', {
      name: 'Save with a star',
    });
    await fireEvent.pointerDown(star);
    star.focus();
    await clickOn(star);
    await press(' ');
    expect([text().scrollTop, document.activeElement]).toEqual([436, text()]);
    star.focus();
    await press(' ');
    expect([text().scrollTop, document.activeElement]).toEqual([436, star]);
  });
});

describe('g', () => {
  beforeEach(() => openWith());

  const hint = (): Element | null => document.querySelector('.key-hint');

  it('shows what may follow, goes there, and ends after a while, by Esc, or by a key that means nothing', async () => {
    await press('g');
    expect(hint()?.textContent).toContain('Latest daily');
    await press('e');
    expect([hint(), app.feed.list.query.scope, document.activeElement]).toEqual([null, 'all', listbox()]);
    expect(said()).toContain('View: All items');
    vi.useFakeTimers();
    await press('g');
    vi.advanceTimersByTime(WAIT_MS);
    vi.useRealTimers();
    await settle();
    expect(hint()).toBeNull();
    await press('s');
    expect(app.views.current).toBe('feed');
    await press('j', 'g', 'Escape', 'g', 'x', 'j');
    expect([hint(), open()]).toEqual([null, 'item-1']);
  });
});

describe('in a report', () => {
  beforeEach(async () => {
    await openOn(STORIES);
    await press('g', 'd');
    await waitFor(() => expect(document.querySelectorAll('#archive-reading .citation').length).toBeGreaterThan(2));
    await settle();
  });

  const stops = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('#archive-reading .citation')];

  it('n goes on to the unread items at its end', async () => {
    for (const _ of stops()) await press('j');
    await press('n');
    expect(app.views.archive.place).toBe('end');
    expect(document.activeElement?.id).toBe('report-end');
    const { unread } = app.counts!.selected;
    await press('n');
    expect([app.views.current, open()]).toEqual(['feed', app.feed.list.at(0)?.id]);
    expect(said()).toContain(`Next: Picks, ${String(unread)} unread`);
  });

  it('h goes back to where the daily was opened, and in Reports to their list', async () => {
    await press('h');
    await waitFor(() => expect(app.views.current).toBe('feed'));
    await press('g', 'a', 'l');
    expect(document.activeElement?.closest('#archive-reading')).not.toBeNull();
    await press('h');
    expect(document.activeElement?.closest('#archive-list')).not.toBeNull();
    expect(within(document.querySelector<HTMLElement>('#archive-list')!).getAllByRole('button').length).toBeGreaterThan(
      0,
    );
  });
});
