import { beforeEach, describe, expect, it } from 'vitest';
import type { RankedTopic } from '../../../src-main/contract/model/story.ts';
import type { ViewsState } from '../../../src-renderer/app/views.svelte.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { openCore, STORIES, type CoreWire } from '../support/core.ts';
import { openApp } from '../support/page.ts';
import { settle } from '../support/settle.ts';

let wire: CoreWire;
let app: AppState;
let views: ViewsState;
let topics: RankedTopic[];
let first: string;
let second: string;

beforeEach(async () => {
  wire = await openCore(STORIES);
  ({ topics } = await wire.ask('hotTopics.list', {}));
  const { stories } = await wire.ask('stories.list', { which: 'all' });
  [first, second] = stories.map(({ publicId }) => publicId) as [string, string];
  app = await openApp(wire);
  views = app.views;
});

describe('the views', () => {
  it('of saved things and of topics open at the tab that was chosen last', async () => {
    const { navigation } = app;
    navigation.showTabs('saved');
    expect(navigation.tabsIn('feed')?.tabs.map(({ current }) => current)).toEqual([true, false]);
    navigation.tabsIn('feed')?.tabs[1]?.show();
    expect(app.history.view).toBe('notes');
    navigation.showTabs('topics');
    expect(app.history.view).toBe('hotTopics');
    navigation.tabsIn('hotTopics')?.tabs[2]?.show();
    await settle();
    navigation.show({ kind: 'selected' });
    // Where the sidebar is a drawer, it closes.
    app.panel = 'views';
    navigation.showTabs('topics');
    expect(app.history.location).toMatchObject({ view: 'stories', list: 'all' });
    expect(app.panel).toBe(null);
    navigation.showTabs('saved');
    expect(app.history.view).toBe('notes');
    expect(wire.settings.listFilters).toEqual({ saved: '1', topics: '2' });
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
    expect(wire.argsOf('sync.attend')).toEqual(['items', 'hotTopics', null, 'hotTopics', null].map((to) => ({ to })));
  });

  it('repeat the report after a while', () => {
    app.navigation.showView('stories');
    for (let minutes = 0; minutes <= 10; minutes += 1) views.attend(true, minutes * 60_000);
    expect(wire.argsOf('sync.attend')).toEqual(['stories', 'stories', 'stories'].map((to) => ({ to })));
  });

  it('are walked with the same keys as the feed, and go back from a story to the topic, then to the ranking', async () => {
    app.navigation.showView('hotTopics');
    await settle();
    app.actions.step(1);
    app.actions.step(1);
    expect(views.hotTopics.topic?.rank).toBe(2);
    app.actions.openOriginal();
    expect(wire.argsOf('links.open')).toEqual([{ url: topics[1]!.links.original }]);
    const { hotTopics } = views;
    hotTopics.open(hotTopics.ranking.value!.topics[0]!);
    app.history.open({ view: 'story', publicId: first });
    app.history.open({ view: 'story', publicId: second });
    expect([views.back(), hotTopics.storyId]).toEqual([false, first]);
    expect([views.back(), hotTopics.shown?.rank]).toEqual([false, 1]);
    expect([views.back(), hotTopics.topic]).toEqual([true, null]);
  });
});
