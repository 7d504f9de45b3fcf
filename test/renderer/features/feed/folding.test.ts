import { fireEvent, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { listed } from '../../support/listed.ts';
import type { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, openWithItems, shown } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();

let wire: MemoryWire;
let app: AppState;

const options = (): HTMLElement[] => within(shown().getAllByRole('listbox').at(-1)!).getAllByRole('option');
const ids = (): string[] => options().map(({ id }) => id.replace('item-item-', ''));
const count = (): string | undefined => document.querySelector('#feed-list .count')?.textContent;

/** Twelve items, of which the fourth and fifth are reports of the story of the second. */
beforeEach(async () => {
  ({ app, wire } = await openWithItems(NOW));
  wire.folds.set('item-1', ['item-3', 'item-4']);
  wire.contexts.set('item-1', {
    stories: [{ publicId: 'story-0', title: 'One story', reportCount: 8, followedAt: null, goneAt: null }],
    topic: null,
    sameSource: [],
  });
  await app.feed.reload();
  await settle();
});

describe('rows of one story', () => {
  it('are one row with the number of the others; the list says how many items are folded', () => {
    expect(ids().slice(0, 4)).toEqual(['0', '1', '2', '5']);
    expect(options()[1]!.textContent).toContain('+2 reports');
    expect(count()).toBe('12 items, 2 folded');
    // The list has one focus: the number is not a tab stop.
    expect(options()[1]!.querySelectorAll('button, a, [tabindex]')).toHaveLength(0);
  });

  it('are listed by a click on the number, and the list comes back', async () => {
    await fireEvent.click(options()[1]!.querySelector('[data-folded]')!);
    await settle();
    await waitFor(() => named('heading', 'One story'), { timeout: 8_000 });
    expect(app.reading.item).toBeNull();
    expect(listed(app.feed.rows).map((row) => row?.id)).toEqual(['item-1', 'item-3', 'item-4']);
    app.actions.step(1);
    await settle();
    app.actions.step(1);
    await settle();
    expect(app.reading.item?.id).toBe('item-3');
    await click('button', 'Back to the list');
    expect(app.feed.overlay.kind).toBeNull();
  });

  it('are within reach of the keyboard from the open item', async () => {
    app.items.open(app.feed.list.at(1)!);
    await settle();
    await click('button', '2 more in this list');
    expect(app.feed.overlay.kind).toBe('folded');
  });

  it('say when the last of the others was read', async () => {
    const chip = (): Element => options()[1]!.querySelector('[data-folded]')!;
    expect(chip().className).toContain('news');
    for (const id of ['item-3', 'item-4']) await wire.call('items.mark', { ids: [id], mark: 'read' });
    await settle();
    expect(chip().className).not.toContain('news');
  });

  it('are shown one by one by a switch, which is kept, and where matches are shown', async () => {
    await click('button', 'One row per story');
    expect(ids().slice(0, 5)).toEqual(['0', '1', '2', '3', '4']);
    expect(wire.settings.foldStories).toBe(false);
    expect(count()).toBe('12 items');
    await click('button', 'One row per story');
    expect(ids().slice(0, 4)).toEqual(['0', '1', '2', '5']);
    app.navigation.show({ kind: 'unread' });
    await settle();
    expect(ids().slice(0, 5)).toEqual(['0', '1', '2', '4', '5']);
    expect(shown().queryByRole('button', { name: 'One row per story' })).toBeNull();
  });

  it('are all marked as read, and counted', async () => {
    const unread = wire.rows.filter(({ state }) => state.readAt === null).length;
    await app.items.markAllRead();
    await settle();
    expect(wire.rows.every(({ state }) => state.readAt !== null)).toBe(true);
    expect(app.toasts.note?.text).toBe(`${String(unread)} items marked as read`);
  });
});
