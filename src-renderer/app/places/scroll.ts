import type { FocusRegions } from '../../ui/focus-regions.ts';
import type { ViewName } from '../views.svelte.ts';
import type { Position } from './place.ts';

/** Timeout in ms for a place to become long enough to be scrolled. */
const PATIENCE_MS = 2_000;
/** Events of a reader who scrolls, which end any automatic scrolling. */
const SCROLLING = ['wheel', 'pointerdown', 'keydown'] as const;

const ENTRY = '[data-entry]';

type Scrolled = Pick<Position, 'list' | 'text'>;

/** Returns the scroll positions of a view. */
export function scrolledIn(focus: FocusRegions, view: ViewName): Scrolled {
  const list = listOf(focus, view);
  const entry = list && firstVisible(list);
  return {
    list: {
      top: list?.scrollTop ?? 0,
      entry: entry?.dataset['entry'] ?? null,
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

function scrollList(element: HTMLElement | undefined, { top, entry, part }: Position['list']): boolean {
  if (!element) return top === 0;
  element.scrollTop = top;
  if (top === 0 || entry === null) return element.scrollTop >= top - 1;
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
