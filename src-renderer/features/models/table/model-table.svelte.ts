import type { ModelLine, Workload } from '../../../../src-main/contract/model/model.ts';
import { language } from '../../../ui/language.svelte.ts';
import { columnsOf, type Column } from '../model-columns.ts';
import { facetsOf, filterModels, modelEntries, NO_FILTER, type Facets, type ModelFilter } from './model-filter.ts';
import { FIRST_SORT, sortModels, type ModelSort } from './model-sort.ts';

/**
 * One model list as its table shows it. Each step is worked out anew only where what it rests on has changed: a letter typed into
 * the filter sorts nothing.
 */
export class ModelTableState {
  readonly #lines: () => readonly ModelLine[];
  readonly #workload: () => Workload | null;
  #filter = $state.raw<ModelFilter>(NO_FILTER);
  #sort = $state.raw<ModelSort>(FIRST_SORT);
  /** The row that the keys act on. */
  #activeId = $state<string | null>(null);
  readonly #entries = $derived.by(() => modelEntries(this.#lines(), language.locale));
  readonly #columns = $derived.by(() => columnsOf(this.#lines()));
  readonly #facets = $derived.by(() => facetsOf(this.#lines()));
  readonly #sorted = $derived.by(() => this.#sortEntries());
  readonly #shown = $derived.by(() => filterModels(this.#sorted, this.#filter, Date.now()).map(({ line }) => line));

  constructor(lines: () => readonly ModelLine[], workload: () => Workload | null) {
    this.#lines = lines;
    this.#workload = workload;
  }

  /** Every column that there is. */
  get columns(): readonly Column[] {
    return this.#columns;
  }
  get facets(): Facets {
    return this.#facets;
  }
  /** Filtered and sorted. */
  get shown(): readonly ModelLine[] {
    return this.#shown;
  }
  get filter(): ModelFilter {
    return this.#filter;
  }
  set filter(filter: ModelFilter) {
    this.#filter = filter;
  }
  get sort(): ModelSort {
    return this.#sort;
  }
  get activeId(): string | null {
    return this.#activeId;
  }
  set activeId(id: string | null) {
    this.#activeId = id;
  }
  get active(): ModelLine | null {
    return this.#shown.find(({ id }) => id === this.#activeId) ?? null;
  }

  /** Sorts by a column; by the same one again, the other way round. */
  sortBy(column: string): void {
    const again = this.#sort.column === column;
    this.#sort = { column, ascending: again ? !this.#sort.ascending : true };
  }

  /** Makes the row after (1) or before (-1) the active one active. */
  step(by: number): void {
    const at = this.#shown.findIndex(({ id }) => id === this.#activeId);
    this.moveTo(at + by);
  }

  moveTo(place: number): void {
    const line = this.#shown[Math.max(0, Math.min(place, this.#shown.length - 1))];
    if (line) this.#activeId = line.id;
  }

  /** Makes a neighbour of the active row active, before it goes elsewhere in the order: the app stays where they are. */
  leave(id: string): void {
    if (id !== this.#activeId) return;
    const at = this.#shown.findIndex((line) => line.id === id);
    const neighbour = this.#shown[at + 1] ?? this.#shown[at - 1];
    if (neighbour) this.#activeId = neighbour.id;
  }

  #sortEntries() {
    const column = this.#columns.find(({ id }) => id === this.#sort.column) ?? this.#columns[0];
    if (!column) return this.#entries;
    const workload = column.kind === 'cost' ? this.#workload() : null;
    return sortModels(this.#entries, column, this.#sort.ascending, workload, language.locale);
  }
}
