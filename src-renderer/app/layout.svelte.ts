import { MediaQuery } from 'svelte/reactivity';
import type { Layout } from '../ui/page-context.ts';

/** Minimum widths of the window in px, at the usual text size. */
const LEAST_WIDTH = {
  /** For labels beside the icons of a pane that fills the window. */
  roomy: 600,
  /** Below this, for example at 200 % on most screens, two panes would be too narrow. */
  two: 860,
  three: 1100,
  /** For a page beside a table that fills the window except for the sidebar. */
  wide: 1240,
};

interface LayoutOptions {
  /** Percent of the usual size; may change. */
  textSize: () => number;
  /** Such a window has one pane at any width. */
  ownWindow: boolean;
  openSidebar: () => void;
}

/** Chooses the number of panes by the width of the window: larger text needs more. */
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
