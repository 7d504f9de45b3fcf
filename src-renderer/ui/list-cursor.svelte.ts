import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';

/** Rows beyond each edge of the view that are drawn, too: quick scrolling shows them before the next frame. */
const OVERSCAN = 8;
/** Rows that stay visible beyond the active one, so that the next ones are seen early. */
const MARGIN = 2;

interface Shape {
  count: number;
  /** In px. */
  rowHeight: number;
  /** In px from the top, one per row and the end; missing if all rows have the same height. Then `rowHeight` is the least. */
  offsets?: readonly number[] | undefined;
  /** In px: what covers the top edge, and stays there when the rows are scrolled. */
  head?: number;
}

/**
 * The drawn rows, the scroll position and the active row of a list. In a long one all rows have the same height, so that
 * 100,000 cost no more than ten.
 */
export class ListCursor {
  /** Index of the row that the keys have reached; -1 for none. */
  active = $state(-1);
  #shape = $state.raw<() => Shape>(() => ({ count: 0, rowHeight: 1 }));
  #scroller: HTMLElement | null = null;
  #top = $state(0);
  #outerHeight = $state(0);
  /** The row at the top edge after the next drawing; null if that is done. */
  #goal = $state<number | null>(null);

  // Numbers, so that nothing is drawn again before a row comes or goes.
  readonly #first = $derived(Math.max(0, Math.floor(this.#rowAt(this.#drawnTop)) - OVERSCAN));
  readonly #end = $derived.by(() => {
    const { count } = this.#shape();
    return Math.min(count, Math.ceil(this.#rowAt(this.#drawnTop + this.#height)) + OVERSCAN);
  });

  /** The indexes of the drawn rows. */
  readonly drawn = $derived.by(() => {
    const [first, end] = [this.#first, this.#end];
    return this.#height === 0 ? [] : Array.from({ length: Math.max(0, end - first) }, (_, n) => first + n);
  });

  /** The most rows that are drawn at once. An element serves the rows whose indexes differ by a multiple of it. */
  readonly places = $derived(Math.ceil(this.#height / this.#shape().rowHeight) + 1 + 2 * OVERSCAN);

  /** The height of the part that shows rows, in px. */
  get #height(): number {
    return Math.max(0, this.#outerHeight - (this.#shape().head ?? 0));
  }

  /** A list that has become shorter is scrolled back only after it was drawn. */
  get #drawnTop(): number {
    return Math.max(0, Math.min(this.#top, this.offset(this.#shape().count) - this.#height));
  }

  /** The distance of a row, or of a part of one, from the top of the list in px. */
  offset(row: number): number {
    const { rowHeight, offsets } = this.#shape();
    if (!offsets) return row * rowHeight;
    const index = Math.floor(row);
    const top = offsets[index] ?? 0;
    const bottom = offsets[index + 1] ?? top;
    return top + (row % 1) * (bottom - top);
  }

  #rowAt(px: number): number {
    const { rowHeight, offsets } = this.#shape();
    if (!offsets) return px / rowHeight;
    const index = Math.max(
      0,
      offsets.findLastIndex((top) => top <= px),
    );
    const height = this.offset(index + 1) - this.offset(index);
    return height > 0 ? index + (px - this.offset(index)) / height : index;
  }

  /** The height of the pane in rows of the usual height. */
  get #visible(): number {
    const { count, rowHeight } = this.#shape();
    return this.#height / (this.offset(count) / count || rowHeight);
  }

  set shape(shape: () => Shape) {
    this.#shape = shape;
  }

  get scrolled(): number {
    return this.#goal ?? this.#rowAt(this.#top);
  }

  /** The first and the last row that are fully visible. */
  get whole(): [first: number, last: number] {
    const last = Math.floor(this.#rowAt(this.offset(this.scrolled) + this.#height)) - 1;
    return [Math.ceil(this.scrolled), Math.min(this.#shape().count - 1, last)];
  }

  /** Attach to the scrolling element. */
  readonly watch: Attachment<HTMLElement> = (scroller) => {
    this.#scroller = scroller;
    const look = (): void => {
      this.#top = scroller.scrollTop;
      this.#outerHeight = scroller.clientHeight;
    };
    const resized = new ResizeObserver(look);
    untrack(look);
    resized.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    // Effects run after the rows were drawn that make the list long enough.
    $effect(() => {
      const row = this.#goal;
      if (row === null) return;
      untrack(() => {
        this.#goal = null;
        this.#scrollTo(this.offset(row));
      });
    });
    return () => {
      this.#scroller = null;
      resized.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  };

  /** Makes the nearest row the active one, and scrolls to it. */
  moveTo(index: number): void {
    this.active = Math.max(0, Math.min(index, this.#shape().count - 1));
    this.reveal(this.active);
  }

  /** Scrolls as little as possible to show a row and some beyond it. */
  reveal(index: number): void {
    const { count } = this.#shape();
    if (index < 0 || !this.#scroller || this.#height === 0) return;
    const margin = Math.max(0, Math.min(MARGIN, Math.floor((this.#visible - 1) / 2)));
    const highest = this.offset(Math.max(0, index - margin));
    const lowest = this.offset(Math.min(count, index + margin + 1)) - this.#height;
    const top = this.#scroller.scrollTop;
    if (top > highest) this.#scrollTo(highest);
    else if (top < lowest) this.#scrollTo(lowest);
  }

  /** Scrolls to a row, which may be drawn only then. */
  scrollTo(row: number): void {
    this.#goal = row;
  }

  /** Returns the index that a key leads to, which may be beyond the list; null for other keys. */
  target({ key }: Pick<KeyboardEvent, 'key'>): number | null {
    const { count } = this.#shape();
    const page = Math.max(1, Math.floor(this.#visible) - 1);
    switch (key) {
      case 'ArrowDown':
        return this.active + 1;
      case 'ArrowUp':
        return this.active - 1;
      case 'Home':
        return 0;
      case 'End':
        return count - 1;
      case 'PageDown':
        return this.active + page;
      case 'PageUp':
        return this.active - page;
      default:
        return null;
    }
  }

  #scrollTo(top: number): void {
    if (!this.#scroller) return;
    this.#scroller.scrollTop = top;
    // The event comes with the next frame.
    this.#top = this.#scroller.scrollTop;
  }
}
