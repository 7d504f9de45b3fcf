import { nameWithoutVendor, vendorName } from '../../../src-main/common/model-line.ts';
import type { ModelLine, Workload } from '../../../src-main/contract/model/model.ts';
import { language } from '../../ui/language.svelte.ts';
import { columnsOf, FIRST_SORT, sortModels, type Column, type ModelSort } from './model-columns.ts';
import { facetsOf, filterModels, modelEntries, NO_FILTER, type Facets, type ModelFilter } from './model-filter.ts';

/**
 * The table of one model list: columns, filter, order and active row. Each step is computed only when its input
 * changes: typing in the filter does not sort again.
 */
export class ModelTableState {
  readonly #lines: () => readonly ModelLine[];
  readonly #workload: () => Workload | null;
  filter = $state.raw<ModelFilter>(NO_FILTER);
  sort = $state.raw<ModelSort>(FIRST_SORT);
  /** The row that keys act on. */
  activeId = $state<string | null>(null);
  readonly columns: readonly Column[] = $derived.by(() => columnsOf(this.#lines()));
  readonly facets: Facets = $derived.by(() => facetsOf(this.#lines()));
  /** Names with vendors that several models have: only their ids tell these apart. */
  readonly #shared: ReadonlySet<string> = $derived.by(() => repeated(this.#lines().map(fullName)));
  readonly #entries = $derived.by(() => modelEntries(this.#lines(), language.locale));
  readonly #sorted = $derived.by(() => this.#sortEntries());
  readonly rows: readonly ModelLine[] = $derived.by(() =>
    filterModels(this.#sorted, this.filter, Date.now()).map(({ line }) => line),
  );

  constructor(lines: () => readonly ModelLine[], workload: () => Workload | null) {
    this.#lines = lines;
    this.#workload = workload;
  }

  /** Returns null if the vendor is not known, or not enough to tell the model apart. */
  vendorOf(line: ModelLine): string | null {
    return this.#shared.has(fullName(line)) ? null : vendorName(line);
  }

  get active(): ModelLine | null {
    return this.rows.find(({ id }) => id === this.activeId) ?? null;
  }

  /** Sorts by a column; the second time, in the other direction. */
  sortBy(column: string): void {
    const repeated = this.sort.column === column;
    this.sort = { column, ascending: repeated ? !this.sort.ascending : true };
  }

  /** Activates the next (1) or previous (-1) row. */
  step(by: number): void {
    const at = this.rows.findIndex(({ id }) => id === this.activeId);
    this.moveTo(at + by);
  }

  moveTo(index: number): void {
    const line = this.rows[Math.max(0, Math.min(index, this.rows.length - 1))];
    if (line) this.activeId = line.id;
  }

  /** If this row is active, activates a neighbor before it moves elsewhere, so that the user keeps the position. */
  leave(id: string): void {
    if (id !== this.activeId) return;
    const at = this.rows.findIndex((line) => line.id === id);
    const neighbour = this.rows[at + 1] ?? this.rows[at - 1];
    if (neighbour) this.activeId = neighbour.id;
  }

  #sortEntries() {
    const column = this.columns.find(({ id }) => id === this.sort.column) ?? this.columns[0];
    if (!column) return this.#entries;
    const workload = column.id === 'cost' ? this.#workload() : null;
    return sortModels(this.#entries, column, this.sort.ascending, workload, language.locale);
  }
}

const fullName = (line: ModelLine): string => `${vendorName(line) ?? ''}: ${nameWithoutVendor(line.name)}`;

function repeated(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const found = new Set<string>();
  for (const name of names) (seen.has(name) ? found : seen).add(name);
  return found;
}
