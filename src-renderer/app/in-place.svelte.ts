import type { ViewName } from '../../src-main/contract/location.ts';
import type { StoredItem } from '../../src-main/contract/model/item.ts';
import type { LiveAnswers } from '../api/live.ts';
import { ReadingState } from '../features/reading/index.ts';
import { openItem, type History } from './history.svelte.ts';

/** The item that is shown over the story or report from which it was opened. */
export class InPlace {
  readonly reading: ReadingState;
  readonly #history: History;
  #opener: Element | null = null;

  constructor(live: LiveAnswers, history: History) {
    this.reading = new ReadingState(live);
    this.#history = history;
  }

  covers(view: ViewName): boolean {
    return this.itemIn(view) !== null;
  }

  itemIn(view: ViewName): StoredItem | null {
    const { item } = this.reading;
    return item !== null && item.id === this.idIn(view) ? item : null;
  }

  idIn(view: ViewName): string | null {
    return view === 'feed' ? null : openItem(this.#history.in(view));
  }

  /** Returns false if the current view has nothing open that an item could cover. */
  place(item: StoredItem): boolean {
    const { location, view } = this.#history;
    const below = this.idIn(view) === null ? location.open : location.open.slice(0, -1);
    if (below.length === 0 || view === 'feed' || view === 'models') return false;
    if (!this.covers(view)) this.#opener = document.activeElement;
    this.reading.open(item);
    this.#history.go({ ...location, open: [...below, { view: 'item', id: item.id }] });
    return true;
  }

  /** Resolves when the focus is back where it was. */
  close(): Promise<void> {
    this.#history.close();
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
