import { within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addDays } from '../../../../src-main/common/time.ts';
import type { StoryLine } from '../../../../src-main/contract/model/story.ts';
import type { Away, Today } from '../../../../src-main/contract/model/today.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NEWS, NOW, openCore, STORIES, type CoreWire } from '../../support/core.ts';
import { stubWindowWidth } from '../../support/narrow-window.ts';
import { openPage } from '../../support/page.ts';
import { clickOn, press } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, openOn, openOnDaily } from '../../support/shown-view.ts';
import { stay } from '../../support/stay.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

const DAY = 24 * 3_600_000;

let wire: CoreWire;
let app: AppState;

const page = () => within(document.querySelector<HTMLElement>('#today-list')!);
const region = (name: string | RegExp) => within(page().getByRole('region', { name }));
const titles = (name: string | RegExp) =>
  region(name)
    .getAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent);
const saved = (): Today => app.live.get('today.get', {}).value!;
const click = async (role: string, name: string | RegExp): Promise<void> => {
  await clickOn(page().getByRole(role, { name }));
};

/** Changes what the core says of today. */
function answerToday(changes: (today: Today) => Partial<Today>): void {
  wire.answer('today.get', async () => {
    const today = await wire.ask('today.get', {});
    return { ...today, ...changes(today) };
  });
}

async function showToday(): Promise<void> {
  app.navigation.showView('today');
  await waitFor(() => expect(app.live.get('today.get', {}).value).not.toBeNull());
  await settle();
}

async function followed(): Promise<StoryLine> {
  const [story] = (await wire.ask('stories.list', { which: 'all' })).stories as [StoryLine];
  return { ...story, followedAt: 'x', freshReports: 2, latestAt: new Date(NOW - 60_000).toISOString() };
}

describe('Today', () => {
  beforeEach(async () => {
    ({ app, wire } = await openOnDaily());
    await showToday();
  });

  it('has the date, the daily with its first and its other unread stories by section, and picks only if there are new ones', () => {
    const { next, toGo, more, unread, stories, minutes } = saved().daily!;
    expect(page().queryAllByRole('heading', { level: 1, name: /^Today: ?Wednesday, March 18$/ })).toHaveLength(1);
    expect(page().queryAllByText(`The daily · ${stories} stories, ${minutes} minutes`)).toHaveLength(1);
    expect(region(next!.title).queryAllByText(next!.summary!)).toHaveLength(1);
    expect(titles(`${unread} to go`)).toEqual(toGo.map(({ title }) => title));
    expect(region(`${unread} to go`).queryAllByRole('button', { name: `${more} more` })).toHaveLength(1);
    expect(toGo.some(({ title }) => title === next!.title)).toBe(false);
    expect([saved().stories.length, saved().picks.added]).toEqual([0, 0]);
    expect(page().queryByRole('region', { name: /^Since |^New picks/ })).toBeNull();
  });

  it('has the three hottest topics, followed topics with and without news, and picks since the last visit', async () => {
    expect(region('Following').queryAllByText('Topics you follow appear here.')).toHaveLength(1);
    const { publicId, title } = await followed();
    await wire.ask('stories.follow', { publicId, follow: true });
    await waitFor(() => region('Following').getByText('1 followed topic: nothing new'));
    await clickOn(region('Following').getByRole('button', { name: title }));
    expect(app.views.stories.id).toBe(publicId);
    await showToday();
    await wire.ask('stories.follow', { publicId, follow: false });
    await waitFor(() => region('Following').getByText('Topics you follow appear here.'));

    const story = await followed();
    answerToday(() => ({ quiet: { count: 5, stories: [story] } }));
    wire.emit('data.replaced', {});
    await waitFor(() => region('Following').getByText('5 followed topics: nothing new'));
    await clickOn(region('Following').getByRole('button', { name: '4 more' }));
    expect(app.history.location).toMatchObject({ view: 'stories', list: 'followed' });
    await showToday();

    const picks = { since: new Date(NOW - 3_600_000).toISOString(), added: 4, rows: wire.rows.slice(0, 3) };
    answerToday(() => ({ stories: [story], picks }));
    wire.emit('data.replaced', {});
    await waitFor(() => expect(titles('Following')).toEqual([story.title]));
    expect(region('Following').queryAllByText(/^2 new articles/)).toHaveLength(1);
    expect(titles('Hot now')).toEqual(saved().topics.map(({ title }) => title));
    expect(saved().topics).toHaveLength(3);
    await clickOn(region(/^Since \d/).getByRole('button', { name: '4 new picks' }));
    expect(app.history.location).toMatchObject({ view: 'feed', query: { scope: 'selected' } });
  });

  it('is walked through by j and k, has the headline that was opened again after Back, and goes on with the daily', async () => {
    const { next, toGo, label } = saved().daily!;
    const focused = (): unknown => document.activeElement?.textContent;
    await press('j', 'j');
    expect(focused()).toBe(toGo[1]!.title);
    await press('k');
    expect(focused()).toBe(toGo[0]!.title);
    const row = document.activeElement as HTMLElement;
    const hot = page().getByRole('button', { name: saved().topics[0]!.title });
    hot.focus();
    await clickOn(hot);
    app.navigation.showView('today');
    await settle();
    app.focus.focusList('today');
    expect(document.activeElement).toBe(hot);
    expect(row.isConnected).toBe(true);

    const story = (): unknown => app.views.archive.stories[app.views.archive.place as number]?.key;
    await click('button', 'Continue the daily');
    expect([app.views.archive.open?.label, story()]).toEqual([label, next!.key]);
    expect(app.views.archive.alone).toBe(true);
    await showToday();
    await click('button', toGo[1]!.title);
    expect(story()).toBe(toGo[1]!.key);
  });

  it('leads with what is next when the daily is read, else says that all is read', async () => {
    const story = await followed();
    answerToday(({ daily }) => ({
      daily: { ...daily!, unread: 0, next: null, toGo: [], more: 0 },
      alsoNew: [],
      stories: [story],
    }));
    wire.emit('reports.changed', { kind: 'daily', labels: [] });
    await waitFor(() => page().getByRole('heading', { level: 2, name: story.title }));
    expect(page().queryAllByText('Followed topic · 2 new articles')).toHaveLength(1);
    expect(page().queryAllByText(/^Next daily about /)).toHaveLength(1);
    expect(page().queryAllByRole('button', { name: 'Read the daily again' })).toHaveLength(1);
    await click('button', 'Open the topic');
    expect(app.views.stories.id).toBe(story.publicId);
    expect(app.history.location).toMatchObject({ view: 'stories', list: 'followed' });
    answerToday(({ daily }) => ({
      daily: { ...daily!, unread: 0, next: null, toGo: [], more: 0 },
      alsoNew: [],
      stories: [],
    }));
    await showToday();
    wire.emit('reports.changed', { kind: 'daily', labels: [] });
    await waitFor(() => page().getByRole('heading', { name: 'All read' }));
    await click('button', 'Read the daily again');
    expect(app.views.archive.open?.kind).toBe('daily');
  });

  it('follows the daily: its sections in the reader’s language, a late one, and none', async () => {
    const { daily } = saved();
    const become = (changes: Partial<Today>): void => {
      answerToday(() => changes);
      wire.emit('reports.changed', { kind: 'daily', labels: [] });
    };
    const toGo = daily!.toGo.map((story, index) => ({ ...story, section: index === 0 ? '论文' : '机器人' }));
    become({ daily: { ...daily!, toGo } });
    await waitFor(() => expect(page().getAllByText('机器人')).toHaveLength(toGo.length - 1));
    expect(page().getAllByText('Papers')).toHaveLength(1);
    become({ daily: { ...daily!, label: addDays(daily!.label, -1) } });
    await waitFor(() => page().getByText(/isn’t here yet\. This is the latest one\.$/));
    expect(page().getAllByText(/^The daily of .*17 · /)).toHaveLength(1);
    become({ daily: null });
    await waitFor(() => page().getByText(/^No daily is saved yet\. The next one is due /));
    expect(titles('Hot now')).toHaveLength(3);
    // After a sync, nothing is not "nothing saved".
    const { picks } = saved();
    become({ daily: null, alsoNew: [], topics: [], stories: [], picks: { ...picks, added: 0, rows: [] } });
    await waitFor(() => region('Hot now').getByText('No ranking yet'));
    expect(page().getAllByText(/^No daily is saved yet\. The next one is due /)).toHaveLength(1);
    expect(page().queryByText('Nothing saved yet')).toBeNull();
    expect(page().getAllByRole('region', { name: 'Following' })).toHaveLength(1);
  });
});

describe('Today at first', () => {
  it('says plainly that nothing is saved yet, and why', async () => {
    ({ app, wire } = await openOn({}));
    await showToday();
    expect(page().queryAllByText('Nothing saved yet')).toHaveLength(1);
    expect(page().queryAllByText('Available after the first sync.')).toHaveLength(1);
    const error = { code: 'timeout', message: '', retryable: true } as const;
    const { resources } = await wire.ask('sync.status', {});
    await wire.setStatus({ resources: resources.map((one) => ({ ...one, error })) });
    await settle();
    expect(page().queryAllByText(/^Can’t get news from /)).toHaveLength(1);
    expect(page().queryAllByText('The server took too long to respond.')).toHaveLength(1);
  });

  it('is where the arrow leads back to in one pane, from what was opened there', async () => {
    stubWindowWidth(480);
    onTestFinished(() => void vi.unstubAllGlobals());
    ({ app } = await openOn(STORIES, { withoutRows: true }));
    await showToday();
    await stay(app);
    const topic = saved().topics[2];
    await click('button', topic!.title);
    expect([app.views.current, app.views.hotTopics.topic?.id]).toEqual(['hotTopics', topic!.id]);
    app.navigation.back();
    await waitFor(() => expect(app.views.current).toBe('today'));
  });

  it('says why it can’t be read, and tries again', async () => {
    wire = await openCore(STORIES);
    wire.failing.set('today.get', { code: 'data_unreadable', message: '', retryable: false });
    ({ app } = await openPage(wire, { withoutRows: true }));
    app.navigation.showView('today');
    await waitFor(() => page().getByText('The saved data can’t be read.'));
    wire.failing.clear();
    await click('button', 'Try again');
    expect(page().queryAllByRole('region', { name: 'Hot now' })).toHaveLength(1);
  });

  it('leads an unread daily with its own headline, and opens it at its top', async () => {
    ({ app, wire } = await openOn(STORIES, { withoutRows: true }));
    await showToday();
    expect(page().queryAllByRole('heading', { level: 2, name: saved().daily!.headline! })).toHaveLength(1);
    await click('button', 'Read the daily');
    expect([app.views.archive.open?.kind, app.views.archive.place]).toEqual(['daily', null]);
  });

  it('leads with a new weekly when the daily is read', async () => {
    ({ app, wire } = await openOn(NEWS, { withoutRows: true }));
    await showToday();
    expect(page().getByRole('button', { name: 'Read the weekly' }).className).toContain('link');
    answerToday(({ daily }) => ({ daily: { ...daily!, unread: 0, next: null, toGo: [], more: 0 } }));
    wire.emit('reports.changed', { kind: 'daily', labels: [] });
    const kicker = /^The weekly · March \d+–\d+ · \d+ stories, \d+ minutes$/;
    await waitFor(() => page().getByText(kicker));
    await click('button', 'Read the weekly');
    expect(app.views.archive.open?.kind).toBe('weekly');
  });
});

describe('Today after a holiday', () => {
  const missed = (today: Today): Away => ({
    since: new Date(NOW - 11 * DAY).toISOString(),
    reports: today.alsoNew.filter(({ kind }) => kind === 'weekly'),
    top: [
      {
        ref: { view: 'item', id: 'a' },
        title: 'The hottest',
        sourceCount: 14,
        source: null,
        first: { days: 3, lastAt: new Date(NOW - DAY).toISOString() },
      },
    ],
    older: { count: 0, below: 0, watermark: 0 },
  });

  it('says how long it was, what was missed, and has today’s daily below', async () => {
    wire = await openCore(NEWS);
    answerToday((today) => ({ away: missed(today) }));
    ({ app } = await openPage(wire, { withoutRows: true }));
    await showToday();
    expect(page().queryAllByText('You were last here on Saturday, March 7')).toHaveLength(1);
    expect(page().queryAllByRole('heading', { level: 2, name: '11 days in 1 weekly' })).toHaveLength(1);
    expect(titles('Weeklies')).toEqual([saved().away!.reports[0]!.headline]);
    expect(region('Most covered while you were away').queryAllByText('First for 3 days · 14 sources')).toHaveLength(1);
    expect(titles('Today’s daily')).toEqual(saved().daily!.toGo.map(({ title }) => title));
    expect(page().queryByRole('region', { name: 'Hot now' })).toBeNull();
  });

  it('starts fresh in one step, and z brings everything back', async () => {
    wire = await openCore(NEWS);
    await wire.ask('visits.begin', {});
    wire.pass(4 * DAY);
    ({ app } = await openPage(wire, { withoutRows: true }));
    await showToday();
    const { count } = saved().away!.older;
    expect(count).toBeGreaterThan(0);
    const unread = app.counts!.all.unread;
    expect(page().queryAllByText(new RegExp(`^Marks ${count} older items? as read`))).toHaveLength(1);
    await click('button', 'Mark the rest as read');
    await waitFor(() => page().getByRole('region', { name: 'Hot now' }));
    expect(app.toasts.note?.text).toMatch(/ items? marked as read$/);
    await waitFor(() => expect(app.counts!.all.unread).toBe(unread - count));
    await app.actions.takeBack();
    await waitFor(() => page().getByRole('button', { name: 'Mark the rest as read' }));
    await waitFor(() => expect(app.counts!.all.unread).toBe(unread));
  });
});
