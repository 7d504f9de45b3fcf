import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ItemStory } from '../../../../src-main/contract/model/item.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import type { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, openWithItems, shown } from '../../support/shown-view.ts';

askShownView();

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();

let wire: MemoryWire;
let app: AppState;

beforeEach(async () => {
  ({ app, wire } = await openWithItems(NOW));
});

const story = (publicId: string, changes: Partial<ItemStory> = {}): ItemStory => ({
  publicId,
  title: `About ${publicId}`,
  reportCount: 8,
  followedAt: null,
  goneAt: null,
  ...changes,
});

async function openItem(index: number): Promise<void> {
  app.items.open(wire.rows[index]!);
  await settle();
}

describe('an item that belongs to a story', () => {
  const partOf = (): HTMLElement => shown().getByRole('region', { name: 'Part of' });

  it('names it with its reports and its rank, and leads to its page', async () => {
    wire.contexts.set('item-0', { stories: [story('story-0')], topic: { id: 'topic-2', rank: 3 }, sameSource: [] });
    await openItem(0);
    expect(partOf().textContent.replace(/\s+/g, ' ')).toContain('8 articles');
    expect(within(partOf()).getByRole('button', { name: 'No. 3 in Hot topics' })).toBeTruthy();
    await click('button', 'About story-0');
    expect(app.views.current).toBe('stories');
    expect(app.views.stories.backStack.id).toBe('story-0');
  });

  it('follows it, and takes that back if it fails', async () => {
    wire.contexts.set('item-0', { stories: [story('story-0')], topic: null, sameSource: [] });
    await openItem(0);
    await click('button', 'Follow');
    expect(wire.calls.at(-1)?.args ?? null).not.toBeNull();
    expect(wire.calls.some(({ method }) => method === 'stories.follow')).toBe(true);
    expect(named('button', 'Following').getAttribute('aria-pressed')).toBe('true');
    wire.failing.set('stories.follow', { code: 'disk_full', message: 'full', retryable: false });
    await click('button', 'Following');
    expect(named('button', 'Following')).toBeTruthy();
    expect(app.toasts.note?.tone).toBe('problem');
  });

  it('is none for another item, nor for a story of which the answer comes too late', async () => {
    wire.contexts.set('item-0', { stories: [story('story-0')], topic: null, sameSource: [] });
    app.items.open(wire.rows[0]!);
    await openItem(1);
    expect(shown().queryByText('Part of')).toBeNull();
  });

  it('is read again when stories change', async () => {
    await openItem(0);
    expect(shown().queryByText('Part of')).toBeNull();
    wire.contexts.set('item-0', { stories: [story('new')], topic: null, sameSource: [] });
    wire.emit('stories.changed', { publicIds: ['new'] });
    await settle();
    expect(partOf()).toBeTruthy();
  });
});

describe('the end of an item', () => {
  it('names the neighbours in the list, and opens them', async () => {
    await openItem(1);
    const nav = shown().getByRole('navigation', { name: 'Previous and next item' });
    const [previous, next] = within(nav).getAllByRole('button');
    expect(previous!.textContent).toContain(wire.rows[0]!.title);
    expect(next!.textContent).toContain(wire.rows[2]!.title);
    await fireEvent.click(next!);
    await settle();
    expect(app.reading.item?.id).toBe('item-2');
  });

  it.each(['while the list is shown', 'before it was loaded'])('passes over what was withdrawn %s', async (when) => {
    await openItem(1);
    if (when === 'while the list is shown') wire.withdraw('item-2');
    else wire.rows = wire.rows.map((row) => (row.id === 'item-2' ? { ...row, withdrawnAt: row.effectiveAt } : row));
    if (when === 'before it was loaded') await app.feed.list.load();
    await settle();
    const nav = shown().getByRole('navigation', { name: 'Previous and next item' });
    expect(within(nav).getAllByRole('button')[1]!.textContent).toContain(
      wire.rows.find(({ id }) => id === 'item-3')!.title,
    );
    await app.items.step(1);
    expect(app.reading.item?.id).toBe('item-3');
    await app.items.step(-1);
    expect(app.reading.item?.id).toBe('item-1');
    wire.rows = wire.rows.map((row) => ({ ...row, state: { ...row.state, readAt: null } }));
    wire.emit('marks.changed', { ids: null });
    await settle();
    await app.items.stepUnread();
    expect(app.reading.item?.id).toBe('item-3');
  });

  it('follows the open item to its row in another list', async () => {
    await openItem(0);
    const [first, second, third] = wire.rows;
    wire.rows = [{ ...third!, withdrawnAt: third!.effectiveAt }, first!, second!];
    await app.feed.list.load();
    await settle();
    const nav = shown().getByRole('navigation', { name: 'Previous and next item' });
    const [next, ...others] = within(nav).getAllByRole('button');
    expect(next!.textContent).toContain(second!.title);
    expect(others).toEqual([]);
  });

  it('names none where the list ends', async () => {
    await openItem(0);
    const nav = shown().getByRole('navigation', { name: 'Previous and next item' });
    expect(within(nav).getAllByRole('button')).toHaveLength(1);
  });

  it('names other items of its source, which open in place; the next step returns to the list', async () => {
    const other = { ...wire.rows[5]!, id: 'elsewhere', title: 'Another one' };
    wire.contexts.set('item-3', { stories: [], topic: null, sameSource: [other] });
    await openItem(3);
    await click('button', /Another one/);
    expect(app.reading.item?.id).toBe('elsewhere');
    expect(app.views.current).toBe('feed');
    app.actions.step(1);
    await settle();
    expect(app.reading.item?.id).toBe('item-3');
  });
});

describe('the badge of selected items', () => {
  const badge = (): HTMLElement | null => document.querySelector('#feed-reading .seal');

  it('is only in lists that have others, too', async () => {
    await openItem(0);
    expect(badge()).toBeNull();
    app.navigation.show({ kind: 'everything' });
    await settle();
    await openItem(0);
    expect(badge()?.textContent).toBe('Selected');
    expect(screen.getAllByText('Selected').length).toBeGreaterThan(0);
  });
});
