import { createContext } from 'svelte';
import { openItem, type ViewName } from '../../../src-main/contract/location.ts';
import type { ItemRow, StoredItem } from '../../../src-main/contract/model/item.ts';
import type { LiveAnswers } from '../../api/live.ts';
import type { PageHistory } from '../../ui/page-context.ts';

/** Lists forget results of an online search, which are saved nowhere else. */
const MAX_OPENED = 50;

/**
 * The open item of each view, which is on top of its location. It stays open when the list around it changes; changes of
 * the item itself appear in place.
 */
export class ReadingState {
  readonly #live: LiveAnswers;
  readonly #history: PageHistory;
  /** As lists had them when they were opened, the latest last: shown until they are read. */
  readonly #opened = new Map<string, { item: StoredItem; stored: boolean }>();
  /** Had the focus when an item covered a story or a report. */
  #opener: Element | null = null;

  constructor(live: LiveAnswers, history: PageHistory) {
    this.#live = live;
    this.#history = history;
  }

  get item(): StoredItem | null {
    return this.itemIn('feed');
  }

  itemIn(view: ViewName): StoredItem | null {
    const id = openItem(this.#history.in(view));
    if (id === null) return null;
    const item = this.#live.get('items.get', { id }).value ?? this.#opened.get(id)?.item;
    return item ? this.#live.item(item) : null;
  }

  covers(view: ViewName): boolean {
    return this.#history.in(view).open.length > 1 && this.itemIn(view) !== null;
  }

  /** `absent`: another device, or an earlier download, had it. */
  lossOf({ id, withdrawnAt }: StoredItem): 'withdrawn' | 'absent' | null {
    if (withdrawnAt !== null) return 'withdrawn';
    if (!this.isStored(id) || !this.#isMissing(id)) return null;
    const answer = this.#live.get('items.withdrawal', { id }).value;
    return answer && (answer.withdrawnAt === null ? 'absent' : 'withdrawn');
  }

  /** Returns true if an open item is saved; a result of an online search need not be. */
  isStored(id: string): boolean {
    return this.#opened.get(id)?.stored !== false || this.#live.get('items.get', { id }).value !== null;
  }

  /** Shows an item at once, as the list has it, when it is opened next. */
  expect(item: StoredItem, stored: boolean): void {
    this.#opened.delete(item.id);
    this.#opened.set(item.id, { item, stored });
    for (const oldest of this.#opened.keys()) if (this.#opened.size > MAX_OPENED) this.#opened.delete(oldest);
  }

  /** Opens an item over the open topic or report. Returns false if the current view has none. */
  cover(item: StoredItem): boolean {
    const { location, view } = this.#history;
    const covered = openItem(location) !== null;
    const below = covered ? location.open.slice(0, -1) : location.open;
    const [top] = below.slice(-1);
    if (!top || view === 'feed' || view === 'models') return false;
    if (!covered) this.#opener = document.activeElement;
    this.expect(item, true);
    this.#history.go({ ...location, open: [...below, { view: 'item', id: item.id }] });
    return true;
  }

  /** Closes the item over a story or a report. Resolves when the focus is back where it was. */
  uncover(): Promise<void> {
    this.#history.close();
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

  /** Reads an item. Resolves to true if there is nothing left to show. */
  async isGone(id: string): Promise<boolean> {
    await this.#live.get('items.get', { id }).ready();
    return this.isStored(id) && this.#isMissing(id);
  }

  /** Forgets all items: they belong to another service. */
  forget(): void {
    this.#opened.clear();
  }

  #isMissing(id: string): boolean {
    return this.#live.get('items.get', { id }).failure?.code === 'not_found';
  }
}

/** In ms. How long an item must be open to count as read, if opening it is not enough. */
export const READ_DELAY_MS = 3_000;

/** Waits until the open item has been open long enough. */
export class ReadTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #id: string | null = null;

  get id(): string | null {
    return this.#id;
  }

  /** @param reached called after {@link READ_DELAY_MS} unless the timer is stopped or started again */
  start(id: string, reached: () => void): void {
    this.stop();
    this.#id = id;
    this.#timer = setTimeout(reached, READ_DELAY_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#id = null;
  }
}

export interface ListAround {
  /** The index of the item, -1 if it is not there, and the last index. */
  readonly index: number;
  readonly last: number;
  /** The item as the list has it: with the rules that hide it and the reports that are folded into it. */
  readonly row?: ItemRow | undefined;
  readonly removalReason?: 'withdrawn' | 'leftSelection' | undefined;
  readonly showFolded?: (row: ItemRow) => void;
}

/** Ports to the app, for an article wherever it is. */
export interface ReadingContext {
  readonly reading: ReadingState;
  readonly items: { toggleRead: (item: StoredItem) => void; toggleStar: (item: StoredItem) => void };
  readonly actions: { step: (by: 1 | -1) => void };
}

export const [readingContext, setReadingContext] = createContext<ReadingContext>();
