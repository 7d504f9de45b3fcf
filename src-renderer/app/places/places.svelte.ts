import { tick } from 'svelte';
import type { Reply, Result } from '../../../src-main/contract/methods.ts';
import { queryKey } from '../../features/feed/index.ts';
import { keyOf, placeOf, START, textOf, type Place, type Position, type Shown } from './place.ts';
import { leaveDialogs } from '../../ui/open-dialogs.ts';
import { RecentsState, type RecentTarget } from '../../features/palette/index.ts';
import type { PlacesApp } from './places-app.ts';
import { scrollBack, scrolledIn } from './scroll.ts';
import { openIn, shownIn, showPlace } from './show-place.ts';

/**
 * Views shown for less than this (ms) are not added to the history, e.g. while j is held down or a story is loading.
 */
const PASSING_MS = 300;
/** Changes within a place, such as scrolling, are saved after this pause, in ms. */
const REST_MS = 1_000;
/** Lists of the feed whose open item is remembered. */
const MOST_LISTS = 50;

/** The entry of a place in the window's history. */
interface Entry {
  broadsheet: string;
  at: number;
}

/** Moves the focus to the open item. */
export interface PlacesPage {
  focusOpen: () => void;
}

/**
 * Keeps where the reader is and was: a view, its open item, and the scroll positions. The places are in the window's
 * history, so that the browser's own buttons go through them and a reload keeps them; the last one is saved in the data
 * folder, for the next start.
 */
export class Places {
  readonly #app: PlacesApp;
  /** Recently opened, for the palette. */
  readonly recents: RecentsState;
  #page: PlacesPage | null = null;
  #current: Place;
  /** Null if the page is new, or if the saved place can't be used. */
  #before: Place | null = null;
  /** Position of the current place in the history; below it, the last one to go forward to. */
  #at = 0;
  #last = 0;
  /** Runs until the current place is added to the history. */
  #passing: ReturnType<typeof setTimeout> | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #looking = 0;
  #saved: string | null = null;
  /** True if the reader has done something in a page that is still starting: that place is then kept. */
  readonly #touched: () => boolean;
  /** Generation of navigations through the history: a later one supersedes an earlier one. */
  #run = 0;
  #showing = false;
  #stopScrolling = (): void => undefined;
  /** The open item and scroll position of each list of the feed, by the query; the latest last. */
  readonly #inLists = new Map<string, { item: string | null; text: number }>();

  constructor(app: PlacesApp, touched: () => boolean) {
    this.#app = app;
    this.#touched = touched;
    this.recents = new RecentsState(app.wire, pageStorage());
    this.#current = { shown: shownIn(app), at: START };
  }

  /** The open item, if it can be opened again; null for a list. */
  get open(): RecentTarget | null {
    return openIn(this.#app);
  }

  /**
   * Reads where the reader was before the page was reloaded or closed.
   *
   * @param asked the answer of `app.lastPlace`, if it was asked for already
   */
  async read(asked: Promise<Reply<Result<'app.lastPlace'>>> | null = null): Promise<void> {
    const entry = entryOf(history.state);
    if (entry) {
      this.#at = entry.at;
      // The number of entries after it is unknown.
      this.#last = Infinity;
      this.#before = placeOf(entry.broadsheet);
      return;
    }
    const reply = await (asked ?? this.#app.wire.call('app.lastPlace', {}));
    this.#before = reply.ok ? placeOf(reply.value.place) : null;
  }

  /** Loads the feed, and shows where the reader was, or its view if that is gone. */
  async start(): Promise<void> {
    const { feed } = this.#app;
    const before = this.#touched() ? null : this.#before;
    const shown = before?.shown;
    await (shown?.view === 'feed' ? feed.load(shown.query, before?.at.row ?? null) : feed.load());
    if (before && !this.#touched()) await showPlace(this.#app, before, () => !this.#touched());
    this.#current = { shown: shownIn(this.#app), at: (!this.#touched() && before?.at) || START };
  }

  /** Follows the reader from now on. Returns a function that stops it. */
  follow(page: PlacesPage): () => void {
    this.#page = page;
    const { view } = this.#current.shown;
    void tick().then(() => {
      this.#stopScrolling = scrollBack(this.#app.focus, view, this.#current.at);
    });
    this.#write('replaceState');
    const ends = [
      listen(window, 'popstate', (event) => this.#popped(event.state)),
      listen(window, 'pagehide', () => this.#leave()),
      listen(document, 'visibilitychange', () => document.hidden && this.#leave()),
      listen(document, 'scroll', () => this.#look(), { capture: true, passive: true }),
      listen(window, 'mousedown', (event) => void stepOfButton(event)),
      listen(window, 'mouseup', (event) => this.#pressed(event)),
      $effect.root(() => {
        $effect(() => this.#arrived(shownIn(this.#app)));
      }),
    ];
    return () => {
      for (const end of ends) end();
      this.#stopScrolling();
      cancelAnimationFrame(this.#looking);
      clearTimeout(this.#passing);
      clearTimeout(this.#resting);
    };
  }

  /** Goes back (-1) or forward (1) by one place. Returns false if there is none. */
  go(by: 1 | -1): boolean {
    this.#settle();
    if (by === 1 ? this.#at >= this.#last : this.#at === 0) return false;
    this.#rest();
    history.go(by);
    return true;
  }

  /**
   * Reopens the item that was open in the list that the reader returned to. Does nothing with one pane, where it would
   * cover the list.
   */
  async reopen(): Promise<void> {
    const { feed, items, layout, reading, focus } = this.#app;
    const key = queryKey(feed.list.query);
    const open = reading.item?.id ?? null;
    const before = this.#inLists.get(key);
    if (!before || before.item === null || before.item === open || layout.panes === 'one') return;
    const isWanted = (): boolean => queryKey(feed.list.query) === key && (reading.item?.id ?? null) === open;
    await feed.ready;
    if (!isWanted()) return;
    await items.reopen(before.item);
    await tick();
    if (reading.item?.id === before.item)
      this.#stopScrolling = scrollBack(focus, 'feed', { ...START, text: before.text });
  }

  /** Forgets open items: they belong to another service. */
  forget(): void {
    this.#inLists.clear();
  }

  /** Adds a place to the history once the reader stays there, if it is not the current one. */
  #arrived(shown: Shown): void {
    if (this.#showing || keyOf(shown) === keyOf(this.#current.shown)) return;
    const left = this.#current;
    if (left.shown.view === 'feed') {
      const key = queryKey(left.shown.query);
      this.#inLists.delete(key);
      this.#inLists.set(key, { item: left.shown.item, text: left.at.text });
      for (const oldest of this.#inLists.keys()) if (this.#inLists.size > MOST_LISTS) this.#inLists.delete(oldest);
    }
    if (this.#passing === undefined) this.#write('replaceState');
    this.#run += 1;
    this.#stopScrolling();
    this.#current = { shown, at: START };
    clearTimeout(this.#passing);
    this.#passing = setTimeout(() => this.#settle(), PASSING_MS);
    this.#look();
  }

  #settle(): void {
    if (this.#passing === undefined) return;
    clearTimeout(this.#passing);
    this.#passing = undefined;
    const before = entryOf(history.state);
    const same = before !== null && keyOfText(before.broadsheet) === keyOf(this.#current.shown);
    if (!same) this.#last = this.#at += 1;
    this.#write(same ? 'replaceState' : 'pushState');
    this.#restSoon();
  }

  /** Reads the scroll positions before the next frame. */
  #look(): void {
    cancelAnimationFrame(this.#looking);
    this.#looking = requestAnimationFrame(() => {
      if (this.#showing || keyOf(shownIn(this.#app)) !== keyOf(this.#current.shown)) return;
      this.#current = { ...this.#current, at: this.#position() };
      this.#restSoon();
    });
  }

  #position(): Position {
    const { feed, focus, views } = this.#app;
    const { current, models, sources } = views;
    const find = current === 'sources' ? sources.text : current === 'models' ? models.words : '';
    return { row: current === 'feed' ? feed.place : null, ...scrolledIn(focus, current), find: find.slice(0, 200) };
  }

  #restSoon(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rest(), REST_MS);
  }

  /** Saves before the page is hidden, since it may not come back. */
  #leave(): void {
    this.#arrived(shownIn(this.#app));
    this.#settle();
    this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#resting);
    if (this.#showing) return;
    if (keyOf(shownIn(this.#app)) === keyOf(this.#current.shown))
      this.#current = { ...this.#current, at: this.#position() };
    if (this.#passing === undefined) this.#write('replaceState');
    const place = textOf(this.#current);
    if (place === this.#saved) return;
    this.#saved = place;
    // A full disk is reported by other writes that fail.
    void this.#app.wire.call('app.savePlace', { place });
  }

  #write(how: 'pushState' | 'replaceState'): void {
    const entry: Entry = { broadsheet: textOf(this.#current), at: this.#at };
    try {
      history[how](entry, '');
    } catch {
      // Browsers refuse this when it is called too often; the next change saves it again.
    }
  }

  #popped(state: unknown): void {
    const entry = entryOf(state);
    const place = entry && placeOf(entry.broadsheet);
    if (!entry || !place) return;
    clearTimeout(this.#passing);
    this.#passing = undefined;
    this.#at = entry.at;
    void this.#return(place);
  }

  /** Shows a place again, with its focus and scroll positions. */
  async #return(place: Place): Promise<void> {
    const run = ++this.#run;
    const isWanted = (): boolean => run === this.#run;
    this.#stopScrolling();
    this.#showing = true;
    leaveDialogs();
    await showPlace(this.#app, place, isWanted);
    await tick();
    if (!isWanted()) return;
    this.#showing = false;
    this.#current = { ...place, shown: shownIn(this.#app) };
    this.#page?.focusOpen();
    this.#stopScrolling = scrollBack(this.#app.focus, place.shown.view, place.at);
    this.#restSoon();
  }

  #pressed(event: MouseEvent): void {
    const by = stepOfButton(event);
    if (by !== null) this.go(by);
  }
}

/** Maps the back and forward buttons of a mouse; prevents the browser's own action. */
function stepOfButton(event: MouseEvent): 1 | -1 | null {
  if (event.button !== 3 && event.button !== 4) return null;
  event.preventDefault();
  return event.button === 3 ? -1 : 1;
}

function entryOf(state: unknown): Entry | null {
  if (typeof state !== 'object' || state === null || !('broadsheet' in state) || !('at' in state)) return null;
  const { broadsheet, at } = state;
  return typeof broadsheet === 'string' && typeof at === 'number' && at >= 0 ? { broadsheet, at } : null;
}

function keyOfText(text: string): string | null {
  const place = placeOf(text);
  return place && keyOf(place.shown);
}

/** Null if the browser forbids it. */
function pageStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

type Heard = WindowEventMap & DocumentEventMap;

function listen<Name extends keyof Heard>(
  target: Window | Document,
  name: Name,
  handle: (event: Heard[Name]) => unknown,
  options?: AddEventListenerOptions,
): () => void {
  const heard = (event: Event): void => void handle(event as Heard[Name]);
  target.addEventListener(name, heard, options);
  return () => target.removeEventListener(name, heard, options);
}
