import type { ItemRow } from '../../../src-main/contract/model/item.ts';

/** Rows on each side of the held one that stay loaded. */
const NEIGHBORS = 20;

/** The keys of all rows of a list, in descending order, and the rows that are loaded, by index. */
export class LoadedRows {
  #keys: number[] = [];
  /** Null for a row that was gone before it was read. */
  readonly #rows = new Map<number, ItemRow | null>();
  readonly #indexes = new Map<string, number>();
  /** A row that stays loaded wherever the list is scrolled to; -1 for none. */
  held = -1;

  get keys(): readonly number[] {
    return this.#keys;
  }

  at(index: number): ItemRow | null | undefined {
    return this.#rows.get(index);
  }

  indexOf(id: string): number {
    return this.#indexes.get(id) ?? -1;
  }

  /** Returns the first index whose key is not above `key`; past the last one if there is none. */
  indexOfKey(key: number): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle] ?? -Infinity) > key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  hasKey(key: number): boolean {
    return this.#keys[this.indexOfKey(key)] === key;
  }

  between(from: number, to: number): ItemRow[] {
    const indexes = [...this.#rows.keys()].filter((index) => index >= from && index <= to).sort((a, b) => a - b);
    return indexes.flatMap((index) => this.#rows.get(index) ?? []);
  }

  /** Returns the first `limit` indexes of a range whose rows are not loaded. */
  missing(from: number, to: number, limit: number): number[] {
    const found: number[] = [];
    const end = Math.min(to, this.#keys.length - 1);
    for (let index = Math.max(0, from); index <= end && found.length < limit; index += 1) {
      if (!this.#rows.has(index)) found.push(index);
    }
    return found;
  }

  /** Puts a row in its place. Leaves a hole for an item that the list has elsewhere already. */
  put(index: number, row: ItemRow | null): void {
    const other = row ? this.indexOf(row.id) : index;
    const isElsewhere = other >= 0 && other !== index;
    this.#rows.set(index, isElsewhere ? null : row);
    if (row && !isElsewhere) this.#indexes.set(row.id, index);
  }

  append(keys: readonly number[]): void {
    for (const key of keys) this.#keys.push(key);
  }

  /** Takes other keys and their first rows. Keeps the loaded rows whose keys are among them. */
  list(keys: readonly number[], first: readonly ItemRow[]): void {
    const loaded = [...this.#rows].map(([index, row]) => ({ row, key: this.#keys[index] ?? -1 }));
    const held = this.#keys[this.held] ?? -1;
    this.#keys = [...keys];
    this.#clear();
    first.forEach((row, index) => this.put(index, row));
    for (const { row, key } of loaded) {
      const index = this.indexOfKey(key);
      if (row && this.#keys[index] === key && !this.#rows.has(index)) this.put(index, row);
    }
    this.held = this.hasKey(held) ? this.indexOfKey(held) : -1;
  }

  /** Removes keys by their indexes, in ascending order. */
  forget(gone: readonly number[]): void {
    const isGone = new Set(gone);
    const loaded = [...this.#rows];
    const moved = (index: number): number => index - gone.filter((one) => one < index).length;
    this.#keys = this.#keys.filter((_, index) => !isGone.has(index));
    this.#clear();
    for (const [index, row] of loaded) if (!isGone.has(index)) this.put(moved(index), row);
    this.held = moved(this.held);
  }

  trim(from: number, to: number): void {
    for (const [index, row] of this.#rows) {
      const isHeld = this.held >= 0 && Math.abs(index - this.held) <= NEIGHBORS;
      if ((index >= from && index <= to) || isHeld) continue;
      this.#rows.delete(index);
      if (row) this.#indexes.delete(row.id);
    }
  }

  #clear(): void {
    this.#rows.clear();
    this.#indexes.clear();
  }
}
