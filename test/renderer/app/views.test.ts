import { beforeEach, describe, expect, it } from 'vitest';
import type { ViewsState } from '../../../src-renderer/app/views.svelte.ts';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { MemoryWire } from '../support/memory-wire.ts';
import { settle } from '../support/settle.ts';

const NOW = Date.now();

let wire: MemoryWire;
let app: AppState;
let views: ViewsState;

beforeEach(async () => {
  wire = new MemoryWire(
    Array.from({ length: 10 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true })),
    NOW,
  );
  app = new AppState(wire);
  await app.load();
  views = app.views;
});

const calls = (method: string): unknown[] =>
  wire.calls.filter((call) => call.method === method).map(({ args }) => args);

describe('the views', () => {
  it('keep their state while another is shown', async () => {
    app.navigation.showView('stories');
    await views.stories.open('story-2');
    app.navigation.show({ kind: 'selected' });
    app.navigation.showView('stories');
    expect(views.stories.backStack.story?.publicId).toBe('story-2');
  });

  it('leave the feed as it was', async () => {
    app.feed.filter({ ...app.feed.list.query, window: '7d' });
    await settle();
    app.navigation.showView('hotTopics');
    app.navigation.show({ kind: 'selected' });
    expect(app.feed.list.query.window).toBe('7d');
  });

  it('report to the core what is visible, and when nothing is', () => {
    const minute = 60_000;
    views.attend(true, 0);
    app.navigation.showView('hotTopics');
    views.attend(true, 0);
    views.attend(true, minute);
    views.attend(false, minute);
    views.attend(false, 9 * minute);
    views.attend(true, 9 * minute);
    app.navigation.showView('archive');
    views.attend(true, 9 * minute);
    expect(calls('sync.attend')).toEqual(['items', 'hotTopics', null, 'hotTopics', null].map((to) => ({ to })));
  });

  it('repeat the report after a while', () => {
    app.navigation.showView('stories');
    for (let minutes = 0; minutes <= 10; minutes += 1) views.attend(true, minutes * 60_000);
    expect(calls('sync.attend')).toEqual(['stories', 'stories', 'stories'].map((to) => ({ to })));
  });

  it('close what is open of another service', async () => {
    app.navigation.showView('hotTopics');
    await settle();
    await views.hotTopics.open(views.hotTopics.ranking.value!.topics[0]!);
    wire.setStatus({ source: { address: 'https://other.example', demo: false, from: 'settings' } });
    await settle();
    expect(views.hotTopics.opened).toBe(false);
  });

  it('are walked with the same keys as the feed', async () => {
    app.navigation.showView('hotTopics');
    await settle();
    app.actions.step(1);
    app.actions.step(1);
    expect(views.hotTopics.topic?.rank).toBe(2);
    app.actions.openOriginal();
    expect(calls('links.open')).toEqual([{ url: 'https://news.example/1' }]);
  });
});

describe('hot topics', () => {
  beforeEach(async () => {
    app.navigation.showView('hotTopics');
    await settle();
  });

  it('count a topic as read when it is opened', async () => {
    const { hotTopics } = views;
    await hotTopics.open(hotTopics.ranking.value!.topics[0]!);
    await settle();
    expect(hotTopics.item?.id).toBe('item-0');
    expect(hotTopics.ranking.value?.topics[0]?.readAt).not.toBeNull();
    expect(wire.rows[0]?.state.readAt).not.toBeNull();
  });

  it('update the open topic with the ranking, and keep it when it leaves the ranking', async () => {
    const { hotTopics } = views;
    await hotTopics.open(hotTopics.ranking.value!.topics[1]!);
    const [first, second, ...rest] = wire.views.ranking.topics;
    wire.views.ranking = { ...wire.views.ranking, topics: [{ ...second!, rank: 1 }, ...rest] };
    wire.emit('hotTopics.changed', {});
    await settle();
    expect(hotTopics.topic?.rank).toBe(1);
    wire.views.ranking = { ...wire.views.ranking, topics: [first!] };
    wire.emit('hotTopics.changed', {});
    await settle();
    expect([hotTopics.topic?.rank, hotTopics.ranked]).toEqual([1, false]);
  });

  it('go back from a story to the topic, then to the ranking', async () => {
    const { hotTopics } = views;
    await hotTopics.open(hotTopics.ranking.value!.topics[0]!);
    await hotTopics.backStack.open('story-0');
    await hotTopics.backStack.follow('story-1');
    expect([views.back(), hotTopics.backStack.id]).toEqual([false, 'story-0']);
    expect([views.back(), hotTopics.backStack.id]).toEqual([false, null]);
    expect([views.back(), hotTopics.opened]).toEqual([true, false]);
  });

  it('keep the last ranking if a new one can’t be read', async () => {
    wire.failing.set('hotTopics.list', { code: 'unreachable', message: '', retryable: true });
    await views.hotTopics.load();
    expect(views.hotTopics.ranking.value?.topics).toHaveLength(7);
    expect(views.hotTopics.ranking.failure?.code).toBe('unreachable');
  });
});

describe('a story', () => {
  const story = () => views.stories.backStack.story;

  it('is shown from the saved data before it is fetched', async () => {
    const opened = views.stories.open('story-0');
    await settle();
    await opened;
    const asked = wire.calls.map(({ method }) => method).filter((method) => method.startsWith('stories.'));
    expect(asked.indexOf('stories.get')).toBeLessThan(asked.indexOf('stories.open'));
    expect(story()?.publicId).toBe('story-0');
  });

  it('stays as it was saved if it can’t be fetched', async () => {
    wire.failing.set('stories.open', { code: 'timeout', message: '', retryable: true });
    await views.stories.open('story-0');
    expect(story()?.publicId).toBe('story-0');
    expect(views.stories.backStack.reading.failure?.code).toBe('timeout');
  });

  it('that is not saved either is no longer available', async () => {
    await views.stories.open('story-99');
    expect([story(), views.stories.backStack.reading.failure?.code]).toEqual([null, 'not_found']);
  });

  it('that was merged shows the story it became part of', async () => {
    wire.views.aliases.set('story-old', 'story-1');
    await views.stories.open('story-old');
    expect([story()?.publicId, views.stories.backStack.merged]).toEqual(['story-1', true]);
    await views.stories.open('story-1');
    expect(views.stories.backStack.merged).toBe(false);
  });

  it('keeps its marks for news while it is open, and has none when opened again', async () => {
    const fresh = { reportIds: ['story-0-report-0'], digest: true };
    wire.views.stories.set('story-0', { ...wire.views.story('story-0'), fresh });
    await views.stories.open('story-0');
    expect(views.stories.backStack.fresh).toEqual(fresh);
    wire.emit('stories.changed', { publicIds: ['story-0'] });
    await settle();
    expect(views.stories.backStack.fresh).toEqual(fresh);
    await views.stories.open('story-0');
    expect(views.stories.backStack.fresh).toEqual({ reportIds: [], digest: false });
  });

  it('is followed and starred at once, and undone if that fails', async () => {
    app.navigation.showView('stories');
    await views.stories.open('story-0');
    void views.stories.toggleFollow();
    expect(story()?.followedAt).not.toBeNull();
    await settle();
    expect(wire.views.story('story-0').followedAt).not.toBeNull();
    wire.failing.set('stories.star', { code: 'disk_full', message: '', retryable: true });
    app.actions.toggleStar();
    expect(story()?.starredAt).not.toBeNull();
    await settle();
    expect(story()?.starredAt).toBeNull();
    expect(app.toasts.note?.tone).toBe('problem');
  });

  it('is not shown in another list; the count of followed stories is kept up to date', async () => {
    const followed = { followedAt: 'x', fresh: { reportIds: ['story-3-report-0'], digest: false } };
    wire.views.stories.set('story-3', { ...wire.views.story('story-3'), ...followed });
    wire.emit('stories.changed', { publicIds: ['story-3'] });
    await settle();
    expect(views.stories.news).toBe(1);
    await views.stories.load('followed');
    expect(views.stories.lines.map(({ publicId }) => publicId)).toEqual(['story-3']);
    await views.stories.open('story-3');
    expect(views.stories.news).toBe(0);
  });
});
