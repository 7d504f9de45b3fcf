import { SvelteMap } from 'svelte/reactivity';
import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import type { ListSelection } from '../../ui/list-selection.ts';

/** Most rows that can be selected: the limit of one call and of one undo step. */
const MOST_SELECTED = 1_000;

interface SelectableRows {
  at(index: number): ItemRow | null | undefined;
  indexOf(id: string): number;
  /** Returns the rows of a range, loaded if need be. */
  between(first: number, last: number): Promise<readonly ItemRow[]>;
}

/** Several rows that the reader selected for one action. */
export class RowSelection implements ListSelection<ItemRow> {
  readonly #list: () => SelectableRows;
  readonly #rows = new SvelteMap<string, ItemRow>();
  /** The start of a range: new rows above it change its index. `id` is undefined if it was not loaded. */
  #anchor: { id: string | undefined; index: number } | null = null;
  #run = 0;

  constructor(list: () => SelectableRows) {
    this.#list = list;
  }

  get count(): number {
    return this.#rows.size;
  }
  /** In the order in which they were selected: a range from its top. */
  get rows(): readonly ItemRow[] {
    const list = this.#list();
    return [...this.#rows.values()].map((row) => list.at(list.indexOf(row.id)) ?? row);
  }
  /** True if no more can be selected. */
  get full(): boolean {
    return this.#rows.size >= MOST_SELECTED;
  }

  has({ id }: ItemRow): boolean {
    return this.#rows.has(id);
  }

  toggle(row: ItemRow, index: number, beside: ItemRow | undefined): void {
    this.#run += 1;
    if (this.#rows.size === 0 && beside && beside.id !== row.id) this.#rows.set(beside.id, beside);
    if (this.#rows.has(row.id)) this.#rows.delete(row.id);
    else if (!this.full) this.#rows.set(row.id, row);
    this.#anchor = { id: row.id, index };
  }

  /** Selects at most {@link MOST_SELECTED} rows. */
  async extend(to: number, from: number): Promise<void> {
    const anchor = this.#beginAt(Math.max(0, from));
    const [first, last] = to < anchor ? [to, anchor] : [anchor, to];
    // Drops the rows furthest from the start of the range.
    const most =
      to < anchor
        ? [Math.max(first, last - MOST_SELECTED + 1), last]
        : [first, Math.min(last, first + MOST_SELECTED - 1)];
    const run = ++this.#run;
    const rows = await this.#list().between(most[0] ?? first, most[1] ?? last);
    if (run !== this.#run) return;
    this.#put(rows);
  }

  async all(length: number): Promise<void> {
    const run = ++this.#run;
    const rows = await this.#list().between(0, Math.min(length, MOST_SELECTED) - 1);
    if (run !== this.#run) return;
    this.#anchor = { id: rows[0]?.id, index: 0 };
    this.#put(rows);
  }

  clear(): boolean {
    this.#run += 1;
    const had = this.#rows.size > 0;
    this.#rows.clear();
    this.#anchor = null;
    return had;
  }

  /** Returns the index of the start of the range: `from` if there is none yet. */
  #beginAt(from: number): number {
    if (this.#rows.size === 0) this.#anchor = null;
    const anchor = (this.#anchor ??= { id: this.#list().at(from)?.id, index: from });
    const known = anchor.id === undefined ? -1 : this.#list().indexOf(anchor.id);
    if (known >= 0) anchor.index = known;
    return anchor.index;
  }

  #put(rows: readonly ItemRow[]): void {
    this.#rows.clear();
    for (const row of rows) this.#rows.set(row.id, row);
  }
}
