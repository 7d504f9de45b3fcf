import {
  parseLocation,
  viewAt,
  writeList,
  writeLocation,
  type ListOf,
  type Location,
  type LocationIn,
  type ViewName,
} from '../../src-main/contract/location.ts';
import { writeRef, type Ref } from '../../src-main/contract/refs.ts';
import { FIRST_QUERY } from '../features/feed/index.ts';
import type { PageHistory } from '../ui/page-context.ts';
import { parseScroll, TOP, writeScroll, type Scroll } from './scroll.ts';

/** Locations shown for less than this (ms) get no entry, e.g. while j is held down or a story is loading. */
const PASSING_MS = 300;
/** Scrolling is saved after this pause, in ms. */
const REST_MS = 1_000;
/** Lists whose open items and scroll positions are remembered. */
const MAX_LISTS = 50;
/** Chromium keeps so many entries. */
const MAX_ENTRIES = 50;
const STORED_AS = 'broadsheet.history.';

export interface Entry {
  location: Location;
  scroll: Scroll;
}

export interface HistoryPage {
  measure: () => Scroll;
  /** Prepares a location that is about to be shown; its list is scrolled as it was left. */
  enter: (entry: Entry) => void;
  show: (entry: Entry, isWanted: () => boolean) => Promise<void>;
  /** Saves an entry for the next start. Returns false if that fails: it is then tried again. */
  save: (text: string) => Promise<boolean>;
}

/** Opened by the page itself. */
interface Preview {
  open: readonly Ref[];
  onopen: (() => void) | undefined;
}

type Previews = { readonly [V in ViewName]?: Preview | undefined };

type Locations = { readonly [V in ViewName]: LocationIn<V> };

export const FIRST: Locations = {
  feed: { view: 'feed', query: FIRST_QUERY, open: [] },
  today: { view: 'today', open: [] },
  hotTopics: { view: 'hotTopics', open: [] },
  stories: { view: 'stories', list: 'all', open: [] },
  archive: { view: 'archive', list: 'daily', open: [] },
  models: { view: 'models', list: 'models', panel: 'table', open: [] },
  search: { view: 'search', text: '', open: [] },
  notes: { view: 'notes', open: [] },
  sources: { view: 'sources', panel: 'list', open: [] },
};

/**
 * Where the reader is and was. The entries are in the window's history, so that the browser's own buttons go through them
 * and a reload keeps them; the address stays as it is. Copies in the page's storage tell what the others hold, which the
 * browser doesn't.
 */
export class History implements PageHistory {
  readonly #page: HistoryPage;
  #view = $state<ViewName>('feed');
  #locations = $state.raw<Locations>(FIRST);
  #scroll = TOP;
  /** Index of the current entry; the last one to go forward to. */
  #at = 0;
  #last = 0;
  #begun = false;
  /** Runs until the current location gets an entry. */
  #passing: ReturnType<typeof setTimeout> | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #looking = 0;
  #previews = $state.raw<Previews>({});
  #saved: string | null = null;
  /** Generation of moves: a later one supersedes an earlier one. */
  #run = 0;
  #returning = false;
  #isReturn = $state(true);
  /** By the text of the list, the latest last. */
  readonly #left = new Map<string, Entry>();

  constructor(page: HistoryPage) {
    this.#page = page;
  }

  get location(): Location {
    return this.#locations[this.#view];
  }

  get view(): ViewName {
    return this.#view;
  }

  in<V extends ViewName>(view: V): Locations[V] {
    return this.#locations[view];
  }

  get isReturn(): boolean {
    return this.#isReturn;
  }

  /** True once the reader, or what the host opened, went anywhere. */
  get hasMoved(): boolean {
    return this.#run > 0;
  }

  put(location: Location): void {
    if (viewAt(location) === this.#view) this.go(location);
    else {
      this.#remember(location);
      this.#page.enter({ location, scroll: TOP });
    }
  }

  show(view: ViewName): void {
    this.go(this.#locations[view]);
  }

  isPreview(view: ViewName): boolean {
    return this.#previews[view]?.open === this.#locations[view].open;
  }

  preview(ref: Ref, onopen?: () => void): void {
    this.#remember({ ...this.location, open: [ref] });
    this.#previews = { ...this.#previews, [this.#view]: { open: this.location.open, onopen } };
  }

  confirm(view: ViewName): void {
    const preview = this.#previews[view];
    if (!preview || !this.isPreview(view)) return;
    this.#previews = { ...this.#previews, [view]: undefined };
    preview.onopen?.();
    this.#restSoon();
  }

  /** How far the current location is scrolled, as last measured. */
  get scroll(): Scroll {
    return this.#scroll;
  }

  /** The entry that a reload left; null for a new page, or if it can't be used. */
  get reloaded(): Entry | null {
    return parseEntry(stateOf(history.state)?.text);
  }

  /** Shows where the reader was, before {@link begin}. */
  restore(entry: Entry): void {
    this.#enter(entry, true);
  }

  /** Follows the browser's history from now on. Returns a function that stops it. */
  begin(): () => void {
    const state = stateOf(history.state);
    this.#at = state?.at ?? 0;
    // The number of entries after it is unknown.
    this.#last = state ? Infinity : 0;
    this.#begun = true;
    this.#write('replaceState');
    const ends = [
      listen(window, 'popstate', (event) => this.#popped(event.state)),
      listen(document, 'scroll', () => this.#lookSoon(), { capture: true, passive: true }),
      listen(window, 'pagehide', () => this.#leave()),
      listen(document, 'visibilitychange', () => document.hidden && this.#leave()),
      listen(window, 'mousedown', (event) => void stepOfButton(event)),
      listen(window, 'mouseup', (event) => this.#pressed(event)),
    ];
    return () => {
      for (const end of ends) end();
      cancelAnimationFrame(this.#looking);
      clearTimeout(this.#passing);
      clearTimeout(this.#resting);
      this.#begun = false;
    };
  }

  /** Shows a location. It gets an entry when the reader stays. */
  go(to: Location): void {
    const location = this.#takeUp(to);
    if (writeLocation(location) === writeLocation(this.location)) return;
    if (!this.#returning && writeList(location) !== writeList(this.location)) this.#measure();
    if (this.#begun && this.#passing === undefined) this.#write('replaceState');
    this.#run += 1;
    this.#returning = false;
    this.#enter({ location, scroll: TOP }, false);
    if (!this.#begun) return;
    this.#lookSoon();
    clearTimeout(this.#passing);
    this.#passing = setTimeout(() => this.#settle(), PASSING_MS);
  }

  /**
   * Goes back (-1) or forward (1) to the nearest entry that is wanted; one that isn't known is. Returns false if there is
   * none.
   */
  step(by: 1 | -1, isWanted: (location: Location) => boolean = () => true): boolean {
    this.#settle();
    this.#rest();
    let to = this.#at + by;
    for (let known = storedAt(to); known && !isWanted(known.location); known = storedAt(to)) to += by;
    if (to < 0 || to > this.#last) return false;
    history.go(to - this.#at);
    return true;
  }

  /** The location that the reader came from; null if it isn't known. */
  get previous(): Location | null {
    return storedAt(this.#passing === undefined ? this.#at - 1 : this.#at)?.location ?? null;
  }

  /** Returns what was open in a list when the reader left it, and how far it was scrolled. */
  leftIn(list: ListOf): Entry | null {
    return this.#left.get(writeList(list)) ?? null;
  }

  open(ref: Ref): void {
    this.go({ ...this.location, open: [...this.location.open, ref] });
  }

  close(): void {
    this.go(cut(this.location, -1));
  }

  amend(location: Location): void {
    // It is the same place: what was known of it goes with its name.
    this.#left.delete(writeList(this.location));
    this.#set({ location, scroll: this.#scroll });
    this.#restSoon();
  }

  /** Closes pages from an index on because they are gone: the entry becomes that of what is below. Default: the top one. */
  drop(from = -1): void {
    this.amend(cut(this.location, from));
  }

  /** Closes and forgets what is and was open: it belongs to another service. */
  forget(): void {
    for (const location of Object.values(this.#locations)) {
      // Models are those of the gateway.
      if (location.view !== 'models' && location.open.length > 0) this.put({ ...location, open: [] });
    }
    this.#left.clear();
  }

  #enter(entry: Entry, isReturn: boolean): void {
    const scroll = isReturn ? entry.scroll : (this.leftIn(entry.location)?.scroll ?? TOP);
    this.#isReturn = isReturn;
    this.#set(entry);
    this.#page.enter({ location: this.location, scroll });
  }

  #set(entry: Entry): void {
    this.#remember(entry.location);
    this.#view = viewAt(entry.location);
    this.#scroll = entry.scroll;
    const key = writeList(entry.location);
    this.#left.delete(key);
    this.#left.set(key, { ...entry, location: this.#kept });
    for (const oldest of this.#left.keys()) if (this.#left.size > MAX_LISTS) this.#left.delete(oldest);
  }

  /** Makes the preview of a view what the reader opened if they open it; it leaves the pane with its list. */
  #takeUp(location: Location): Location {
    const view = viewAt(location);
    const before = this.#locations[view];
    if (!this.isPreview(view)) return location;
    // Those who keep what is open pass it on.
    if (location.open === before.open) {
      return writeList(location) === writeList(before) ? location : { ...location, open: [] };
    }
    if (keepEqual(before.open, location.open) === before.open) this.confirm(view);
    return location;
  }

  #remember(location: Location): void {
    const view = viewAt(location);
    const before = this.#locations[view];
    if (location === before) return;
    this.#locations = { ...this.#locations, [view]: { ...location, open: keepEqual(before.open, location.open) } };
  }

  /** Measures before the next frame. */
  #lookSoon(): void {
    cancelAnimationFrame(this.#looking);
    this.#looking = requestAnimationFrame(() => {
      if (this.#returning) return;
      this.#measure();
      this.#restSoon();
    });
  }

  #measure(): void {
    this.#set({ location: this.location, scroll: this.#page.measure() });
  }

  #restSoon(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rest(), REST_MS);
  }

  #settle(): void {
    if (this.#passing === undefined) return;
    clearTimeout(this.#passing);
    this.#passing = undefined;
    const before = parseEntry(stateOf(history.state)?.text);
    const isSame = before !== null && writeLocation(before.location) === writeLocation(this.#kept);
    if (!isSame) this.#last = this.#at += 1;
    this.#write(isSame ? 'replaceState' : 'pushState');
    this.#restSoon();
  }

  /** Saves before the page is hidden, since it may not come back. */
  #leave(): void {
    this.#settle();
    this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#resting);
    if (this.#returning || !this.#begun) return;
    this.#measure();
    if (this.#passing === undefined) this.#write('replaceState');
    void this.#save(this.#text);
  }

  async #save(text: string): Promise<void> {
    if (text === this.#saved) return;
    this.#saved = text;
    const isSaved = await this.#page.save(text);
    if (!isSaved && this.#saved === text) this.#saved = null;
  }

  get #text(): string {
    return `${writeLocation(this.#kept)}#${writeScroll(this.#scroll)}`;
  }

  /** A preview is no entry, and is not saved: the page opens it again. */
  get #kept(): Location {
    return this.isPreview(this.#view) ? { ...this.location, open: [] } : this.location;
  }

  #write(how: 'pushState' | 'replaceState'): void {
    try {
      history[how]({ broadsheet: this.#text, at: this.#at }, '');
      sessionStorage.setItem(`${STORED_AS}${this.#at}`, this.#text);
      sessionStorage.removeItem(`${STORED_AS}${this.#at - MAX_ENTRIES}`);
    } catch {
      // Browsers refuse this when it is called too often, or have no room; the next change saves it again.
    }
  }

  #popped(state: unknown): void {
    const known = stateOf(state);
    const entry = parseEntry(known?.text);
    if (!known || !entry) return;
    clearTimeout(this.#passing);
    this.#passing = undefined;
    this.#at = known.at;
    void this.#return(entry);
  }

  async #return(entry: Entry): Promise<void> {
    const run = ++this.#run;
    const isWanted = (): boolean => run === this.#run;
    this.#returning = true;
    this.#enter(entry, true);
    await this.#page.show(entry, isWanted);
    if (!isWanted()) return;
    this.#returning = false;
    this.#restSoon();
  }

  #pressed(event: MouseEvent): void {
    const by = stepOfButton(event);
    if (by !== null) this.step(by);
  }
}

/** Parses a text that `save` was called with; null if it can't be used. */
export function parseEntry(text: string | null | undefined): Entry | null {
  const location = parseLocation(text ?? '');
  return location && { location, scroll: parseScroll(text?.split('#')[1] ?? '') };
}

function cut(location: Location, from: number): Location {
  return { ...location, open: location.open.slice(0, from) };
}

/** Keeps the objects of pages that stay open, so that they are not drawn again, and the array if all do. */
function keepEqual(before: readonly Ref[], after: readonly Ref[]): readonly Ref[] {
  const open = after.map((ref) => before.find((one) => writeRef(one) === writeRef(ref)) ?? ref);
  return open.length === before.length && open.every((ref, at) => ref === before[at]) ? before : open;
}

/** The page that is on top, in one word. */
export function openKey({ open }: Location): string {
  const top = open.at(-1);
  return top ? writeRef(top) : '';
}

function storedAt(at: number): Entry | null {
  try {
    return parseEntry(sessionStorage.getItem(`${STORED_AS}${at}`));
  } catch {
    // The browser forbids it.
    return null;
  }
}

/** Maps the back and forward buttons of a mouse; prevents the browser's own action. */
function stepOfButton(event: MouseEvent): 1 | -1 | null {
  if (event.button !== 3 && event.button !== 4) return null;
  event.preventDefault();
  return event.button === 3 ? -1 : 1;
}

function stateOf(state: unknown): { text: string; at: number } | null {
  if (typeof state !== 'object' || state === null || !('broadsheet' in state) || !('at' in state)) return null;
  const { broadsheet: text, at } = state;
  return typeof text === 'string' && Number.isInteger(at) && Number(at) >= 0 ? { text, at: Number(at) } : null;
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
