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
    // They count as seen by now, and stay marked until the story is opened again.
    expect(wire.views.story('story-1').fresh.digest).toBe(false);
    wire.emit('stories.changed', { publicIds: ['story-1'] });
    await settle();
    expect(screen.getByText('2 new since your last visit')).toBeTruthy();
    app.views.stories.backStack.open('story-0');
    await settle();
    app.views.stories.backStack.open('story-1');
    await settle();
    expect(screen.queryByText(/since your last visit/)).toBeNull();
  });

  it('are shown as saved while they are fetched, and stay if that fails', async () => {
    let answer = (): void => undefined;
    wire.gates.set('stories.open', new Promise((resolve) => (answer = resolve)));
    wire.failing.set('stories.open', { code: 'timeout', message: '', retryable: true });
    await show('Stories');
    await click('button', /^Developing.*Northlight opens/);
    expect(named('heading', 'Coverage')).toBeTruthy();
    expect(screen.getByText('Updating…')).toBeTruthy();
    answer();
    await settle();
    expect(named('heading', 'Coverage')).toBeTruthy();
    expect(screen.queryByText('Updating…')).toBeNull();
    expect(screen.getByText('Couldn’t update. Showing the saved version.')).toBeTruthy();
  });

  it('that are not saved either are no longer available', async () => {
    await show('Stories');
    app.views.stories.backStack.open('story-99');
    await settle();
    expect(named('heading', 'No longer available')).toBeTruthy();
  });

  it('that can’t be fetched now say why, with a retry', async () => {
    wire.failing.set('stories.open', { code: 'unreachable', message: '', retryable: true });
    await show('Stories');
    app.views.stories.backStack.open('story-9');
    await settle();
    expect(named('heading', 'Something went wrong')).toBeTruthy();
    wire.failing.clear();
    wire.views.stories.set('story-9', madeUpStory(9, NOW));
    await click('button', 'Try again');
    expect(named('heading', 'Coverage')).toBeTruthy();
  });

  it('are shown once they are fetched, if they were not saved', async () => {
    let answer = (): void => undefined;
    wire.gates.set('stories.open', new Promise((resolve) => (answer = resolve)));
    await show('Stories');
    app.views.stories.backStack.open('story-9');
    await settle();
    expect(screen.queryByRole('heading', { name: 'No longer available' })).toBeNull();
    wire.views.stories.set('story-9', madeUpStory(9, NOW));
    answer();
    await settle();
    expect(named('heading', 'Coverage')).toBeTruthy();
  });

  it('with news are counted beside their list until they are opened', async () => {
    const followed = { followedAt: 'x', fresh: { reportIds: ['story-3-report-0'], digest: false } };
    wire.views.stories.set('story-3', { ...wire.views.story('story-3'), ...followed });
    wire.emit('stories.changed', { publicIds: ['story-3'] });
    await settle();
    const entry = (): string => screen.getByRole('button', { name: /^Stories/ }).textContent.trim();
    expect(entry()).toMatch(/1/);
    await show('Stories');
    await click('radio', 'Followed');
    expect(within(named('list', 'Stories: Followed')).getAllByRole('listitem')).toHaveLength(1);
    await click('button', /1 new/);
    expect(entry()).not.toMatch(/1/);
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

  it('are starred at once, which can be undone and is taken back if it fails', async () => {
    await show('Stories');
    await click('button', /Northlight opens/);
    const isStarred = (): string | null => named('button', 'Star').getAttribute('aria-pressed');
    app.actions.toggleStar();
    await settle();
    expect(isStarred()).toBe('true');
    expect(wire.views.story('story-0').starredAt).not.toBeNull();
    await app.actions.takeBack();
    await settle();
    expect([isStarred(), wire.views.story('story-0').starredAt]).toEqual(['false', null]);
    let answer = (): void => undefined;
    wire.gates.set('stories.star', new Promise((resolve) => (answer = resolve)));
    wire.failing.set('stories.star', { code: 'disk_full', message: '', retryable: true });
    await click('button', 'Star');
    expect(isStarred()).toBe('true');
    answer();
    await settle();
    expect([isStarred(), app.toasts.note?.tone]).toEqual(['false', 'problem']);
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
    app.views.stories.backStack.open('old');
    await settle();
    expect(screen.getByText('The story you opened is now part of this one.')).toBeTruthy();
    app.views.stories.backStack.open('story-1');
    await settle();
    expect(screen.queryByText('The story you opened is now part of this one.')).toBeNull();
  });
});
