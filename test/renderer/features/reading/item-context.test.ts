import { cleanup, fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ItemContext, ItemStory } from '../../../../src-main/contract/model/item.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NEWS, openCore, type CoreWire } from '../../support/core.ts';
import { listed } from '../../support/listed.ts';
import { openPage } from '../../support/page.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, openOnItems, shown } from '../../support/shown-view.ts';

askShownView();

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  ({ app, wire } = await openOnItems());
});

const story = (publicId: string, changes: Partial<ItemStory> = {}): ItemStory => ({
  publicId,
  title: `About ${publicId}`,
  reportCount: 8,
  followedAt: null,
  goneAt: null,
  ...changes,
});

/** By id of the item. */
function answerContexts(contexts: Record<string, Partial<ItemContext>>): void {
  const none = { stories: [], topic: null, sameSource: [] };
  wire.answer('items.context', ({ id }) => ({ ...none, ...contexts[id] }));
}

async function openItem(index: number): Promise<void> {
  app.items.open(wire.rows[index]!);
  await settle();
}

async function star(...indexes: number[]): Promise<void> {
  await wire.ask('items.mark', { ids: indexes.map((index) => wire.rows[index]!.id), mark: 'star' });
}

describe('an item that belongs to a story', () => {
  const partOf = (): HTMLElement => shown().getByRole('region', { name: 'Part of' });

  it('names it with its reports and its rank, and leads to its page', async () => {
    answerContexts({ 'item-0': { stories: [story('story-0')], topic: { id: 'topic-2', rank: 3 } } });
    await openItem(0);
    expect(partOf().textContent.replace(/\s+/g, ' ')).toContain('8 articles');
    expect(within(partOf()).getByRole('button', { name: 'No. 3 of the hot topics' })).toBeTruthy();
    await click('button', 'About story-0');
    expect(app.views.current).toBe('stories');
    expect(app.views.stories.id).toBe('story-0');
  });

  it('follows it, and takes that back if it fails', async () => {
    cleanup();
    wire = await openCore(NEWS);
    ({ app } = await openPage(wire));
    const contexts = await Promise.all(listed(app.feed.list).map((row) => wire.ask('items.context', { id: row!.id })));
    const index = contexts.findIndex(({ stories }) => stories.length > 0);
    app.items.open(app.feed.list.at(index)!);
    await settle();
    await click('button', 'Follow');
    const [followed] = (await wire.ask('stories.list', { which: 'followed' })).stories;
    expect(contexts[index]!.stories.map(({ publicId }) => publicId)).toContain(followed?.publicId);
    expect(named('button', 'Following').getAttribute('aria-pressed')).toBe('true');
    wire.failing.set('stories.follow', { code: 'disk_full', message: 'full', retryable: false });
    await click('button', 'Following');
    expect(named('button', 'Following')).toBeTruthy();
    expect(app.toasts.note?.tone).toBe('problem');
  });

  it('is none for another item, nor for a story of which the answer comes too late', async () => {
    answerContexts({ 'item-0': { stories: [story('story-0')] } });
    app.items.open(wire.rows[0]!);
    await openItem(1);
    expect(shown().queryByText('Part of')).toBeNull();
  });

  it('is read again when stories change', async () => {
    await openItem(0);
    expect(shown().queryByText('Part of')).toBeNull();
    answerContexts({ 'item-0': { stories: [story('new')] } });
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
    if (when === 'while the list is shown') {
      await openItem(1);
      await wire.withdraw('item-2');
    } else {
      await star(1, 2, 3);
      await wire.withdraw('item-2');
      app.navigation.show({ kind: 'starred' });
      await settle();
      expect(listed(app.feed.list).map((row) => [row?.id, row?.withdrawnAt !== null])).toContainEqual(['item-2', true]);
      await openItem(1);
    }
    await settle();
    const nav = shown().getByRole('navigation', { name: 'Previous and next item' });
    expect(within(nav).getAllByRole('button').at(-1)!.textContent).toContain(wire.rows[3]!.title);
    await app.items.step(1);
    expect(app.reading.item?.id).toBe('item-3');
    await app.items.step(-1);
    expect(app.reading.item?.id).toBe('item-1');
    await wire.ask('items.mark', { ids: wire.rows.map(({ id }) => id), mark: 'unread' });
    await settle();
    await app.items.stepUnread();
    expect(app.reading.item?.id).toBe('item-3');
  });

  it('follows the open item to its row in another list', async () => {
    await wire.arrive([{ ...wire.rows[2]!, id: 'newer' }]);
    await wire.ask('items.mark', { ids: ['newer'], mark: 'star' });
    await star(0, 1);
    await wire.withdraw('newer');
    await settle();
    await openItem(0);
    app.feed.filter({ ...app.feed.list.query, scope: 'all', state: 'starred' });
    await settle();
    expect(
      listed(app.feed.list)
        .slice(0, 3)
        .map((row) => row?.id),
    ).toEqual(['newer', 'item-0', 'item-1']);
    const nav = shown().getByRole('navigation', { name: 'Previous and next item' });
    const [next, ...others] = within(nav).getAllByRole('button');
    expect(next!.textContent).toContain(wire.rows[1]!.title);
    expect(others).toEqual([]);
  });

  it('names none where the list ends', async () => {
    await openItem(0);
    const nav = shown().getByRole('navigation', { name: 'Previous and next item' });
    expect(within(nav).getAllByRole('button')).toHaveLength(1);
  });

  it('names other items of its source, which open in place; the next step returns to the list', async () => {
    await wire.arrive([{ ...wire.rows[3]!, id: 'elsewhere', title: 'Another one', inSelectedSet: false }]);
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
    expect(badge()?.textContent).toBe('Pick');
    expect(screen.getAllByText('Pick').length).toBeGreaterThan(0);
  });
});
