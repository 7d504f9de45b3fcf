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
    views.stories.open('story-2');
    app.navigation.show({ kind: 'selected' });
    app.navigation.showView('stories');
    expect(views.stories.id).toBe('story-2');
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
    views.hotTopics.open(views.hotTopics.ranking.value!.topics[0]!);
    wire.setStatus({ source: { address: 'https://other.example', demo: false, from: 'settings' } });
    await settle();
    expect(views.hotTopics.topic).toBeNull();
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

  it('go back from a story to the topic, then to the ranking', async () => {
    const { hotTopics } = views;
    hotTopics.open(hotTopics.ranking.value!.topics[0]!);
    app.history.open({ view: 'story', publicId: 'story-0' });
    app.history.open({ view: 'story', publicId: 'story-1' });
    expect([views.back(), hotTopics.storyId]).toEqual([false, 'story-0']);
    expect([views.back(), hotTopics.storyId]).toEqual([false, null]);
    expect([views.back(), hotTopics.topic]).toEqual([true, null]);
  });
});
