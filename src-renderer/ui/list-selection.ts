/** Several rows of a list that are selected for one action. A list works with indexes, since rows may not be loaded. */
export interface ListSelection<Row> {
  readonly count: number;
  has(row: Row): boolean;
  /** Adds a row or removes it. `beside` is the open row, which counts as chosen first. */
  toggle(row: Row, index: number, beside: Row | undefined): void;
  /** Selects a range to an index, which starts at `from` if nothing is selected yet. */
  extend(to: number, from: number): Promise<void>;
  /** Selects as many rows as can be, from the first one. */
  all(count: number): Promise<void>;
  /** Returns false if nothing was selected. */
  clear(): boolean;
}
