import { within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../../src-main/contract/model/resource.ts';
import type { StoryLine } from '../../../../src-main/contract/model/story.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { openCore, unreadPicks, type CoreWire } from '../../support/core.ts';
import { listed } from '../../support/listed.ts';
import { openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, shown } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

let wire: CoreWire;
let app: AppState;

const options = (): HTMLElement[] => within(shown().getAllByRole('listbox').at(-1)!).getAllByRole('option');
const ids = (): string[] => options().map(({ id }) => id.replace('item-item-', ''));
const count = (): string | undefined => document.querySelector('#feed-list .count')?.textContent;

/** Twelve items. The service says that the first, the fourth and the ninth are reports of one story. */
beforeEach(async () => {
  wire = await openCore({ items: unreadPicks(12), synced: RESOURCES });
  ({ app } = await openPage(wire));
});

describe('rows of one story', () => {
  it('are one row with the number of the others, within reach of the keyboard; the list counts all unread', async () => {
    expect(ids().slice(0, 8)).toEqual(['0', '1', '2', '4', '5', '6', '7', '9']);
    expect(options()[0]!.textContent).toContain('+2 articles');
    expect(count()).toBe('12 unread');
    // The list has one focus: the number is not a tab stop.
    expect(options()[0]!.querySelectorAll('button, a, [tabindex]')).toHaveLength(0);
    const chip = (): Element => options()[0]!.querySelector('[data-action="folded"]')!;
    expect(chip().className).toContain('news');
    for (const id of ['item-3', 'item-8']) await wire.ask('items.mark', { ids: [id], mark: 'read' });
    await settle();
    expect(chip().className).not.toContain('news');
    app.items.open(app.feed.list.at(0)!);
    await settle();
    await click('button', '2 more in this list');
    expect(app.feed.overlay.kind).toBe('folded');
  });

  it('are listed by a click on the number, and the list comes back', async () => {
    const [{ title }] = (await wire.ask('stories.list', { which: 'all' })).stories as [StoryLine];
    await clickOn(options()[0]!.querySelector('[data-action="folded"]')!);
    await waitFor(() => named('heading', title));
    expect(app.reading.item).toBeNull();
    expect(listed(app.feed.rows).map((row) => row?.id)).toEqual(['item-0', 'item-3', 'item-8']);
    app.actions.step(1);
    await settle();
    app.actions.step(1);
    await settle();
    expect(app.reading.item?.id).toBe('item-3');
    await click('button', 'Back to the list');
    expect(app.feed.overlay.kind).toBeNull();
  });

  it('are shown one by one by a switch, which is kept, and where matches are shown', async () => {
    await click('button', 'More actions for this list');
    await click('menuitemcheckbox', 'One row per topic');
    expect(ids().slice(0, 5)).toEqual(['0', '1', '2', '3', '4']);
    expect(wire.settings.foldStories).toBe(false);
    await click('button', 'More actions for this list');
    await click('menuitemcheckbox', 'One row per topic');
    expect(ids().slice(0, 4)).toEqual(['0', '1', '2', '4']);
    app.navigation.show({ kind: 'unread' });
    await settle();
    expect(ids().slice(0, 5)).toEqual(['0', '1', '2', '3', '4']);
    await click('button', 'More actions for this list');
    expect(shown().queryByRole('menuitemcheckbox')).toBeNull();
  });
});
