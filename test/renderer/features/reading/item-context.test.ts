import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { ItemContext, ItemStory } from '../../../../src-main/contract/model/item.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NEWS, openCore, type CoreWire } from '../../support/core.ts';
import { listed } from '../../support/listed.ts';
import { openApp, openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, ITEMS, named, openOnItems, shown } from '../../support/shown-view.ts';

askShownView();

let wire: CoreWire;
let app: AppState;

async function open(): Promise<void> {
  ({ app, wire } = await openOnItems());
}

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
  const NAME = 'More on this topic';
  const topic = (): HTMLElement => shown().getByRole('region', { name: NAME });

  it('names it with its reports and leads to its page, follows changes, and is not told of another item', async () => {
    await open();
    await openItem(1);
    expect(shown().queryByText(NAME)).toBeNull();
    answerContexts({ 'item-0': { stories: [story('other')] }, 'item-1': { stories: [story('story-0')] } });
    wire.emit('stories.changed', { publicIds: ['story-0'] });
    await settle();
    expect(topic().textContent).toContain('8 articles');
    // The answer for the first comes too late.
    app.items.open(wire.rows[0]!);
    await openItem(2);
    expect(shown().queryByText(NAME)).toBeNull();
    await openItem(1);
    await click('button', /^About story-0/);
    expect(app.views.current).toBe('stories');
    expect(app.views.stories.id).toBe('story-0');
  });

  it('follows it, which is taken back if it fails, and lists its other saved articles, which open in place', async () => {
    wire = await openCore(NEWS);
    ({ app } = await openPage(wire));
    const contexts = await Promise.all(listed(app.feed.list).map((row) => wire.ask('items.context', { id: row!.id })));
    const index = contexts.findIndex(({ stories }) => stories.length > 0);
    const { id } = app.feed.list.at(index)!;
    const [{ publicId }] = contexts[index]!.stories as [ItemStory];
    app.items.open(app.feed.list.at(index)!);
    await settle();
    await click('button', 'Follow');
    const followed = (await wire.ask('stories.list', { which: 'followed' })).stories;
    expect(followed.map((one) => one.publicId)).toEqual([publicId]);
    expect(named('button', 'Following').getAttribute('aria-pressed')).toBe('true');
    wire.failing.set('stories.follow', { code: 'disk_full', message: 'full', retryable: false });
    await click('button', 'Following');
    expect(named('button', 'Following').getAttribute('aria-pressed')).toBe('true');
    expect(app.toasts.note?.tone).toBe('problem');

    const { reports } = await wire.ask('stories.get', { publicId });
    const others = reports.filter(({ itemId }) => itemId !== null && itemId !== id).slice(0, 5);
    expect(others).not.toEqual([]);
    const rows = within(topic()).getAllByRole('listitem');
    expect(rows.map((row) => row.querySelector('.title')?.textContent)).toEqual(others.map(({ title }) => title));
    await clickOn(within(rows[0]!).getByRole('button'));
    expect(app.reading.item?.id).toBe(others[0]!.itemId);
  });
});

describe('the way on from an item', () => {
  const openWithoutPage = async (): Promise<void> => {
    wire = await openCore({ items: ITEMS });
    app = await openApp(wire);
  };

  it.each(['while the list is shown', 'before it was loaded'])('passes over what was withdrawn %s', async (when) => {
    await openWithoutPage();
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
    await openWithoutPage();
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
    await app.items.step(-1);
    expect(app.reading.item?.id).toBe('item-0');
    await app.items.step(1);
    expect(app.reading.item?.id).toBe('item-1');
  });

  it('names other items of its source, which open in place; the next step returns to the list', async () => {
    await open();
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

describe('the menu of an item', () => {
  const entries = async (): Promise<string[]> => {
    await click('button', 'More actions for this article');
    return screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  };

  it('marks it as unread, has what is done seldom, and nothing that needs its text if that was deleted', async () => {
    await open();
    await openItem(0);
    expect(await entries()).toEqual([
      'Mark as unread',
      expect.stringMatching(/^Mute source /),
      expect.stringMatching(/^Mute category /),
      'Mute words…',
      'View on the news site',
      'Print',
    ]);
    await clickOn(screen.getByRole('menuitem', { name: 'Mark as unread' }));
    expect(app.reading.item?.state.readAt).toBeNull();
    expect((await entries())[0]).toBe('Mark as read');
    await fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
    await star(1);
    await wire.withdraw('item-1');
    app.navigation.show({ kind: 'starred' });
    await settle();
    app.items.open(app.feed.list.at(0)!);
    await settle();
    expect(await entries()).toEqual([expect.stringMatching(/^Mark as /), 'Print']);
  });
});
