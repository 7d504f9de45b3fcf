import type { Attachment } from 'svelte/attachments';

/** Rows beyond each edge of the view that are rendered, too: quick scrolling shows them before the next frame. */
const OVERSCAN = 12;

/** Indexes of rows, both included. `last` is -1 if there are none. */
interface RowRange {
  first: number;
  last: number;
}

/**
 * Chooses the rows of a scrolled list that are rendered. All rows have the same height, so that a list of 100,000 costs
 * no more than one of ten.
 */
export class VisibleRows {
  #top = $state(0);
  #height = $state(0);

  /** Attach to the scrolling element. */
  readonly watch: Attachment<HTMLElement> = (scroller) => {
    const look = (): void => {
      this.#top = scroller.scrollTop;
      this.#height = scroller.offsetHeight;
    };
    const resized = new ResizeObserver(look);
    look();
    resized.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  };

  /** @param rowHeight in px */
  range(count: number, rowHeight: number): RowRange {
    if (this.#height === 0) return { first: 0, last: -1 };
    // A list that has become shorter is scrolled back only after it was rendered.
    const top = Math.max(0, Math.min(this.#top, count * rowHeight - this.#height));
    const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
    const last = Math.min(count, Math.ceil((top + this.#height) / rowHeight) + OVERSCAN) - 1;
    return { first, last };
  }
}
