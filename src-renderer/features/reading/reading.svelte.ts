import type { FoldedReports, HidingRule, StoredItem } from '../../../src-main/contract/model/item.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import type { LiveAnswers } from '../../api/live.ts';

/** The open item. It stays open when the list around it changes; changes of the item itself appear in place. */
export class ReadingState {
  readonly #live: LiveAnswers;
  readonly #openId: () => string | null;
  #item = $state.raw<StoredItem | null>(null);
  #withdrawn = $state(false);
  #stored = $state(true);

  /** @param openId returns which item is open where the reader is; default: the last one that was opened */
  constructor(live: LiveAnswers, openId = (): string | null => this.#item?.id ?? null) {
    this.#live = live;
    this.#openId = openId;
    live.on('data.replaced', () => void this.#update(null));
    live.on('items.changed', ({ ids }) => void this.#update(ids));
    live.on('marks.changed', ({ ids }) => void this.#update(ids));
  }

  get item(): StoredItem | null {
    return this.#item && this.#item.id === this.#openId() ? this.#live.item(this.#item) : null;
  }
  get withdrawn(): boolean {
    return this.#withdrawn;
  }

  /** True if the open item is saved; a result of an online search need not be. */
  get stored(): boolean {
    return this.#stored;
  }

  open(item: StoredItem, stored = true): void {
    this.#item = item;
    this.#withdrawn = item.withdrawnAt !== null;
    this.#stored = stored;
  }

  close(): void {
    this.#item = null;
    this.#withdrawn = false;
  }

  async #update(ids: readonly string[] | null): Promise<void> {
    const id = this.#item?.id;
    if (id === undefined || (ids !== null && !ids.includes(id))) return;
    const reply = await this.#live.call('items.get', { id });
    if (this.#item?.id !== id) return;
    if (reply.ok) this.open(reply.value);
    else if (reply.error.code === 'not_found') this.#withdrawn = this.#stored;
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

/** The links and actions of an article. */
export interface ArticleLinks {
  /** The neighbours in the list; undefined at its ends, and without a list. */
  previous: StoredItem | undefined;
  next: StoredItem | undefined;
  /** False in a list of selected items, where the badge would be on all of them. */
  namesSelected: boolean;
  /** The reports that are folded into its row; undefined if there are none. */
  folded: FoldedReports | undefined;
  onfolded: () => void;
  /** Opens the next (1) or previous (-1) item. */
  onstep: (by: 1 | -1) => void;
  onmodel: (modelList: ModelListName, id: string) => void;
  onstory: (publicId: string) => void;
  /** Opens a hot topic by its id; null where there is no room for it. */
  ontopic: ((id: string) => void) | null;
  /** The mute rules that hide the item; undefined outside the list of hidden items. */
  hiddenBy?: readonly HidingRule[] | undefined;
  /** Replaces this item with another one. */
  onitem: (item: StoredItem) => void;
}
