import type { FocusRegions } from '../ui/focus-regions.ts';
import type { RowAnchor } from '../features/feed/index.ts';
import type { ViewName } from '../../src-main/contract/location.ts';

/** Timeout in ms for a place to become long enough to be scrolled. */
const PATIENCE_MS = 2_000;
/** Events of a reader who scrolls, which end any automatic scrolling. */
const SCROLLING = ['wheel', 'pointerdown', 'keydown'] as const;

const ENTRY = '[data-entry]';

/** How far a location is scrolled. Changing it does not lead to another location. */
export interface Scroll {
  /** In the list of items; null for its top. */
  row: RowAnchor | null;
  /**
   * In another list, in px; `entry` is its first visible entry if it has named ones, `part` the px of it that are
   * scrolled out.
   */
  list: { top: number; part: number; entry: string };
  /** In the open text, in px. */
  text: number;
  /** Filter of the list of sources or models. */
  find: string;
}

type Scrolled = Pick<Scroll, 'list' | 'text'>;

export const TOP: Scroll = { row: null, list: { top: 0, part: 0, entry: '' }, text: 0, find: '' };

/** Limit for row keys and px. */
const MAX_NUMBER = 1e15;
const MAX_FIND = 200;

/** For example `text=333`: the top has no text. */
export function writeScroll({ row, list, text, find }: Scroll): string {
  const given = new URLSearchParams();
  if (row) given.set('row', [row.key, row.part, row.top].join());
  if (list.top > 0) given.set('list', [list.top, list.part].join());
  if (list.entry !== '') given.set('entry', list.entry);
  if (text > 0) given.set('text', String(text));
  if (find !== '') given.set('find', find.slice(0, MAX_FIND));
  return given.toString();
}

/** Takes what can't be used for the top. */
export function parseScroll(written: string): Scroll {
  const given = new URLSearchParams(written);
  const numbers = (name: string, count: number): number[] | null => {
    const found = (given.get(name) ?? '').split(',').map(Number);
    return found.length === count && found.every((one) => one >= 0 && one <= MAX_NUMBER) ? found : null;
  };
  const [key, part = 0, top = 0] = numbers('row', 3) ?? [];
  const [down = 0, entryPart = 0] = numbers('list', 2) ?? [];
  return {
    row: key === undefined ? null : { key, part: Math.min(0.999, part), top },
    list: { top: down, part: entryPart, entry: given.get('entry') ?? '' },
    text: numbers('text', 1)?.[0] ?? 0,
    find: (given.get('find') ?? '').slice(0, MAX_FIND),
  };
}

export function scrolledIn(focus: FocusRegions, view: ViewName): Scrolled {
  const list = listOf(focus, view);
  const entry = list && firstVisible(list);
  return {
    list: {
      top: list?.scrollTop ?? 0,
      entry: entry?.dataset['entry'] ?? '',
      part: list && entry ? Math.max(0, topOf(list) - topOf(entry)) : 0,
    },
    text: focus.element(view, 'text')?.scrollTop ?? 0,
  };
}

/**
 * Scrolls a view to where it was as soon as it is long enough. Returns a function that stops it; so does a reader who
 * scrolls.
 */
export function scrollBack(focus: FocusRegions, view: ViewName, { list, text }: Scrolled): () => void {
  const until = performance.now() + PATIENCE_MS;
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    for (const event of SCROLLING) window.removeEventListener(event, stop, { capture: true });
  };
  for (const event of SCROLLING) window.addEventListener(event, stop, { capture: true });
  const wanted: (() => boolean)[] = [() => scrollText(focus.element(view, 'text'), text)];
  // The feed's list restores its own row.
  if (view !== 'feed') wanted.push(() => scrollList(listOf(focus, view), list));
  const step = (): void => {
    if (stopped) return;
    const left = wanted.filter((scroll) => !scroll());
    if (left.length === 0 || performance.now() > until) stop();
    else requestAnimationFrame(step);
  };
  step();
  return stop;
}

/** Returns true once the text is scrolled there. */
function scrollText(element: HTMLElement | undefined, top: number): boolean {
  if (!element) return top === 0;
  element.scrollTop = top;
  return element.scrollTop >= top - 1;
}

function scrollList(element: HTMLElement | undefined, { top, entry, part }: Scroll['list']): boolean {
  if (!element) return top === 0;
  element.scrollTop = top;
  if (top === 0 || entry === '') return element.scrollTop >= top - 1;
  const again = [...element.querySelectorAll<HTMLElement>(ENTRY)].find(({ dataset }) => dataset['entry'] === entry);
  if (again) element.scrollTop += topOf(again) - topOf(element) + part;
  return again !== undefined;
}

function listOf(focus: FocusRegions, view: ViewName): HTMLElement | undefined {
  return focus.element(view, 'list')?.querySelector<HTMLElement>('.scroller') ?? undefined;
}

function firstVisible(list: HTMLElement): HTMLElement | undefined {
  if (list.scrollTop === 0) return undefined;
  const entries = list.querySelectorAll<HTMLElement>(ENTRY);
  const edge = topOf(list);
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const bottom = entries[middle]?.getBoundingClientRect().bottom ?? 0;
    if (bottom <= edge) low = middle + 1;
    else high = middle;
  }
  return entries[low];
}

function topOf(element: HTMLElement): number {
  return element.getBoundingClientRect().top;
}
