import { fireEvent } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { madeUpStory } from '../support/made-up-views.ts';
import type { MemoryWire } from '../support/memory-wire.ts';
import { settle } from '../support/settle.ts';
import { askShownView, click, openWithItems, show, shown } from '../support/shown-view.ts';

askShownView();

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();

let wire: MemoryWire;
let app: AppState;

beforeEach(async () => {
  ({ app, wire } = await openWithItems(NOW));
  const story = madeUpStory(0, NOW);
  const [first, ...rest] = story.reports;
  wire.views.stories.set('story-0', { ...story, reports: [{ ...first!, itemId: 'item-2' }, ...rest] });
});

/** The report of the story that is a saved item. */
const saved = (): RegExp => new RegExp(`^${madeUpStory(0, NOW).reports[0]!.title.slice(0, 20)}`);

async function openFromStory(): Promise<void> {
  await show('Stories');
  await click('option', /Northlight opens/);
  await fireEvent.click(shown().getAllByRole('link', { name: saved() })[0]!);
  await settle();
}

describe('a report of a story that is a saved item', () => {
  it('opens over the story, and leads back to it', async () => {
    await openFromStory();
    expect(app.views.current).toBe('stories');
    expect(app.views.inPlace.itemIn('stories')?.id).toBe('item-2');
    expect(app.reading.item).toBeNull();
    // The story keeps its place below.
    expect(document.querySelector<HTMLElement>('#stories-reading .under')?.inert).toBe(true);
    expect(document.activeElement?.getAttribute('aria-labelledby')).toBe('article-title');
    await click('button', 'Back to the story');
    expect(app.views.inPlace.covers('stories')).toBe(false);
    expect(app.views.stories.id).toBe('story-0');
  });

  it('counts as read, and is starred by its key', async () => {
    await openFromStory();
    const item = (): (typeof wire.rows)[number] => wire.rows.find(({ id }) => id === 'item-2')!;
    expect(item().state.readAt).not.toBeNull();
    app.actions.toggleStar();
    await settle();
    expect(item().state.starredAt).not.toBeNull();
    expect(wire.views.story('story-0').starredAt).toBeNull();
    app.actions.toggleRead();
    await settle();
    expect(item().state.readAt).toBeNull();
  });

  it('is closed by Esc, and by what else the view opens', async () => {
    await openFromStory();
    await fireEvent.keyDown(window, { key: 'Escape' });
    await settle();
    expect(app.views.inPlace.covers('stories')).toBe(false);
    await app.navigation.showItemInPlace('item-2');
    expect(app.views.inPlace.covers('stories')).toBe(true);
    app.actions.step(1);
    await settle();
    expect(app.views.inPlace.covers('stories')).toBe(false);
  });

  it('can still be read at its source', async () => {
    const open = vi.spyOn(app.links, 'open').mockReturnValue();
    await show('Stories');
    await click('option', /Northlight opens/);
    await fireEvent.click(shown().getByRole('link', { name: 'Original' }));
    expect(open).toHaveBeenCalledWith('https://news.example/0/0');
  });
});

describe('a citation of a report that is a saved item', () => {
  it('opens over the report', async () => {
    await show('Archive');
    await click('button', 'Read latest daily');
    const report = app.views.archive.report!;
    const cited = report.sections.flatMap(({ items }) => items).find(({ itemId }) => itemId !== null)!;
    await fireEvent.click(shown().getAllByRole('link', { name: cited.title })[0]!);
    await settle();
    expect(app.views.current).toBe('archive');
    expect(app.views.inPlace.itemIn('archive')?.id).toBe(cited.itemId);
    await click('button', 'Back to the report');
    expect(app.views.archive.open).not.toBeNull();
    expect(app.views.inPlace.covers('archive')).toBe(false);
  });
});
