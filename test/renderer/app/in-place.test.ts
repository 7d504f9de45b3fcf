import { fireEvent } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CoverageWithStatus, StoredStory, StoryLine } from '../../../src-main/contract/model/story.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { STORIES, type CoreWire } from '../support/core.ts';
import { clickOn } from '../support/reader.ts';
import { settle } from '../support/settle.ts';
import { askShownView, click, openOn, pressGo, show, shown } from '../support/shown-view.ts';

askShownView();

let wire: CoreWire;
let app: AppState;
let story: StoredStory;
/** The id of the item that its first report is. */
let itemId: string;

beforeEach(async () => {
  ({ app, wire } = await openOn(STORIES, { withoutRows: true }));
  const [{ publicId }] = (await wire.ask('stories.list', { which: 'all' })).stories as [StoryLine];
  story = await wire.ask('stories.get', { publicId });
  itemId = story.reports[0]!.itemId!;
});

const startOf = (title: string): RegExp => new RegExp(title.slice(0, 20));

async function openFromStory(): Promise<void> {
  await clickOn(shown().getAllByRole('link', { name: startOf(story.reports[0]!.title) })[0]!);
}

describe('a report of a story that is a saved item', () => {
  it('can be read at its source, or opens over the story, counts as read, is starred by its key, and closed by what leads back or on', async () => {
    const open = vi.spyOn(app.links, 'open').mockReturnValue();
    await show('Topics', 'All');
    await click('option', startOf(story.title));
    await fireEvent.click(shown().getAllByRole('link', { name: 'Original' })[0]!);
    const timeOf = (report: CoverageWithStatus): string => report.effectiveAt ?? report.publishedAt ?? '';
    const [newest] = story.reports.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
    expect(open).toHaveBeenCalledWith(newest!.links.original);
    expect((await wire.stateOf(itemId)).readAt).toBeNull();

    await openFromStory();
    expect(app.views.current).toBe('stories');
    expect(app.reading.itemIn('stories')?.id).toBe(itemId);
    expect(app.history.in('feed').open).toEqual([]);
    // The story keeps its place below.
    expect(document.querySelector<HTMLElement>('#stories-reading .under')?.inert).toBe(true);
    expect(document.activeElement?.getAttribute('aria-labelledby')).toBe('article-title');
    expect((await wire.stateOf(itemId)).readAt).not.toBeNull();
    app.actions.toggleStar();
    await settle();
    expect((await wire.stateOf(itemId)).starredAt).not.toBeNull();
    expect((await wire.ask('stories.get', { publicId: story.publicId })).starredAt).toBeNull();
    app.actions.toggleRead();
    await settle();
    expect((await wire.stateOf(itemId)).readAt).toBeNull();
    await click('button', 'Back to the topic');
    expect(app.reading.covers('stories')).toBe(false);
    expect(app.views.stories.id).toBe(story.publicId);

    const leave = [() => void fireEvent.keyDown(window, { key: 'Escape' }), () => app.actions.step(1)];
    for (const close of leave) {
      app.navigation.open({ view: 'item', id: itemId });
      await settle();
      expect(app.reading.covers('stories')).toBe(true);
      close();
      await settle();
      expect(app.reading.covers('stories')).toBe(false);
    }
  });
});

describe('a citation of a report that is a saved item', () => {
  it('opens over the report', async () => {
    await show('Reports');
    await pressGo('d');
    const report = app.views.archive.report!;
    // The first one is the lead.
    const cited = report.sections.flatMap(({ items }) => items).findLast(({ itemId }) => itemId !== null)!;
    await clickOn(shown().getAllByRole('link', { name: cited.title })[0]!);
    expect(app.views.current).toBe('archive');
    expect(app.reading.itemIn('archive')?.id).toBe(cited.itemId);
    await click('button', 'Back to the report');
    expect(app.views.archive.open).not.toBeNull();
    expect(app.reading.covers('archive')).toBe(false);
  });
});
