import { queryKey, withFold } from '../../features/feed/index.ts';
import { topicKey } from '../../features/topics/index.ts';
import type { RecentTarget } from '../../features/palette/index.ts';
import type { Place, Shown } from './place.ts';
import type { PlacesApp } from './places-app.ts';

export function shownIn({ feed, front, reading, views }: PlacesApp): Shown {
  const view = views.current;
  const over = views.inPlace.itemIn(view)?.id ?? null;
  const { archive, hotTopics, models, stories } = views;
  switch (view) {
    case 'feed': {
      // A result of an online search can't be opened again unless it is saved.
      const item = reading.stored ? (reading.item?.id ?? null) : null;
      return { view, query: withFold(feed.list.query, false), item, front: front.chosen };
    }
    case 'hotTopics':
      return { view, topic: hotTopics.topic && topicKey(hotTopics.topic), story: hotTopics.backStack.id, over };
    case 'stories':
      return { view, list: stories.which, story: stories.backStack.id, over };
    case 'archive':
      return { view, kind: archive.kind, report: archive.open, over };
    case 'models':
      return { view, modelList: models.modelList, panel: models.panel, model: models.open?.id ?? null };
    default:
      return { view };
  }
}

/** Returns the open item if it can be opened again; null for a list. */
export function openIn({ reading, views }: PlacesApp): RecentTarget | null {
  const { current, inPlace, backStack, archive, models } = views;
  const item = inPlace.itemIn(current) ?? (current === 'feed' ? reading.item : null);
  if (item) return { view: 'item', id: item.id };
  if (backStack?.id) return { view: 'story', publicId: backStack.id };
  if (current === 'archive' && archive.open) return { view: 'report', ...archive.open };
  return current === 'models' && models.open ? { view: 'model', ...models.open } : null;
}

/** Shows a place again as far as it still exists; loads only what differs from the current place. */
export async function showPlace(app: PlacesApp, { shown, at }: Place, isWanted: () => boolean): Promise<void> {
  if (shown.view === 'feed') return showFeed(app, shown, at.row, isWanted);
  app.navigation.showView(shown.view);
  const { archive, hotTopics, models, sources, stories } = app.views;
  switch (shown.view) {
    case 'hotTopics':
      await app.views.ready;
      if (!isWanted()) return;
      if (shown.topic !== (hotTopics.topic && topicKey(hotTopics.topic))) {
        const topic = hotTopics.find(shown.topic);
        if (topic) void hotTopics.open(topic);
        else hotTopics.close();
      }
      if (shown.story === null) hotTopics.backStack.close();
      else if (shown.story !== hotTopics.backStack.id && hotTopics.topic) void hotTopics.backStack.open(shown.story);
      return showOver(app, shown.over, isWanted);
    case 'stories':
      if (shown.list !== stories.which) await stories.load(shown.list);
      if (!isWanted()) return;
      if (shown.story === null) stories.backStack.close();
      else if (shown.story !== stories.backStack.id) void stories.open(shown.story);
      return showOver(app, shown.over, isWanted);
    case 'archive': {
      archive.kind = shown.kind;
      const { report } = shown;
      if (report === null) archive.close();
      else if (report.kind !== archive.open?.kind || report.label !== archive.open.label) {
        void archive.show(report.kind, report.label, null, false);
      }
      return showOver(app, shown.over, isWanted);
    }
    case 'models':
      models.show(shown.modelList);
      if (models.panel !== shown.panel) models.panel = shown.panel;
      if (shown.model !== null) models.openModel(shown.model, shown.modelList);
      else if (models.open !== null) models.back();
      models.words = at.find;
      return;
    case 'sources':
      sources.search(at.find);
      return;
    default:
      return;
  }
}

async function showFeed(
  app: PlacesApp,
  { query, item, front }: Extract<Shown, { view: 'feed' }>,
  row: Place['at']['row'],
  isWanted: () => boolean,
): Promise<void> {
  const { feed, reading } = app;
  app.navigation.showView('feed');
  if (feed.overlay.kind !== null) feed.overlay.close();
  if (front) app.front.choose();
  else app.front.leave();
  if (item === null) reading.close();
  if (queryKey(query) === queryKey(feed.list.query)) feed.list.scrollTo(row);
  else {
    feed.filter(query, row);
    await feed.ready;
  }
  if (item !== null && isWanted() && reading.item?.id !== item) await app.items.reopen(item);
}

/** Shows an item over a story or a report, or none. */
async function showOver({ items, views }: PlacesApp, id: string | null, isWanted: () => boolean): Promise<void> {
  const { current, inPlace } = views;
  if (current === 'feed' || (inPlace.itemIn(current)?.id ?? null) === id) return;
  if (id === null) {
    await inPlace.close();
    return;
  }
  const item = await items.saved(id);
  if (item && isWanted() && inPlace.place(current)) inPlace.reading.open(item);
}
