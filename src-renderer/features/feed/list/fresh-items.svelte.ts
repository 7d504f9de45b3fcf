import type { ItemsPage } from '../../../../src-main/contract/model/item.ts';
import type { ListReader } from './list-reader.svelte.ts';
import type { LoadedRows } from './loaded-rows.svelte.ts';

interface Options {
  readonly reader: ListReader;
  readonly rows: LoadedRows;
  /** Called when the list is empty, so that new items need not wait. */
  readonly onready: () => void;
}

/** The first rows of a list as they would be now, and how many of them it does not have. */
interface Found {
  readonly page: ItemsPage;
  readonly unknown: number;
}

/** New items at the top of a list, which wait behind a count until they are asked for. */
export class FreshItems {
  readonly #options: Options;
  #found = $state.raw<Found | null>(null);
  #above = $state(0);
  #checking = false;
  #checkAgain = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** How many new items wait to be shown. */
  get count(): number {
    return (this.#found?.unknown ?? 0) + this.#above;
  }
  /** Whether there may be more than {@link count}. */
  get more(): boolean {
    const found = this.#found;
    return found !== null && found.unknown === found.page.rows.length && found.page.next !== null;
  }
  /** How many rows of the loaded list are above what was its top when the reader left it. */
  get above(): number {
    return this.#above;
  }

  /** Another load begins. */
  drop(): void {
    this.#found = null;
  }

  /** The list was loaded with some new rows above where it starts. */
  begin(above: number): void {
    this.#above = above;
  }

  /** Takes what waits, to be shown; null for nothing but rows that the list has. */
  take(): Found | null {
    const found = this.#found;
    this.#above = 0;
    this.#found = null;
    return found;
  }

  /** Checks whether there are rows above the list that are not shown. One check at a time. */
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

  /** A list without rows may have been read just before an item was starred, say, and would go on saying that there are none. */
  checkEmpty(): void {
    const { rows } = this.#options;
    if (rows.ready && rows.rows.length === 0) void this.check();
  }

  /** An item whose time was corrected has another place and is no new one. */
  #isNew(place: number, id: string): boolean {
    const { window } = this.#options.rows;
    const lowest = window.placeAt(window.known - 1) ?? -1;
    return !window.hasPlace(place) && place > lowest && window.indexOf(id) < 0;
  }
}
