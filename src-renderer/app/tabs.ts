import { storiesLists } from '../../src-main/common/i18n/labels.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import { SOURCES_PANELS, type StoryList, type ViewName } from '../../src-main/contract/location.ts';
import type { ItemsQuery } from '../../src-main/contract/model/item.ts';
import type { LiveAnswers } from '../api/live.ts';
import { viewOf, type FeedState } from '../features/feed/index.ts';
import type { SourcesState } from '../features/sources/index.ts';
import type { StoriesState } from '../features/topics/index.ts';
import type { PageNavigation, PageSettings, Tab, Tabs } from '../ui/page-context.ts';
import type { History } from './history.svelte.ts';

interface App {
  readonly feed: FeedState;
  readonly history: History;
  readonly live: LiveAnswers;
  readonly settings: Pick<PageSettings, 'current' | 'set'>;
  readonly views: { readonly sources: SourcesState; readonly stories: StoriesState };
}

type To = Pick<PageNavigation, 'show' | 'showView'>;

/** Returns the lists of the subject that a view belongs to, under one name; null if it is alone. */
export function tabsOf(app: App, to: To, view: ViewName): Tabs | null {
  const { list } = app.history.in('stories');
  switch (view) {
    case 'feed':
      return isStarred(app.feed.query) ? saved(app, to, 'feed') : null;
    case 'notes':
      return saved(app, to, 'notes');
    case 'hotTopics':
      return topics(app, to, 'hot');
    case 'stories':
      return list === 'starred' ? saved(app, to, 'stories') : topics(app, to, list);
    case 'sources':
      return sources(app);
    default:
      return null;
  }
}

function isStarred(query: ItemsQuery): boolean {
  return query.text === undefined && viewOf(query).kind === 'starred';
}

/** Returns the tab of a subject that was chosen last, which may be gone. */
export function lastTab(app: App, to: To, subject: 'saved' | 'topics'): Tab | undefined {
  const { tabs } = (subject === 'saved' ? saved : topics)(app, to, null);
  return tabs[Number(app.settings.current.listFilters[subject])] ?? tabs[0];
}

function remembered({ settings }: App, subject: 'saved' | 'topics', tabs: readonly Tab[]): Tab[] {
  return tabs.map((tab, index) => ({
    ...tab,
    show: () => {
      void settings.set({ listFilters: { ...settings.current.listFilters, [subject]: String(index) } });
      tab.show();
    },
  }));
}

/** Starred topics have a tab as soon as there are some. */
function saved(app: App, to: To, shown: 'feed' | 'notes' | 'stories' | null): Tabs {
  const { live, views } = app;
  const hasTopics = (live.get('stories.list', { which: 'starred' }).value?.stories.length ?? 0) > 0;
  const tabs: Tab[] = [
    { name: m.views_starred(), current: shown === 'feed', show: () => to.show({ kind: 'starred' }) },
    { name: m.views_notes(), current: shown === 'notes', show: () => to.showView('notes') },
  ];
  const ofTopics = {
    name: m.views_topics(),
    current: shown === 'stories',
    show: () => views.stories.choose('starred'),
  };
  const all = hasTopics || ofTopics.current ? [...tabs, ofTopics] : tabs;
  return { label: m.views_saved(), tabs: remembered(app, 'saved', all) };
}

function topics(app: App, to: To, shown: 'hot' | StoryList | null): Tabs {
  const { views } = app;
  const stories = (['followed', 'all'] as const).map((list) => ({
    name: storiesLists[list](),
    current: shown === list,
    show: () => views.stories.choose(list),
  }));
  const hot = { name: m.topics_hot(), current: shown === 'hot', show: () => to.showView('hotTopics') };
  return { label: m.views_topics(), tabs: remembered(app, 'topics', [hot, ...stories]) };
}

function sources({ views: { sources: state } }: App): Tabs {
  const tabs = SOURCES_PANELS.map((panel) => ({
    name: panel === 'list' ? m.sources_list() : m.views_statistics(),
    current: state.panel === panel,
    show: () => state.show(panel),
  }));
  return { label: m.views_sources(), tabs };
}
