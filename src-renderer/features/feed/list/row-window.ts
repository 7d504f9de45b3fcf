import type { ItemRow } from '../../../../src-main/contract/model/item.ts';

/** A row of a list: undefined while it is not loaded, null if its item was gone before that. */
export type Slot = ItemRow | null | undefined;

/** The operations that don't change the set of rows. */
export type KnownRows = Omit<RowWindow, 'addPlaces' | 'begin' | 'copy' | 'cut' | 'put' | 'trim'>;

/**
 * A long list with only the rows near the view loaded. The places of the others are known, so that any of them can be
 * read. The order never changes.
 */
export class RowWindow {
  /** In descending order. */
  #places: number[] = [];
  #slots: Slot[] = [];
  readonly #positions = new Map<string, number>();
  /** Index of the open row, which stays loaded; -1 for none. */
  #held = -1;

  begin(rows: readonly ItemRow[], places: readonly number[]): void {
    this.#places = [...places];
    this.#slots = [];
    this.#positions.clear();
    this.#held = -1;
    rows.forEach((row, index) => this.#set(index, row));
  }

  /** Number of known places, from the first one on. */
  get known(): number {
    return this.#places.length;
  }

  /** Returns the slots, at least `length` of them. */
  copy(length: number): Slot[] {
    this.#slots.length = Math.max(length, this.#places.length);
    return this.#slots.slice();
  }

  at(index: number): Slot {
    return this.#slots[index];
  }

  /** Returns the index of a loaded row; -1 for others. */
  indexOf(id: string): number {
    return this.#positions.get(id) ?? -1;
  }

  placeAt(index: number): number | undefined {
    return this.#places[index];
  }

  hasPlace(place: number): boolean {
    return this.indexOfPlace(place) >= 0;
  }

  /** Returns the index of a place; -1 if it is not known. */
  indexOfPlace(place: number): number {
    const at = this.firstFrom(place);
    return this.#places[at] === place ? at : -1;
  }

  /** Returns the index of a place, or else of the next one below it: past the last one if there is none. */
  firstFrom(place: number): number {
    return firstFrom(this.#places, place);
  }

  addPlaces(places: readonly number[]): void {
    for (const place of places) this.#places.push(place);
  }

  /** Forgets everything below an index. */
  cut(below: number): void {
    for (let index = below + 1; index < this.#slots.length; index += 1) this.#clear(index);
    this.#places.length = Math.min(this.#places.length, below + 1);
    this.#slots.length = Math.min(this.#slots.length, below + 1);
  }

  /** Returns the first `limit` indexes of a range whose place is known and whose row is not. */
  missing(from: number, to: number, limit: number): number[] {
    const found: number[] = [];
    const end = Math.min(to, this.#places.length - 1);
    for (let index = Math.max(0, from); index <= end && found.length < limit; index += 1) {
      if (this.#slots[index] === undefined) found.push(index);
    }
    return found;
  }

  /** Returns the indexes of a range whose rows are loaded. */
  loaded(from: number, to: number): number[] {
    const found: number[] = [];
    const end = Math.min(to, this.#slots.length - 1);
    for (let index = Math.max(0, from); index <= end; index += 1) if (this.#slots[index]) found.push(index);
    return found;
  }

  /** Puts a row in its place. Drops an item that the list has elsewhere already. */
  put(index: number, row: ItemRow | null): void {
    const other = row === null ? index : (this.#positions.get(row.id) ?? index);
    this.#set(index, other === index ? row : null);
  }

  /** Keeps the row of this item and its neighbours loaded. */
  hold(id: string): void {
    this.#held = this.indexOf(id);
  }

  holdAt(index: number): void {
    this.#held = index;
  }

  /** Drops the rows outside of a range. */
  trim(from: number, to: number): void {
    for (const [id, index] of this.#positions) {
      const isHeld = this.#held >= 0 && Math.abs(index - this.#held) <= NEIGHBOURS;
      if ((index >= from && index <= to) || isHeld) continue;
      this.#slots[index] = undefined;
      this.#positions.delete(id);
    }
  }

  #set(index: number, row: ItemRow | null): void {
    this.#clear(index);
    this.#slots[index] = row;
    if (row) this.#positions.set(row.id, index);
  }

  #clear(index: number): void {
    const row = this.#slots[index];
    if (row && this.#positions.get(row.id) === index) this.#positions.delete(row.id);
    this.#slots[index] = undefined;
  }
}

const NEIGHBOURS = 20;

/** Returns the first index whose place is not above `place`; places are in descending order. */
export function firstFrom(places: readonly number[], place: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? -Infinity) > place) low = middle + 1;
    else high = middle;
  }
  return low;
}
