import { m } from '../../../src-main/common/i18n/messages.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { ReportKind } from '../../../src-main/contract/model/report.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { sameView, viewOf, type FeedState, type ViewId } from '../../features/feed/index.ts';
import type { FrontPageState } from '../../features/front-page/index.ts';
import type { ReadingState } from '../../features/reading/index.ts';
import type { Layout, Toasts, Windows } from '../../ui/page-context.ts';
import type { ItemsState } from '../items.svelte.ts';
import type { Panel } from '../panels.ts';
import type { ViewName } from '../../../src-main/contract/location.ts';
import type { ViewsState } from '../views.svelte.ts';

interface App {
  readonly wire: Wire;
  readonly feed: FeedState;
  readonly front: FrontPageState;
  readonly items: ItemsState;
  readonly layout: Layout;
  readonly location: { reopen: () => Promise<void> };
  readonly reading: ReadingState;
  readonly toasts: Toasts;
  readonly views: ViewsState;
  readonly windows: Windows;
  panel: Panel | null;
}

/** Shows views, and opens items, stories, reports, topics and models in them. */
export class Navigation {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Shows a view as it was left. */
  showView(view: ViewName): void {
    this.#app.panel = null;
    this.#app.views.show(view);
  }

  /** Shows a view of the feed. Returning to the current one leaves it as it was. */
  show(view: ViewId): void {
    const { feed, front, layout, location, reading, views } = this.#app;
    front.leave();
    const { query } = feed.list;
    const returns = views.current !== 'feed' && query.text === undefined && sameView(view, viewOf(query));
    this.showView('feed');
    // With one pane an open item would cover the list.
    if (!returns && layout.panes === 'one') reading.close();
    if (returns) feed.overlay.close();
    else {
      feed.show(view);
      void location.reopen();
    }
  }

  /** True if the feed's reading pane has content, even where it covers the list. */
  get feedReads(): boolean {
    const { front, layout, reading } = this.#app;
    return reading.item !== null || (layout.panes === 'one' && front.chosen);
  }
  /** True if the front page was opened and is visible. */
  get frontShown(): boolean {
    const { front, reading, views } = this.#app;
    return views.current === 'feed' && front.chosen && reading.item === null;
  }

  /** Shows the front page: in place of the list with one pane, otherwise beside it. */
  showFrontPage(): void {
    this.showView('feed');
    this.#app.reading.close();
    this.#app.front.choose();
  }

  /** Closes the open item, or leaves the front page for the list. */
  leaveReading(): void {
    const { front, reading } = this.#app;
    if (reading.item) reading.close();
    else front.leave();
  }

  /** Opens a report, at the story with the key `story` if there is one. */
  openReport(kind: ReportKind, label: string, story: string | null = null): void {
    const { archive } = this.#app.views;
    this.showView('archive');
    archive.kind = kind;
    void archive.show(kind, label, story);
  }

  /** Opens the page of a story; from a window of its own, which has no other views, in another window. */
  openStory(publicId: string): void {
    if (this.#app.layout.ownWindow) {
      void this.#app.windows.open({ view: 'story', publicId });
      return;
    }
    this.showView('stories');
    this.#app.views.stories.open(publicId);
  }

  /** Opens a hot topic by its key or its item's id if it is still ranked. */
  async openTopic(name: string): Promise<void> {
    this.showView('hotTopics');
    await this.#app.views.hotTopics.openBy(name);
  }

  async showItem(id: string): Promise<void> {
    const item = await this.#savedItem(id);
    if (!item) return;
    this.showView('feed');
    this.#app.feed.overlay.close();
    this.#app.items.open(item);
  }

  /** Opens a saved item over the open part of the current view, else in the feed. */
  async showItemInPlace(id: string): Promise<void> {
    const { items, layout, views } = this.#app;
    const view = views.current;
    if (view === 'feed' || layout.ownWindow) return this.showItem(id);
    const item = await this.#savedItem(id);
    if (item && view === views.current && views.inPlace.place(view)) items.openInPlace(item);
  }

  openModel(modelList: ModelListName, id: string): void {
    this.showView('models');
    this.#app.views.models.openModel(id, modelList);
  }

  /** Shows the list of all saved items that match a text; an empty one ends the search. */
  find(text: string): void {
    const { feed, front, layout, reading } = this.#app;
    front.leave();
    this.showView('feed');
    if (layout.panes === 'one') reading.close();
    feed.search(text);
  }

  /** Shows the online search with an initial text. Sends nothing until it is started. */
  searchOnline(text: string): void {
    this.showView('feed');
    if (this.#app.layout.panes === 'one') this.leaveReading();
    this.#app.feed.overlay.openOnline(text);
  }

  /** Returns null if it can't be read, which is reported. */
  async #savedItem(id: string): Promise<StoredItem | null> {
    const { toasts, wire } = this.#app;
    const reply = await wire.call('items.get', { id });
    if (reply.ok) return reply.value;
    if (reply.error.code === 'not_found') toasts.show(m.missing_item(), { tone: 'problem' });
    else toasts.complain(m.failure_title(), reply.error);
    return null;
  }
}
