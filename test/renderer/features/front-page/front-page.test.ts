import { cleanup, fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addDays } from '../../../../src-main/common/time.ts';
import type { ModelRecord } from '../../../../src-main/contract/model/model.ts';
import type { StoryLine } from '../../../../src-main/contract/model/story.ts';
import type { Today } from '../../../../src-main/contract/model/today.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NEWS, NOW, type CoreWire } from '../../support/core.ts';
import { stubWindowWidth } from '../../support/narrow-window.ts';
import { openPage } from '../../support/page.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, openOn, openOnDaily } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

let wire: CoreWire;
let app: AppState;

const front = () => within(document.querySelector<HTMLElement>('#feed-reading')!);
const reads = (): number => wire.argsOf('today.get').length;
const today = () => front().getByRole('group', { name: /^Today/ });
const click = async (role: string, name: string | RegExp): Promise<void> => {
  await fireEvent.click(front().getByRole(role, { name }));
  await settle();
};

/** Changes what the core says of today. */
function answerToday(changes: (today: Today) => Partial<Today>): void {
  wire.answer('today.get', async () => {
    const today = await wire.ask('today.get', {});
    return { ...today, ...changes(today) };
  });
}

/** Sets what is new since the last visit. */
function answerNews({ added = 0, revised = 0, withdrawn = 0 }): void {
  const counts = { added, older: 0, revised };
  const since = new Date(NOW - 3_600_000).toISOString();
  wire.answer('visits.sinceLast', () => ({ ...counts, since, withdrawn, selected: counts }));
}

beforeEach(async () => {
  ({ app, wire } = await openOnDaily());
  // Compared with the ranking of two hours ago.
  wire.pass(2 * 3_600_000);
  await wire.sync(['hotTopics']);
  await waitFor(() => expect(app.live.get('today.get', {}).value?.topics.compared).toBe(true), { timeout: 10_000 });
  await waitFor(() => today(), { timeout: 10_000 });
  await settle();
});

describe('the front page', () => {
  it('stands where nothing is open: the date, the daily with its length, and the hottest topics', () => {
    const { daily, topics } = app.live.get('today.get', {}).value!;
    expect(front().getByRole('button', { name: daily!.headline! })).toBeTruthy();
    expect(front().getByText(/^\d+ stories · \d+ min · \d+ of \d+ read$/)).toBeTruthy();
    expect(front().getByText('Shanghai time')).toBeTruthy();
    const list = front().getByRole('region', { name: 'Hottest now' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(5);
    expect(within(list).getAllByText(/^(up|down|unchanged|new in)/)).toHaveLength(5);
    expect(list.querySelectorAll('svg path').length).toBeGreaterThan(0);
    expect(topics.unseen).toBe(topics.top.length * 2);
    expect(front().queryByRole('region', { name: 'News in topics you follow' })).toBeNull();
    expect(front().queryByRole('region', { name: 'Model changes' })).toBeNull();
  });

  it('has followed stories with news and model changes when there are some, and what is new since the last visit', async () => {
    const [story] = (await wire.ask('stories.list', { which: 'all' })).stories as [StoryLine];
    const [{ id }] = wire.service.models('models') as [ModelRecord];
    answerToday(() => ({
      stories: { lines: [{ ...story, followedAt: 'x', freshReports: 2 }], withNews: 1, followed: 1 },
      models: {
        since: '2026-03-18T13:20:00.000Z',
        counts: [
          { field: 'added', count: 3 },
          { field: 'price', count: 2 },
        ],
        models: [{ modelList: 'models', id, name: 'Orrin 4', fields: ['added', 'price'] }],
      },
    }));
    answerNews({ added: 12, revised: 3, withdrawn: 1 });
    wire.emit('data.replaced', {});
    await waitFor(() => front().getByRole('region', { name: 'Model changes' }), { timeout: 5_000 });
    expect(front().getByText('Added 3 · Price 2')).toBeTruthy();
    expect(front().getByText('2 new')).toBeTruthy();
    for (const number of ['12 new', '3 updated', '1 withdrawn']) {
      // In the list beside it, and there only.
      expect(screen.getAllByRole('button', { name: number })).toHaveLength(1);
      expect(front().queryByRole('button', { name: number })).toBeNull();
    }
    await click('button', /^Orrin 4/);
    expect(app.views.current).toBe('models');
    expect(app.views.models.open?.id).toBe(id);
  });

  it('says what is new since the last visit where it stands in place of the list', async () => {
    cleanup();
    stubWindowWidth(480);
    onTestFinished(() => void vi.unstubAllGlobals());
    answerNews({ added: 12 });
    ({ app } = await openPage(wire));
    app.navigation.showFrontPage();
    await waitFor(() => front().getByRole('button', { name: '12 new' }), { timeout: 5_000 });
  });

  it('reads once for several events, in place', async () => {
    const before = reads();
    const page = today();
    answerToday(({ daily }) => ({ daily: { ...daily!, headline: 'Put right' } }));
    wire.emit('items.changed', { added: 1, revised: 0, withdrawn: 0, ids: null });
    wire.emit('marks.changed', { ids: null });
    wire.emit('reports.changed', { kind: 'daily', labels: [] });
    await waitFor(() => front().getByRole('button', { name: 'Put right' }), { timeout: 5_000 });
    expect(reads()).toBe(before + 1);
    expect(today()).toBe(page);
  });

  it('leads to the daily, at one of its stories too, to topics and to the unread items', async () => {
    const { daily, topics } = app.live.get('today.get', {}).value!;
    await click('button', new RegExp(`^${daily!.firstStories[1]!.section}`));
    expect(app.views.archive.open?.label).toBe(daily!.label);
    expect(app.views.archive.stories[app.views.archive.place as number]?.key).toBe(daily!.firstStories[1]!.key);
    app.navigation.showFrontPage();
    await settle();
    await waitFor(() => today(), { timeout: 5_000 });
    await fireEvent.click(within(front().getByRole('region', { name: 'Hottest now' })).getAllByRole('button')[2]!);
    await settle();
    expect([app.views.current, app.views.hotTopics.topic?.id]).toEqual(['hotTopics', topics.top[2]!.id]);
    app.navigation.showFrontPage();
    await settle();
    await waitFor(() => today(), { timeout: 5_000 });
    await click('button', /unread items in Picks$/);
    expect(app.history.location.view).toBe('feed');
  });

  it('is the first entry of the sidebar, which closes what is open', async () => {
    app.actions.step(1);
    await settle();
    const views = within(screen.getByRole('navigation', { name: 'Views' }));
    const [first] = views.getAllByRole('button');
    expect(first!.textContent).toContain('Today');
    await fireEvent.click(first!);
    await settle();
    expect(app.reading.item).toBeNull();
    expect(first!.getAttribute('aria-current')).toBe('page');
    app.actions.step(1);
    await settle();
    expect(first!.getAttribute('aria-current')).toBeNull();
  });

  it('says plainly that nothing is saved yet, and why', async () => {
    cleanup();
    ({ app, wire } = await openOn({}));
    await waitFor(() => front().getByText('Nothing saved yet'), { timeout: 5_000 });
    expect(front().getByText('Your front page fills up with the first sync.')).toBeTruthy();
    await wire.setStatus({ reachable: false });
    await settle();
    expect(front().getByText(/^Offline, and no news has been saved yet/)).toBeTruthy();
  });

  it('says when the next daily is due while none is saved, and keeps the rest', async () => {
    answerToday(() => ({ daily: null }));
    wire.emit('reports.changed', { kind: 'daily', labels: [] });
    await waitFor(() => front().getByText(/^No daily is saved yet\. The next one is due /), { timeout: 5_000 });
    expect(front().getByRole('region', { name: 'Hottest now' })).toBeTruthy();
  });

  it('says that today’s daily is late, and shows the latest', async () => {
    answerToday(({ daily }) => ({ daily: { ...daily!, label: addDays(daily!.label, -1) } }));
    wire.emit('reports.changed', { kind: 'daily', labels: [] });
    await waitFor(() => front().getByText(/isn’t here yet\. This is the latest one\.$/), { timeout: 5_000 });
  });

  it('names a new weekly, and opens it', async () => {
    cleanup();
    ({ app, wire } = await openOn(NEWS));
    await waitFor(() => front().getByRole('button', { name: /^Weekly/ }), { timeout: 5_000 });
    await click('button', /^Weekly/);
    expect(app.views.archive.open?.kind).toBe('weekly');
  });

  it('says why it can’t be read, and tries again', async () => {
    const failing = await failed();
    expect(failing.getByText('The saved data can’t be read.')).toBeTruthy();
    wire.failing.clear();
    await click('button', 'Try again');
    expect(front().getByRole('region', { name: 'Hottest now' })).toBeTruthy();
  });

  async function failed() {
    wire.failing.set('today.get', { code: 'data_unreadable', message: '', retryable: false });
    cleanup();
    ({ app } = await openPage(wire));
    return front();
  }
});
