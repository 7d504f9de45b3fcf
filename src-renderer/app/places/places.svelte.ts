import { tick } from 'svelte';
import type { Reply, Result } from '../../../src-main/contract/methods.ts';
import { queryKey } from '../../features/feed/index.ts';
import { keyOf, placeOf, START, textOf, type Place, type Position, type Shown } from './place.ts';
import { leaveDialogs } from '../../ui/open-dialogs.ts';
import { RecentsState, type RecentTarget } from '../../features/palette/index.ts';
import type { PlacesApp } from './places-app.ts';
import { scrollBack, scrolledIn } from './scroll.ts';
import { openIn, shownIn, showPlace } from './show-place.ts';

/** Who stays shorter than this only passes through, in ms: while j is held down, say, or a story is on its way. */
const PASSING_MS = 300;
/** What changes without leading elsewhere, such as scrolling, is saved when it has rested for this long, in ms. */
const REST_MS = 1_000;
/** Lists of the feed of which it is known what was open. */
const MOST_LISTS = 50;

/** The entry of a place in the history of the window. */
interface Entry {
  broadsheet: string;
  at: number;
}

/** What moves the focus to what is open. */
export interface PlacesPage {
  focusOpen: () => void;
}

/**
 * Where the reader is and was: a view, what is open in it, and how far it is scrolled. The places are in the history of the
 * window, so that the browser's own buttons walk them and a reload keeps them; the last one is saved in the data folder, for
 * the next start.
 */
export class Places {
  readonly #app: PlacesApp;
  /** What was opened last, for the palette. */
  readonly recents: RecentsState;
  #page: PlacesPage | null = null;
  #current: Place;
  /** Null if the page is new, or what was saved can't be used. */
  #before: Place | null = null;
  /** Where the current place is in the history, and the last one that can be gone forward to. */
  #at = 0;
  #last = 0;
  /** Runs while the current place is not in the history yet. */
  #passing: ReturnType<typeof setTimeout> | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #looking = 0;
  #saved: string | null = null;
  /** Whether the reader has done something in a page that is still starting: they stay where that led them. */
  readonly #touched: () => boolean;
  /** Counts the ways back: a later one takes the place of an earlier one. */
  #run = 0;
  #showing = false;
  #stopScrolling = (): void => undefined;
  /** What was open in each list of the feed, and how far it was scrolled, by the query; the latest last. */
  readonly #inLists = new Map<string, { item: string | null; text: number }>();

  constructor(app: PlacesApp, touched: () => boolean) {
    this.#app = app;
    this.#touched = touched;
    this.recents = new RecentsState(app.wire, pageStorage());
    this.#current = { shown: shownIn(app), at: START };
  }

  /** What is open for reading and can be opened again; null for a list. */
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
      // How many come after it is not known.
      this.#last = Infinity;
      this.#before = placeOf(entry.broadsheet);
      return;
    }
    const reply = await (asked ?? this.#app.wire.call('app.lastPlace', {}));
    this.#before = reply.ok ? placeOf(reply.value.place) : null;
  }

  /** Loads the feed, and shows where the reader was: what is gone leads to its view. */
  async start(): Promise<void> {
    const { feed } = this.#app;
    const before = this.#touched() ? null : this.#before;
    const shown = before?.shown;
    await (shown?.view === 'feed' ? feed.load(shown.query, before?.at.row ?? null) : feed.load());
    if (before && !this.#touched()) await showPlace(this.#app, before, () => !this.#touched());
    this.#current = { shown: shownIn(this.#app), at: (!this.#touched() && before?.at) || START };
  }

  /** Follows what the reader does from now on, in the page that is there. Answers how to stop. */
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

  /** Goes back (-1) or forward (1) by one place. Answers whether there is one. */
  go(by: 1 | -1): boolean {
    this.#settle();
    if (by === 1 ? this.#at >= this.#last : this.#at === 0) return false;
    this.#rest();
    history.go(by);
    return true;
  }

  /** Opens again what was open in the list that the reader returned to. Alone in its window, the list itself is wanted. */
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

  /** Forgets what was open: it belongs to another service. */
  forget(): void {
    this.#inLists.clear();
  }

  /** The page shows something. Another place than before is in the history once the reader stays. */
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

  /** The reader stays. */
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

  /** Looks where the reader is in what is shown, before the next frame. */
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

  /** The page may not come back. */
  #leave(): void {
    this.#arrived(shownIn(this.#app));
    this.#settle();
    this.#rest();
  }

  /** Saves where the reader is. */
  #rest(): void {
    clearTimeout(this.#resting);
    if (this.#showing) return;
    if (keyOf(shownIn(this.#app)) === keyOf(this.#current.shown))
      this.#current = { ...this.#current, at: this.#position() };
    if (this.#passing === undefined) this.#write('replaceState');
    const place = textOf(this.#current);
    if (place === this.#saved) return;
    this.#saved = place;
    // A full disk is said by whatever else could not be saved.
    void this.#app.wire.call('app.savePlace', { place });
  }

  #write(how: 'pushState' | 'replaceState'): void {
    const entry: Entry = { broadsheet: textOf(this.#current), at: this.#at };
    try {
      history[how](entry, '');
    } catch {
      // A browser that finds this too often refuses it: the next change is noted again.
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

  /** Shows a place again, with its focus and as it was scrolled. */
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

/** What the buttons of a mouse for back and forward mean. The browser does nothing of its own then. */
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

/** Null where the browser forbids it. */
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
