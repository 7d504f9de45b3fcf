import { MediaQuery } from 'svelte/reactivity';

export type Layout = 'one' | 'two' | 'three';

/** The widths in px, at the usual text size, from which on the window has room for so much. */
const ROOM = {
  two: 700,
  three: 1100,
  /** For a page beside a table that has all of the window but the sidebar. */
  wide: 1240,
};

/** How many panes the window has room for: larger letters need more of it. */
export class LayoutState {
  readonly #textSize: () => number;
  readonly #alone: boolean;
  readonly #room = $derived.by(() => {
    const from = (width: number): MediaQuery => new MediaQuery(`min-width: ${(width * this.#textSize()) / 100}px`);
    return typeof window.matchMedia === 'function'
      ? { two: from(ROOM.two), three: from(ROOM.three), wide: from(ROOM.wide) }
      : null;
  });

  /**
   * @param textSize percent of the usual size; read anew as it changes
   * @param alone whether the window shows one thing only, however wide it is
   */
  constructor(textSize: () => number, alone: boolean) {
    this.#textSize = textSize;
    this.#alone = alone;
  }

  get panes(): Layout {
    if (this.#alone) return 'one';
    if (!this.#room || this.#room.three.current) return 'three';
    return this.#room.two.current ? 'two' : 'one';
  }
  get wide(): boolean {
    return !this.#alone && (this.#room?.wide.current ?? true);
  }
}
