import type { FeedState } from '../../features/feed/index.ts';
import type { FrontActions, FrontPageState } from '../../features/front-page/index.ts';
import type { ReadingState } from '../../features/reading/index.ts';
import type { Navigation } from './navigation.ts';
import type { Targets } from './targets.ts';
import type { ViewsState } from '../views.svelte.ts';

interface App {
  readonly feed: FeedState;
  readonly front: FrontPageState;
  readonly navigation: Navigation;
  readonly reading: ReadingState;
  readonly targets: Targets;
  readonly views: ViewsState;
}

/** Returns the actions that lead from the front page. */
export function frontActionsOf(app: App): FrontActions {
  const { navigation } = app;
  return {
    front: () => navigation.showFrontPage(),
    report: (kind, label, story) => navigation.openReport(kind, label, story),
    topic: (id) => void navigation.openTopic(id),
    topics: () => navigation.showView('hotTopics'),
    story: (publicId) => navigation.openStory(publicId),
    stories: () => {
      navigation.showView('stories');
      app.views.stories.choose('followed');
    },
    model: (modelList, id) => navigation.openModel(modelList, id),
    modelChanges: () => void app.targets.goTo({ view: 'modelChanges' }),
    selected: () => {
      app.reading.close();
      navigation.show({ kind: 'selected' });
    },
    visit: (which) => {
      app.front.leave();
      void app.feed.overlay.showVisit(which, app.feed.list.query.scope);
    },
  };
}
