import type { StoredItem } from '../../src-main/contract/model/item.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { ReadingState } from '../features/reading/index.ts';

/**
 * An item that lies over the story or report from which it was opened. There is one at most. `View` is a view beside the
 * feed.
 */
export class InPlace<View extends string> {
  readonly reading: ReadingState;
  /** What a view has open, by kind and id: an item lies over that only. */
  readonly #keyOf: (view: View) => string | null;
  #over = $state.raw<{ view: View; key: string } | null>(null);
  #opener: Element | null = null;

  constructor(wire: Wire, keyOf: (view: View) => string | null) {
    this.reading = new ReadingState(wire);
    this.#keyOf = keyOf;
  }

  /** Whether an item lies over what a view has open now: not after the view has opened something else. */
  covers(view: string): boolean {
    const over = this.#over;
    return over?.view === view && this.#keyOf(over.view) === over.key && this.reading.item !== null;
  }

  /** The open item, if it lies over what this view has open. */
  itemIn(view: string): StoredItem | null {
    return this.covers(view) ? this.reading.item : null;
  }

  /** Answers whether there is something in this view that an item can lie over. */
  place(view: View): boolean {
    const key = this.#keyOf(view);
    if (key === null) return false;
    if (!this.covers(view)) this.#opener = document.activeElement;
    this.#over = { view, key };
    return true;
  }

  /** The focus returns to where it was; ends when it has. */
  close(): Promise<void> {
    this.#over = null;
    this.reading.close();
    const opener = this.#opener;
    this.#opener = null;
    // What lies below takes the focus only once it is no longer inert.
    return new Promise((resolve) => {
      requestAnimationFrame(() => {
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
        resolve();
      });
    });
  }
}
