import { m } from '../../src-main/common/i18n/messages.ts';
import type { FrontActions } from '../features/front-page/index.ts';
import type { AppState } from './app-state.svelte.ts';

/** Where the front page leads. */
export function frontActionsOf(app: AppState): FrontActions {
  return {
    front: () => app.showFrontPage(),
    report: (kind, label, story) => app.openReport(kind, label, story),
    topic: (id) => void app.openTopic(id),
    topics: () => app.showView('hotTopics'),
    story: (publicId) => app.openStory(publicId),
    stories: () => {
      app.showView('stories');
      void app.views.stories.load('followed');
    },
    model: (modelList, id) => app.openModel(modelList, id),
    modelChanges: () => void app.navigation.goTo({ view: 'modelChanges' }),
    selected: () => {
      app.reading.close();
      app.show({ kind: 'selected' });
    },
    visit: (which) => {
      app.front.leave();
      void app.feed.overlay.showVisit(which, app.feed.list.query.scope);
    },
    endVisit: () => void app.toasts.complainIfFailed(m.since_last_visit_end_failed(), app.sinceLastVisit.end()),
  };
}
