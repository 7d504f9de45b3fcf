import { tick } from 'svelte';
import type { Location } from '../../src-main/contract/location.ts';
import { queryKey } from '../features/feed/index.ts';
import { leaveDialogs } from '../ui/open-dialogs.ts';
import { History, parseEntry, type Entry } from './history.svelte.ts';
import { scrollBack, scrolledIn, TOP, type Scroll } from './scroll.ts';
import { shownIn, showLocation, type LocationApp } from './show-location.ts';

/** Connects the history with the views, their scroll positions and the place that is kept for the next start. */
export class LocationState {
  readonly #app: LocationApp;
  readonly history: History;
  #first = $state.raw<Entry | null>(null);
  #focusOpen = (): void => undefined;
  #stopScrolling = (): void => undefined;

  constructor(app: LocationApp) {
    this.#app = app;
    this.history = new History({
      measure: () => this.#measure(),
      show: (entry, isWanted) => this.#return(entry, isWanted),
      // A full disk is reported by other writes that fail.
      save: async (place) => (await app.wire.call('app.savePlace', { place })).ok,
    });
  }

  get isShown(): boolean {
    return this.#first !== null;
  }

  /** Returns where the reader was before the page was reloaded or closed. */
  async before(): Promise<Entry | null> {
    // A page with an entry in its history needs no request.
    const { reloaded } = this.history;
    if (reloaded) return reloaded;
    const reply = await this.#app.wire.call('app.lastPlace', {});
    return reply.ok ? parseEntry(reply.value.place) : null;
  }

  /**
   * Loads the feed, and shows where the reader was, or its view if that is gone.
   *
   * @param touched true if the reader has done something in a page that is still starting: that is then kept
   */
  async start(entry: Entry | null, touched: () => boolean): Promise<void> {
    const { feed } = this.#app;
    const before = touched() ? null : entry;
    const location = before?.location;
    const hasQuery = location?.view === 'feed' || location?.view === 'today';
    await (before && hasQuery ? feed.load(location.query, before.scroll.row) : feed.load());
    if (before && !touched()) await showLocation(this.#app, before, () => !touched());
    this.#first = { location: shownIn(this.#app), scroll: (!touched() && before?.scroll) || TOP };
  }

  /**
   * Follows the reader from now on. Returns a function that stops it.
   *
   * @param focusOpen moves the focus to what is open
   */
  follow(focusOpen: () => void): () => void {
    if (!this.#first) return () => undefined;
    this.#focusOpen = focusOpen;
    const { location, scroll } = this.#first;
    void tick().then(() => this.#scrollBack(scroll));
    const ends = [
      this.history.begin(location, scroll),
      $effect.root(() => {
        $effect(() => {
          const shown = shownIn(this.#app);
          if (!this.history.returning) this.history.go(shown);
        });
      }),
    ];
    return () => {
      for (const end of ends) end();
      this.#stopScrolling();
    };
  }

  /**
   * Reopens the item that was open in the list that the reader returned to. Does nothing with one pane, where it would
   * cover the list.
   */
  async reopen(): Promise<void> {
    const { feed, items, layout, reading, focus } = this.#app;
    const { query } = feed.list;
    const key = queryKey(query);
    const open = reading.item?.id ?? null;
    const before = this.history.leftIn({ view: 'feed', query });
    const top = before?.location.open.at(-1);
    if (top?.view !== 'item' || top.id === open || layout.panes === 'one') return;
    const isWanted = (): boolean => queryKey(feed.list.query) === key && (reading.item?.id ?? null) === open;
    await feed.ready;
    if (!isWanted()) return;
    await items.reopen(top.id);
    await tick();
    if (reading.item?.id !== top.id) return;
    this.#stopScrolling();
    this.#stopScrolling = scrollBack(focus, 'feed', { ...TOP, text: before?.scroll.text ?? 0 });
  }

  #measure(): Scroll {
    const { feed, focus, views } = this.#app;
    const { current, models, sources } = views;
    const find = current === 'sources' ? sources.text : current === 'models' ? models.words : '';
    return { row: current === 'feed' ? feed.place : null, ...scrolledIn(focus, current), find };
  }

  /** Shows an entry again, with its focus and scroll positions. */
  async #return(entry: Entry, isWanted: () => boolean): Promise<Location> {
    this.#stopScrolling();
    leaveDialogs();
    await showLocation(this.#app, entry, isWanted);
    await tick();
    if (isWanted()) {
      this.#focusOpen();
      this.#scrollBack(entry.scroll);
    }
    return shownIn(this.#app);
  }

  #scrollBack(scroll: Scroll): void {
    this.#stopScrolling = scrollBack(this.#app.focus, this.history.view, scroll);
  }
}
