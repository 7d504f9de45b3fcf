import { m } from '../../src-main/common/i18n/messages.ts';
import type { ReportKind } from '../../src-main/contract/model/report.ts';
import type { ModelListName } from '../../src-main/contract/model/resource.ts';
import type { FeedState, ViewId } from '../features/feed/index.ts';
import type { FrontActions, FrontPageState } from '../features/front-page/index.ts';
import type { ReadingState } from '../features/reading/index.ts';
import type { SinceLastVisitState } from '../features/since-last-visit/index.ts';
import type { ToastsState } from '../ui/feedback/toasts.svelte.ts';
import type { Navigation } from './navigation.svelte.ts';
import type { ViewName, ViewsState } from './views.svelte.ts';

/** What the front page leads to. */
interface App {
  readonly feed: FeedState;
  readonly front: FrontPageState;
  readonly navigation: Navigation;
  readonly reading: ReadingState;
  readonly sinceLastVisit: SinceLastVisitState;
  readonly toasts: ToastsState;
  readonly views: ViewsState;
  openModel(modelList: ModelListName, id: string): void;
  openReport(kind: ReportKind, label: string, story?: string | null): void;
  openStory(publicId: string): void;
  openTopic(id: string): Promise<void>;
  show(view: ViewId): void;
  showFrontPage(): void;
  showView(view: ViewName): void;
}

/** Where the front page leads. */
export function frontActionsOf(app: App): FrontActions {
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
