import type { Attachment } from 'svelte/attachments';

/**
 * Places of a view that the keyboard can go to. `list` and `reading` are its panes, `text` is the scrolling part of the
 * reading pane, `filter` the box above a list. The `sidebar` belongs to the view `app`.
 */
export type Place = 'sidebar' | 'list' | 'reading' | 'text' | 'filter';

/** Part of a page that stays visible when it is scrolled by one, in px. */
const OVERLAP = 64;

/** Finds the places of the views. Elements register themselves, so that nothing depends on how a view is built. */
export class FocusRegions {
  readonly #elements = new Map<string, readonly HTMLElement[]>();
  readonly #lists = new Map<string, () => void>();

  /** Registers the element that it is attached to. A later element for the same place takes precedence. */
  place(view: string, place: Place): Attachment<HTMLElement> {
    const key = `${view} ${place}`;
    return (element) => {
      this.#elements.set(key, [...(this.#elements.get(key) ?? []), element]);
      return () => {
        this.#elements.set(key, this.#elements.get(key)?.filter((other) => other !== element) ?? []);
      };
    };
  }

  /** Registers how a view focuses its list, if it has more than one. Returns a function that ends this. */
  list(view: string, focus: () => void): () => void {
    this.#lists.set(view, focus);
    return () => this.#lists.delete(view);
  }

  focusList(view: string): void {
    const focus = this.#lists.get(view);
    if (focus) focus();
    else this.focusIn(view, 'list');
  }

  element(view: string, place: Place): HTMLElement | undefined {
    return this.#elements.get(`${view} ${place}`)?.at(-1);
  }

  /** Focuses a place itself. Returns false if there is none. */
  focus(view: string, place: Place): boolean {
    const element = this.element(view, place);
    element?.focus({ preventScroll: place === 'text' });
    return element !== undefined;
  }

  /** True if the focus is in a place. */
  holds(view: string, place: Place): boolean {
    return this.element(view, place)?.contains(document.activeElement) ?? false;
  }

  /** True if nothing has the focus, or something that can't be reached. */
  isLost(): boolean {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return true;
    for (let around: Element | null = focused; around !== null; around = around.parentElement) {
      if (around instanceof HTMLElement && around.inert) return true;
    }
    return false;
  }

  /**
   * Scrolls a place by a page, forwards (1) or back (-1). Two lines stay visible for orientation. Returns false at the
   * end.
   */
  scrollPage(view: string, place: Place, by: 1 | -1): boolean {
    const element = this.element(view, place);
    if (!element) return false;
    const { scrollTop, clientHeight, scrollHeight } = element;
    const left = by === 1 ? scrollHeight - clientHeight - scrollTop : scrollTop;
    if (left < 1) return false;
    element.scrollTop = scrollTop + by * Math.max(clientHeight - OVERLAP, clientHeight / 2);
    return true;
  }

  /** Focuses the selected element of a place, else its first tab stop, else its first button. */
  focusIn(view: string, place: Place): void {
    const root = this.element(view, place);
    if (!root) return;
    const inside = descendantsOf(root);
    const target = inside.find(isCurrent) ?? inside.find(isTabStop) ?? inside.find(isButton);
    target?.focus();
  }
}

let clicked: Element | null = null;

/** True for a button that has the focus from a click: keys are for what is read, until they move the focus. */
export function isClicked(button: Element | null): boolean {
  return button !== null && button === clicked;
}

/**
 * Marks the document while keys are used: only then the focus is shown (`base.css`). `:focus-visible` alone also matches
 * what a program focuses after a click, and what a dialog gives the focus back to.
 */
export function markKeyUse(root: HTMLElement): void {
  const pressed = ({ key }: KeyboardEvent): void => {
    if (!/^(?:Alt|Control|Meta|Shift)$/.test(key)) root.dataset['keys'] = '';
  };
  addEventListener('keydown', pressed, { capture: true });
  const clickedOn = ({ target }: PointerEvent): void => {
    delete root.dataset['keys'];
    clicked = target instanceof Element ? target.closest('button') : null;
  };
  const focused = (): void => {
    if (root.dataset['keys'] !== undefined) clicked = null;
  };
  addEventListener('pointerdown', clickedOn, { capture: true });
  addEventListener('focusin', focused, { capture: true });
}

function descendantsOf(root: HTMLElement): HTMLElement[] {
  return [...root.getElementsByTagName('*')].filter((element) => element instanceof HTMLElement);
}

function isButton(element: HTMLElement): boolean {
  return element instanceof HTMLButtonElement;
}

/** A tab in a pane's header is current, too, but not what the pane is about. */
function isCurrent(element: HTMLElement): boolean {
  const isControl = (isButton(element) || element instanceof HTMLAnchorElement) && element.closest('header') === null;
  return isControl && /^(true|page)$/.test(element.getAttribute('aria-current') ?? '');
}

function isTabStop(element: HTMLElement): boolean {
  return element.getAttribute('tabindex') === '0';
}
