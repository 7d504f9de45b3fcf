import type { Failure } from '../../../src-main/contract/errors.ts';
import { MODEL_LISTS, type ModelListName } from '../../../src-main/contract/model/resource.ts';
import type { ModelLine } from '../../../src-main/contract/model/model.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';
import { ModelTableState } from './table/model-table.svelte.ts';
import { WorkloadsState } from './workloads/workloads.svelte.ts';

export const MODEL_PANELS = ['table', 'chart', 'changes'] as const;
export type ModelPanel = (typeof MODEL_PANELS)[number];

export const MOST_COMPARED = 4;
export const FEWEST_COMPARED = 2;

interface ListedModels {
  lines: ModelLine[];
  /** RFC 3339; null until the model list was first fetched. */
  fetchedAt: string | null;
}

/** The two model lists of the gateway: open model, comparison, and the workloads that costs are estimated for. */
export class ModelsState {
  readonly #wire: Wire;
  readonly #lists: Record<ModelListName, AsyncResource<ListedModels>> = {
    models: new AsyncResource(),
    embeddings: new AsyncResource(),
  };
  readonly workloads: WorkloadsState;
  readonly #tables = { models: this.#createTable('models'), embeddings: this.#createTable('embeddings') };
  #modelList = $state<ModelListName>('models');
  #panel = $state<ModelPanel>('table');
  #open = $state.raw<{ modelList: ModelListName; id: string } | null>(null);
  #chosen = $state.raw<Record<ModelListName, readonly string[]>>({ models: [], embeddings: [] });
  #comparing = $state(false);
  /** True once the view was opened: nothing is loaded before. */
  #opened = false;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.workloads = new WorkloadsState(wire);
    wire.on('models.changed', ({ modelLists }) => {
      if (this.#opened) for (const modelList of modelLists) void this.#read(modelList);
    });
    const reload = (): void => {
      if (this.#opened) void this.load();
    };
    wire.on('data.replaced', reload);
    wire.on('gateway.changed', reload);
  }

  get modelList(): ModelListName {
    return this.#modelList;
  }
  get panel(): ModelPanel {
    return this.#panel;
  }
  set panel(panel: ModelPanel) {
    this.#panel = panel;
    this.#comparing = false;
  }
  /** The shown model list, with its failure if it could not be loaded. */
  get list(): AsyncResource<ListedModels> {
    return this.#lists[this.#modelList];
  }
  get lines(): readonly ModelLine[] {
    return this.linesOf(this.#modelList);
  }
  get fetchedAt(): string | null {
    return this.list.value?.fetchedAt ?? null;
  }
  /** Each model list has its own filter, order and active row. */
  get table(): ModelTableState {
    return this.#tables[this.#modelList];
  }
  /** The row that keys act on, if there is one. */
  get active(): ModelLine | null {
    return this.table.active;
  }

  /** The filter of the shown list. */
  get words(): string {
    return this.table.filter.text;
  }
  set words(text: string) {
    const { table } = this;
    if (table.filter.text !== text) table.filter = { ...table.filter, text };
  }

  #createTable(modelList: ModelListName): ModelTableState {
    return new ModelTableState(
      () => this.linesOf(modelList),
      () => this.workloads.active,
    );
  }

  linesOf(modelList: ModelListName): readonly ModelLine[] {
    return this.#lists[modelList].value?.lines ?? [];
  }

  /** Finds a model by its id in the shown list or else in the other one; null if none has it. */
  find(id: string): ModelLine | null {
    const lists = [this.#modelList, ...MODEL_LISTS.filter((modelList) => modelList !== this.#modelList)];
    for (const modelList of lists) {
      const line = this.linesOf(modelList).find((one) => one.id === id);
      if (line) return line;
    }
    return null;
  }

  get open(): { modelList: ModelListName; id: string } | null {
    return this.#open;
  }
  /** The models of the shown list in the comparison, by id, in the order in which they were added. */
  get chosen(): readonly string[] {
    return this.#chosen[this.#modelList];
  }
  get chosenLines(): readonly ModelLine[] {
    const byId = new Map(this.lines.map((line) => [line.id, line]));
    return this.chosen.flatMap((id) => byId.get(id) ?? []);
  }
  /** True if the comparison covers the table. */
  get comparing(): boolean {
    return this.#comparing;
  }

  async load(): Promise<void> {
    this.#opened = true;
    await Promise.all([...MODEL_LISTS.map((modelList) => this.#read(modelList)), this.workloads.load()]);
  }

  show(modelList: ModelListName): void {
    if (modelList === this.#modelList) return;
    this.#modelList = modelList;
    this.#comparing = false;
    this.#open = null;
  }

  openModel(id: string, modelList: ModelListName = this.#modelList): void {
    if (modelList !== this.#modelList) this.show(modelList);
    this.#open = { modelList, id };
    this.#tables[modelList].activeId = id;
  }

  /** Adds a model to the comparison or removes it. Returns false if the comparison is full. */
  choose(id: string): boolean {
    const before = this.chosen;
    const known = before.includes(id);
    if (!known && before.length >= MOST_COMPARED) return false;
    this.#setChosen(known ? before.filter((other) => other !== id) : [...before, id]);
    return true;
  }

  chooseNone(): void {
    this.#setChosen([]);
  }

  compare(): void {
    this.#comparing = this.chosen.length >= FEWEST_COMPARED;
    this.#open = null;
  }

  /** Closes the page of a model, or else the comparison. */
  back(): void {
    if (this.#open) this.#open = null;
    else this.#comparing = false;
  }

  /**
   * Moves to the next (1) or previous (-1) row; while a model's page is open, to the page of that row. Returns false if
   * there was none.
   */
  step(by: 1 | -1): boolean {
    if (this.#comparing) return false;
    const before = this.table.activeId;
    this.table.step(by);
    const { activeId } = this.table;
    if (this.#open && activeId !== null) this.openModel(activeId);
    return activeId !== before;
  }

  close(): void {
    this.#open = null;
    this.#comparing = false;
  }

  /** Shows the change at once, then saves it. Returns the failure, if any. */
  async favourite(id: string, favourite: boolean): Promise<Failure | null> {
    const before = MODEL_LISTS.map((modelList) => [modelList, this.#lists[modelList].value] as const);
    if (!this.#open) this.table.leave(id);
    const favouriteAt = favourite ? new Date().toISOString() : null;
    for (const modelList of MODEL_LISTS) this.#patch(modelList, id, { favouriteAt });
    const reply = await this.#wire.call('models.favourite', { id, favourite });
    if (reply.ok) return null;
    for (const [modelList, value] of before) this.#lists[modelList].put(value);
    return reply.error;
  }

  async #read(modelList: ModelListName): Promise<void> {
    await this.#lists[modelList].read(this.#wire.call('models.list', { modelList }));
  }

  #setChosen(ids: readonly string[]): void {
    this.#chosen = { ...this.#chosen, [this.#modelList]: ids };
    if (ids.length < FEWEST_COMPARED) this.#comparing = false;
  }

  #patch(modelList: ModelListName, id: string, changes: Partial<ModelLine>): void {
    const { value } = this.#lists[modelList];
    if (!value?.lines.some((line) => line.id === id)) return;
    const lines = value.lines.map((line) => (line.id === id ? { ...line, ...changes } : line));
    this.#lists[modelList].put({ ...value, lines });
  }
}
