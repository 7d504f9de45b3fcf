import { tick } from 'svelte';
import {
  isListOfItems,
  openItem,
  writeLocation,
  type Location,
  type LocationIn,
  type ViewName,
} from '../../src-main/contract/location.ts';
import { instant, sameDay } from '../../src-main/common/time.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { FeedState } from '../features/feed/index.ts';
import type { ReadingState } from '../features/reading/index.ts';
import type { RulesState } from '../features/rules/index.ts';
import type { FocusRegions } from '../ui/focus-regions.ts';
import { leaveDialogs } from '../ui/open-dialogs.ts';
import { FIRST, History, parseEntry, type Entry } from './history.svelte.ts';
import { scrollBack, scrolledIn, TOP, type Scroll } from './scroll.ts';
import type { LayoutState } from './layout.svelte.ts';
import type { ViewsState } from './views.svelte.ts';

interface App {
  readonly wire: Wire;
  readonly feed: FeedState;
  readonly focus: FocusRegions;
  readonly layout: LayoutState;
  readonly reading: ReadingState;
  readonly rules: RulesState;
  readonly views: ViewsState;
}

/** Connects the history with the views, their scroll positions and the place that is kept for the next start. */
export class LocationState {
  readonly #app: App;
  readonly history: History;
  #isShown = $state(false);
  #reopens = $state(0);
  #entered: ViewName = 'feed';
  /** Resolves when what is open is read. */
  #reached = Promise.resolve();
  #focusOpen = (): void => undefined;
  #stopScrolling = (): void => undefined;

  constructor(app: App) {
    this.#app = app;
    this.history = new History({
      measure: () => this.#measure(),
      enter: (entry) => this.#enter(entry),
      show: (entry, isWanted) => this.#return(entry, isWanted),
      // A full disk is reported by other writes that fail.
      save: async (place) => {
        app.views.today.arrive();
        return (await app.wire.call('app.savePlace', { place })).ok;
      },
    });
  }

  /** True until what was open in a list is, if it is still there. */
  get isReopening(): boolean {
    return this.#reopens > 0;
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  /** Returns where the reader was before the page was reloaded, or closed on the same day: a day begins with Today. */
  async before(): Promise<Entry> {
    // A page with an entry in its history needs no request.
    const { reloaded } = this.history;
    if (reloaded) return reloaded;
    const reply = await this.#app.wire.call('app.lastPlace', {});
    const { place, savedAt } = reply.ok ? reply.value : { place: null, savedAt: null };
    const isOfToday = sameDay(instant(savedAt) ?? 0, Date.now());
    return (isOfToday ? parseEntry(place) : null) ?? { location: FIRST.today, scroll: TOP };
  }

  /** Loads the feed, and shows where the reader was, or its view if that is gone. Null leaves the page where it is. */
  async start(before: Entry | null): Promise<void> {
    const { feed } = this.#app;
    const loaded =
      before && 'query' in before.location ? feed.load(before.location.query, before.scroll.row) : feed.load();
    if (before) this.history.restore(before);
    await loaded;
    await this.#reached;
    this.#isShown = true;
  }

  /**
   * Follows the reader from now on. Returns a function that stops it.
   *
   * @param focusOpen moves the focus to what is open
   */
  follow(focusOpen: () => void): () => void {
    this.#focusOpen = focusOpen;
    const { scroll } = this.history;
    void tick().then(() => this.#scrollBack(scroll));
    const end = this.history.begin();
    return () => {
      end();
      this.#stopScrolling();
    };
  }

  /**
   * Reopens what was open in a list when it was left, or else closes what is open of another list. With one pane that
   * would cover the list.
   */
  async reopen(left: Entry | null): Promise<void> {
    this.#reopens += 1;
    try {
      await this.#reopen(left);
    } finally {
      this.#reopens -= 1;
    }
  }

  async #reopen(left: Entry | null): Promise<void> {
    const { feed, layout, reading, rules, focus } = this.#app;
    const id = left && openItem(left.location);
    const opened = openItem(this.history.location);
    const chosen = writeLocation(this.history.location);
    if ((opened !== null && id === opened) || layout.panes === 'one') return;
    const [isGone] = await Promise.all([id === null || reading.isGone(id), feed.ready]);
    if (writeLocation(this.history.location) !== chosen) return;
    if (id === null || isGone || (!feed.query.muted && rules.hides(id))) {
      if (opened !== null && feed.placeOf(opened) < 0) this.history.drop();
      return;
    }
    feed.reopened = id;
    this.history.go({ ...this.history.in('feed'), open: [{ view: 'item', id }] });
    await tick();
    if (reading.item?.id !== id) return;
    this.#stopScrolling();
    this.#stopScrolling = scrollBack(focus, 'feed', { ...TOP, text: left?.scroll.text ?? 0 });
  }

  #measure(): Scroll {
    const { feed, focus, views } = this.#app;
    const { current, models, sources } = views;
    const find = current === 'sources' ? sources.text : current === 'models' ? models.words : '';
    return { row: current === 'feed' ? feed.place : null, ...scrolledIn(focus, current), find };
  }

  /** A window of its own has no lists. */
  #enter({ location, scroll }: Entry): void {
    const { feed, layout, views } = this.#app;
    if (layout.ownWindow) return;
    const { view } = this.history;
    const isShown = location === this.history.location;
    const isReturn = isShown && this.history.isReturn;
    if (view !== this.#entered) views.enter(view);
    this.#entered = view;
    if (isListOfItems(location)) feed.enter(location, scroll.row, isReturn);
    if (location.view === 'models') views.models.enter();
    if (location.view === 'search') views.search.enter();
    if (isReturn && location.view === 'models') views.models.words = scroll.find;
    if (isReturn && location.view === 'sources') views.sources.search(scroll.find);
    if (isReturn) this.#reached = this.#reach(location);
  }

  /** Reads what a location opens again, and closes it if it is gone. */
  async #reach(location: Location): Promise<void> {
    if (location.view === 'today') await this.#app.views.ready;
    if (location.view === 'hotTopics') await this.#reachTopic(location);
    const id = openItem(location);
    const isGone = id !== null && (await this.#app.reading.isGone(id));
    if (isGone && this.history.location.open === location.open) this.history.drop();
  }

  /** A topic that has left the ranking has nothing to show, unless it is open already. */
  async #reachTopic({ open }: LocationIn<'hotTopics'>): Promise<void> {
    const { hotTopics, ready } = this.#app.views;
    await ready;
    if (hotTopics.topic === null && open.length > 0 && this.history.location.open === open) this.history.drop(0);
  }

  /** Shows an entry again, with its focus and scroll positions. */
  async #return(entry: Entry, isWanted: () => boolean): Promise<void> {
    this.#stopScrolling();
    leaveDialogs();
    await this.#reached;
    await tick();
    if (!isWanted()) return;
    this.#focusOpen();
    this.#scrollBack(entry.scroll);
  }

  #scrollBack(scroll: Scroll): void {
    this.#stopScrolling = scrollBack(this.#app.focus, this.history.view, scroll);
  }
}

/** Returns a function that says if the reader has done something in this page since. */
export function firstTouch(): () => boolean {
  let touched = false;
  const touch = (): void => {
    touched = true;
  };
  for (const name of ['pointerdown', 'keydown']) {
    window.addEventListener(name, touch, { capture: true, once: true, passive: true });
  }
  return () => touched;
}
