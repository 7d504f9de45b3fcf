import type { ItemsPage } from '../../../../src-main/contract/model/item.ts';
import type { ListReader } from './list-reader.svelte.ts';
import type { LoadedRows } from './loaded-rows.svelte.ts';

interface Options {
  readonly reader: ListReader;
  readonly rows: LoadedRows;
  /** Called when the list is empty, so that new items need not wait. */
  readonly onready: () => void;
}

/** The first rows that the list would have now, and how many of them it lacks. */
interface Found {
  readonly page: ItemsPage;
  readonly unknown: number;
}

/** New items at the top of a list, held back behind a count until the reader asks for them. */
export class FreshItems {
  readonly #options: Options;
  #found = $state.raw<Found | null>(null);
  #above = $state(0);
  #checking = false;
  #checkAgain = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Number of new items that wait. */
  get count(): number {
    return (this.#found?.unknown ?? 0) + this.#above;
  }
  /** True if there may be more than {@link count}. */
  get more(): boolean {
    const found = this.#found;
    return found !== null && found.unknown === found.page.rows.length && found.page.next !== null;
  }
  /** Number of rows of the loaded list that are above its old top. */
  get above(): number {
    return this.#above;
  }

  /** Called when another load begins. */
  drop(): void {
    this.#found = null;
  }

  /** Called when the list was loaded with new rows above its start. */
  begin(above: number): void {
    this.#above = above;
  }

  /** Returns the waiting items to show; null if the list has all of them. */
  take(): Found | null {
    const found = this.#found;
    this.#above = 0;
    this.#found = null;
    return found;
  }

  /** Checks for rows above the list that are not shown. One check at a time. */
  async check(): Promise<void> {
    const { reader, rows, onready } = this.#options;
    this.#checkAgain = true;
    if (this.#checking) return;
    this.#checking = true;
    while (this.#checkAgain) {
      this.#checkAgain = false;
      const page = await reader.page();
      if (!page?.ok || !rows.ready) continue;
      const unknown = page.value.rows.filter(({ id }, at) => this.#isNew(page.value.places[at] ?? -1, id)).length;
      this.#found = unknown > 0 ? { page: page.value, unknown } : null;
      if (rows.rows.length === 0) onready();
    }
    this.#checking = false;
  }

  /** Checks a list without rows, which may have been read just before an item was starred: it would stay empty. */
  checkEmpty(): void {
    const { rows } = this.#options;
    if (rows.ready && rows.rows.length === 0) void this.check();
  }

  /** An item whose time was corrected has another place, but is not new. */
  #isNew(place: number, id: string): boolean {
    const { window } = this.#options.rows;
    const lowest = window.placeAt(window.known - 1) ?? -1;
    return !window.hasPlace(place) && place > lowest && window.indexOf(id) < 0;
  }
}
