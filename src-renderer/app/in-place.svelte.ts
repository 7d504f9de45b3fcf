import type { StoredItem } from '../../src-main/contract/model/item.ts';
import type { LiveAnswers } from '../api/live.ts';
import { ReadingState } from '../features/reading/index.ts';

/**
 * The item that is shown over the story or report from which it was opened; one at most. `View` is a view beside the
 * feed.
 */
export class InPlace<View extends string> {
  readonly reading: ReadingState;
  /** Key of the open story or report of a view: an item covers only that one. */
  readonly #keyOf: (view: View) => string | null;
  #over = $state.raw<{ view: View; key: string } | null>(null);
  #opener: Element | null = null;

  constructor(live: LiveAnswers, keyOf: (view: View) => string | null) {
    this.reading = new ReadingState(live);
    this.#keyOf = keyOf;
  }

  /** Returns true if an item covers the view. False once the view has opened something else. */
  covers(view: string): boolean {
    const over = this.#over;
    return over?.view === view && this.#keyOf(over.view) === over.key && this.reading.item !== null;
  }

  itemIn(view: string): StoredItem | null {
    return this.covers(view) ? this.reading.item : null;
  }

  /** Returns false if the view has nothing open that an item could cover. */
  place(view: View): boolean {
    const key = this.#keyOf(view);
    if (key === null) return false;
    if (!this.covers(view)) this.#opener = document.activeElement;
    this.#over = { view, key };
    return true;
  }

  /** Resolves when the focus is back where it was. */
  close(): Promise<void> {
    this.#over = null;
    this.reading.close();
    const opener = this.#opener;
    this.#opener = null;
    // Inert elements can't take the focus, so this waits until those below no longer are.
    return new Promise((resolve) => {
      requestAnimationFrame(() => {
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
        resolve();
      });
    });
  }
}
