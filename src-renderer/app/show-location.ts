import type { Location } from '../../src-main/contract/location.ts';
import type { Ref } from '../../src-main/contract/refs.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { queryKey, withFold, type FeedState } from '../features/feed/index.ts';
import type { FrontPageState } from '../features/front-page/index.ts';
import type { ReadingState } from '../features/reading/index.ts';
import type { FocusRegions } from '../ui/focus-regions.ts';
import type { Entry, History } from './history.svelte.ts';
import type { ItemsState } from './items.svelte.ts';
import type { LayoutState } from './layout.svelte.ts';
import type { Navigation } from './navigation/navigation.ts';
import type { ViewsState } from './views.svelte.ts';

export interface LocationApp {
  readonly wire: Wire;
  readonly feed: FeedState;
  readonly focus: FocusRegions;
  readonly front: FrontPageState;
  readonly history: History;
  readonly items: ItemsState;
  readonly layout: LayoutState;
  readonly navigation: Navigation;
  readonly reading: ReadingState;
  readonly views: ViewsState;
}

export function shownIn({ feed, front, history, reading, views }: LocationApp): Location {
  const view = views.current;
  const over = views.inPlace.itemIn(view);
  const above: Ref[] = over ? [{ view: 'item', id: over.id }] : [];
  const { archive, hotTopics, models } = views;
  switch (view) {
    case 'feed': {
      const query = withFold(feed.list.query, false);
      // A result of an online search can't be opened again unless it is saved.
      const open: Ref[] = reading.item && reading.stored ? [{ view: 'item', id: reading.item.id }] : [];
      return { view: front.chosen ? 'today' : 'feed', query, open };
    }
    case 'hotTopics':
    case 'stories': {
      const isGone = view === 'hotTopics' && hotTopics.topic === null;
      const open = isGone ? [] : history.location.open.filter((ref) => ref.view !== 'item');
      return { ...history.location, open: [...open, ...above] };
    }
    case 'archive': {
      const report: Ref[] = archive.open ? [{ view: 'report', ...archive.open }] : [];
      return { view, list: archive.kind, open: [...report, ...above] };
    }
    case 'models':
      return {
        ...{ view, list: models.modelList, panel: models.panel },
        open: models.open ? [{ view: 'model', ...models.open }] : [],
      };
    default:
      return history.location;
  }
}

/** Shows a location as far as it still exists; loads only what differs from the current one. */
export async function showLocation(
  app: LocationApp,
  { location, scroll }: Entry,
  isWanted: () => boolean,
): Promise<void> {
  const { open } = location;
  const find = <V extends Ref['view']>(view: V): Extract<Ref, { view: V }> | undefined =>
    open.find((ref): ref is Extract<Ref, { view: V }> => ref.view === view);
  const item = find('item')?.id ?? null;
  const { archive, models, sources } = app.views;
  switch (location.view) {
    case 'feed':
    case 'today':
      return showFeed(app, { location, scroll }, item, isWanted);
    case 'hotTopics':
    case 'stories':
      app.history.go(location);
      app.navigation.showView(location.view);
      await app.views.ready;
      return isWanted() ? showOver(app, item, isWanted) : undefined;
    case 'archive': {
      app.navigation.showView('archive');
      archive.kind = location.list;
      const report = find('report');
      if (!report) archive.close();
      else if (report.kind !== archive.open?.kind || report.label !== archive.open.label) {
        void archive.show(report.kind, report.label, null, false);
      }
      return showOver(app, item, isWanted);
    }
    case 'models': {
      app.navigation.showView('models');
      models.show(location.list);
      if (models.panel !== location.panel) models.panel = location.panel;
      const model = find('model');
      if (model) models.openModel(model.id, model.modelList);
      else if (models.open !== null) models.back();
      models.words = scroll.find;
      return;
    }
    case 'sources':
      app.navigation.showView('sources');
      sources.search(scroll.find);
      return;
    case 'notes':
    case 'statistics':
      app.navigation.showView(location.view);
  }
}

async function showFeed(
  app: LocationApp,
  { location, scroll: { row } }: Entry,
  item: string | null,
  isWanted: () => boolean,
): Promise<void> {
  const { feed, reading } = app;
  if (location.view !== 'feed' && location.view !== 'today') return;
  const { query } = location;
  app.navigation.showView('feed');
  if (feed.overlay.kind !== null) feed.overlay.close();
  if (location.view === 'today') app.front.choose();
  else app.front.leave();
  if (item === null) reading.close();
  if (queryKey(query) === queryKey(feed.list.query)) feed.scrollTo(row);
  else {
    feed.filter(query, row);
    await feed.ready;
  }
  if (item !== null && isWanted() && reading.item?.id !== item) await app.items.reopen(item);
}

async function showOver({ items, views }: LocationApp, id: string | null, isWanted: () => boolean): Promise<void> {
  const { current, inPlace } = views;
  if (current === 'feed' || (inPlace.itemIn(current)?.id ?? null) === id) return;
  if (id === null) {
    await inPlace.close();
    return;
  }
  const item = await items.saved(id);
  if (item && isWanted() && inPlace.place(current)) inPlace.reading.open(item);
}
