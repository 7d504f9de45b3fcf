import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { ItemRow, ItemsPage, ItemStatus } from '../../../../src-main/contract/model/item.ts';
import type { ListCount } from './list-count.svelte.ts';
import type { ListReader } from './list-reader.svelte.ts';
import type { ListStart } from './list-start.ts';
import type { MarkingAll } from './marking-all.ts';
import { nextRead, type ListView } from './next-read.ts';
import { RowWindow, type KnownRows, type Slot } from './row-window.ts';

/** Rows further away from the visible ones are dropped. */
const KEPT = 1_500;
/** Rows around the visible ones that are read again when the core can't name the changed ones. Others are dropped. */
const NEAR = 60;

interface Options {
  readonly reader: ListReader;
  readonly count: ListCount;
  readonly markingAll: MarkingAll;
  /** Called when rows near the view could not be read. */
  readonly onfailure: (failure: Failure) => void;
}

/** The rows of a list near the view, which are loaded as it is scrolled (docs/decisions/076). */
export class LoadedRows {
  readonly #options: Options;
  readonly #window = new RowWindow();
  /** Read-only for others: changes are made here, because they are published. */
  readonly window: KnownRows = this.#window;
  #rows = $state.raw<readonly Slot[]>([]);
  /** The load that the rows belong to; null if it failed. */
  #load: number | null = null;
  /** True if there are rows below the last known place. */
  #hasPlacesLeft = false;
  /** Places whose rows were gone when they were read: those below are then read again, once for each of them. */
  readonly #gone = new Set<number>();
  #view: ListView = { first: 0, last: 0, down: true };
  #filling = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** All rows as last published; only those near the view are loaded. */
  get rows(): readonly Slot[] {
    return this.#rows;
  }
  /** True if the rows belong to the latest load. */
  get ready(): boolean {
    return this.#load === this.#options.reader.load;
  }

  /** Begins with the first rows of a load; without any if it failed. */
  begin(page: ItemsPage | null): void {
    this.#load = page && this.#options.reader.load;
    this.#window.begin(page?.rows ?? [], page?.places ?? []);
    this.#hasPlacesLeft = page !== null && page.next !== null;
    this.#gone.clear();
    this.#publish();
  }

  /** Adds rows from below the first page, to start there. */
  extendTo({ places, more, rows }: ListStart): void {
    this.#window.addPlaces(places);
    this.#hasPlacesLeft = more;
    for (const { index, row } of rows) if (this.#window.at(index) === undefined) this.#window.put(index, row);
    this.#publish();
  }

  /** Scrolls to a row; the visible rows follow. */
  turnTo(row: number): void {
    this.#view = { ...this.#view, first: row, last: row };
  }

  see(first: number, last: number): void {
    const down = first === this.#view.first ? this.#view.down : first > this.#view.first;
    this.#view = { first, last, down };
  }

  /** Reads places that were added below the end of the list, which moves no row. */
  lookBelow(): void {
    if (!this.ready || this.#rows.length === 0 || this.#options.reader.query.text !== undefined) return;
    this.#hasPlacesLeft = true;
    void this.fill();
  }

  /** Loads missing rows near the view, one read after another, the most urgent first. */
  async fill(): Promise<void> {
    if (this.#filling) return;
    this.#filling = true;
    try {
      for (let next = this.#nextRead(); next !== null; next = this.#nextRead()) {
        const failure = await (next === 'places' ? this.#readPlaces() : this.#readRows(next));
        if (failure === null) continue;
        this.#options.onfailure(failure);
        return;
      }
    } finally {
      this.#filling = false;
    }
  }

  /** Reads places until they are enough or there are no more. Returns false if that failed or another load began. */
  async readPlacesUntil(enough: () => boolean): Promise<boolean> {
    const { reader } = this.#options;
    const { load } = reader;
    while (this.#hasPlacesLeft && !enough()) {
      if ((await this.#readPlaces()) !== null || load !== reader.load) return false;
    }
    return true;
  }

  /** Loads a row whose place is known. It stays loaded, with its neighbours. */
  async read(index: number): Promise<void> {
    this.#window.holdAt(index);
    await this.#readRows(this.#window.missing(index, index, 1));
  }

  /** Returns the loaded rows of a range. */
  loaded(from: number, to: number): ItemRow[] {
    return this.#window.loaded(from, to).flatMap((index) => this.#window.at(index) ?? []);
  }

  get near(): ItemRow[] {
    return this.loaded(this.#view.first - NEAR, this.#view.last + NEAR);
  }

  dropFar(): void {
    this.#window.trim(this.#view.first - NEAR, this.#view.last + NEAR);
  }

  /** Replaces the loaded rows of the same items. */
  replace(rows: readonly ItemRow[]): void {
    const there = rows.map((row) => ({ row, index: this.#window.indexOf(row.id) })).filter(({ index }) => index >= 0);
    if (there.length === 0) return;
    for (const { row, index } of there) this.#window.put(index, row);
    this.#publish();
  }

  /** Shows the status of items, as far as they are loaded. */
  patchStates(states: ReadonlyMap<string, ItemStatus>): void {
    const rows = [...states].map(([id, state]) => ({ row: this.#window.at(this.#window.indexOf(id)), state }));
    this.replace(rows.flatMap(({ row, state }) => (row ? [{ ...row, state }] : [])));
  }

  #publish(): void {
    this.#rows = this.#window.copy(this.#length);
  }

  /** Includes the rows below the last known place, as far as their number is known. */
  get #length(): number {
    const { known } = this.#window;
    return this.#hasPlacesLeft ? Math.max(this.#options.count.total ?? 0, known + 1) : known;
  }

  #nextRead(): ReturnType<typeof nextRead> {
    if (!this.ready) return null;
    const below = this.#options.reader.query.text === undefined ? 'all' : 'near';
    return nextRead(this.#window, this.#view, this.#hasPlacesLeft ? below : 'none');
  }

  async #readPlaces(): Promise<Failure | null> {
    const below = this.#window.placeAt(this.#window.known - 1);
    const reply = await this.#options.reader.places(below);
    if (!reply) return null;
    if (!reply.ok) return reply.error;
    // Two reads may have asked for the same places.
    if (below !== this.#window.placeAt(this.#window.known - 1)) return null;
    this.#window.addPlaces(reply.value.places);
    this.#hasPlacesLeft = reply.value.more;
    // Places are invisible, and a list of a hundred thousand is slow to copy.
    if (this.#rows.length !== this.#length) this.#publish();
    return null;
  }

  async #readRows(indexes: readonly number[]): Promise<Failure | null> {
    const places = indexes.map((index) => this.#window.placeAt(index) ?? 0);
    if (places.length === 0) return null;
    const reply = await this.#options.reader.rows(places);
    if (!reply) return null;
    if (!reply.ok) return reply.error;
    this.#putAll(indexes, places, reply.value.rows);
    this.#window.trim(this.#view.first - KEPT, this.#view.last + KEPT);
    this.#publish();
    return null;
  }

  #putAll(indexes: readonly number[], places: readonly number[], rows: readonly (ItemRow | null)[]): void {
    const { last } = this.#view;
    const goneBefore = this.#gone.size;
    rows.forEach((row, at) => {
      const [index, place] = [indexes[at] ?? 0, places[at] ?? 0];
      if (this.#window.placeAt(index) !== place) return;
      const isSettled = row !== null || index <= last || this.#gone.has(place);
      if (isSettled) this.#window.put(index, row && this.#options.markingAll.shown(row));
      else this.#gone.add(place);
    });
    if (this.#gone.size > goneBefore) this.#forgetBelow(last);
  }

  /** Reads places again whose rows were gone before anyone saw them, so that the list has no holes. */
  #forgetBelow(last: number): void {
    if (last + 1 >= this.#window.known) return;
    this.#window.cut(last);
    this.#hasPlacesLeft = true;
    void this.#options.count.read();
  }
}
