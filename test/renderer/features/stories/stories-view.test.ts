import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { madeUpStory } from '../../support/made-up-views.ts';
import type { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, openWithItems, show } from '../../support/shown-view.ts';

askShownView();

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();

let wire: MemoryWire;
let app: AppState;

beforeEach(async () => {
  ({ app, wire } = await openWithItems(NOW));
});

describe('stories', () => {
  it('are listed by kind', async () => {
    await show('Stories');
    expect(within(named('list', 'Stories: Hot')).getAllByRole('listitem')).toHaveLength(4);
    await click('radio', 'Followed');
    expect(named('heading', 'No followed stories yet')).toBeTruthy();
  });

  it('mark what is new since the last visit, and primary sources', async () => {
    const fresh = { reportIds: ['story-1-report-0', 'story-1-report-1'], digest: true };
    wire.views.stories.set('story-1', madeUpStory(1, NOW, { followedAt: 'x', fresh }));
    await show('Stories');
    await click('button', /2 new/);
    expect(screen.getByText('2 new since your last visit')).toBeTruthy();
    expect(screen.getByText('Updated since your last visit')).toBeTruthy();
    expect(screen.getAllByText('New')).toHaveLength(2);
    expect(screen.getAllByText('Primary source')).toHaveLength(2);
  });

  it('without a digest show no time of it', async () => {
    wire.views.stories.set('story-0', madeUpStory(0, NOW, { digest: null }));
    await show('Stories');
    await click('button', /^Developing.*Northlight opens/);
    expect(screen.getByText('No digest yet.')).toBeTruthy();
    expect(screen.queryByText(/^updated/)).toBeNull();
  });

  it('are followed with one button that shows the state', async () => {
    await show('Stories');
    await click('button', /Northlight opens/);
    const follow = named('button', 'Follow');
    expect(follow.getAttribute('aria-pressed')).toBe('false');
    await fireEvent.click(follow);
    await settle();
    expect(named('button', 'Following').getAttribute('aria-pressed')).toBe('true');
    expect(wire.views.story('story-0').followedAt).not.toBeNull();
  });

  // Holds: news-2-story-related
  it('open related stories in the page and go back', async () => {
    await show('Stories');
    await click('button', /^Developing.*Northlight opens/);
    const reading = within(document.querySelector<HTMLElement>('#stories-reading')!);
    await fireEvent.click(reading.getByRole('button', { name: /earlier/ }));
    await settle();
    expect(reading.getByRole('heading', { level: 2 }).textContent).toContain('Regulators in four countries');
    await click('button', 'Back to previous story');
    expect(reading.getByRole('heading', { level: 2 }).textContent).toContain('Northlight opens');
  });

  it('open their reports in the browser of the host', async () => {
    await show('Stories');
    await click('button', /^Developing.*Northlight opens/);
    const reading = within(document.querySelector<HTMLElement>('#stories-reading')!);
    await fireEvent.click(reading.getAllByRole('link', { name: /Northlight opens/ })[0]!);
    expect(wire.calls.at(-1)).toEqual({ method: 'links.open', args: { url: 'https://news.example/0/0' } });
  });

  it('that are no longer available are shown as they were saved', async () => {
    wire.views.stories.set('story-0', madeUpStory(0, NOW, { goneAt: 'x' }));
    await show('Stories');
    await click('button', /No longer available/);
    expect(screen.getByText('This story is no longer available online. Showing the saved version.')).toBeTruthy();
    expect(named('heading', 'Coverage')).toBeTruthy();
    const reading = within(document.querySelector<HTMLElement>('#stories-reading')!);
    expect(reading.queryByText('Developing')).toBeNull();
  });

  it('say how many of their articles are listed', async () => {
    const { reports } = madeUpStory(0, NOW);
    const [first, ...rest] = reports;
    const raw = { ...first!, source: { name: 'Lab：Blog（note）', firstParty: false } };
    wire.views.stories.set('story-0', madeUpStory(0, NOW, { reportCount: 86, reports: [raw, ...rest] }));
    await show('Stories');
    await click('button', /^Developing.*Northlight opens/);
    const reading = within(document.querySelector<HTMLElement>('#stories-reading')!);
    expect(reading.getByText('86 articles, 7 listed')).toBeTruthy();
    expect(reading.getByTitle('Lab：Blog（note）').textContent).toBe('Lab：Blog');
  });

  it('that were merged say so', async () => {
    wire.views.aliases.set('old', 'story-1');
    await show('Stories');
    await app.views.stories.open('old');
    await settle();
    expect(screen.getByText('The story you opened is now part of this one.')).toBeTruthy();
  });
});
