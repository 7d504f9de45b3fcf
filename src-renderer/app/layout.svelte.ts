import { MediaQuery } from 'svelte/reactivity';
import type { Layout } from '../ui/page-context.ts';

/** The least width of the window in px, at the usual text size. */
const LEAST_WIDTH = {
  /** For texts beside the icons of a pane that has the window for itself. */
  roomy: 600,
  /** Below, as at 200 % on most screens, both panes would be squeezed. */
  two: 860,
  three: 1100,
  /** For a page beside a table that takes all the window but the sidebar. */
  wide: 1240,
};

interface LayoutOptions {
  /** Percent of the usual size; it may change. */
  textSize: () => number;
  /** Whether the window shows one story or report only, however wide it is. */
  ownWindow: boolean;
  openSidebar: () => void;
}

/** How many panes the window has room for: larger text needs more. */
export class LayoutState implements Layout {
  readonly ownWindow: boolean;
  readonly #textSize: () => number;
  readonly #openSidebar: () => void;
  readonly #room = $derived.by(() => {
    const from = (width: number): MediaQuery => new MediaQuery(`min-width: ${(width * this.#textSize()) / 100}px`);
    return typeof window.matchMedia === 'function'
      ? {
          roomy: from(LEAST_WIDTH.roomy),
          two: from(LEAST_WIDTH.two),
          three: from(LEAST_WIDTH.three),
          wide: from(LEAST_WIDTH.wide),
        }
      : null;
  });

  constructor({ textSize, ownWindow, openSidebar }: LayoutOptions) {
    this.#textSize = textSize;
    this.ownWindow = ownWindow;
    this.#openSidebar = openSidebar;
  }

  get panes(): Layout['panes'] {
    if (this.ownWindow) return 'one';
    if (!this.#room || this.#room.three.current) return 'three';
    return this.#room.two.current ? 'two' : 'one';
  }
  get roomy(): boolean {
    return this.#room?.roomy.current ?? true;
  }
  get wide(): boolean {
    return !this.ownWindow && (this.#room?.wide.current ?? true);
  }
  get openSidebar(): (() => void) | undefined {
    return this.panes === 'three' ? undefined : this.#openSidebar;
  }
}
