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
  /** RFC 3339; null until the model list was fetched once. */
  fetchedAt: string | null;
}

/** The two model lists of the gateway, and what is open, chosen and counted of them. */
export class ModelsState {
  readonly #wire: Wire;
  readonly #lists: Record<ModelListName, AsyncResource<ListedModels>> = {
    models: new AsyncResource(),
    embeddings: new AsyncResource(),
  };
  readonly workloads: WorkloadsState;
  readonly #tables: Record<ModelListName, ModelTableState>;
  #modelList = $state<ModelListName>('models');
  #panel = $state<ModelPanel>('table');
  #open = $state.raw<{ modelList: ModelListName; id: string } | null>(null);
  #chosen = $state.raw<Record<ModelListName, readonly string[]>>({ models: [], embeddings: [] });
  #comparing = $state(false);
  /** Nothing is read before the app first comes to the view. */
  #wanted = false;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.workloads = new WorkloadsState(wire);
    const table = (modelList: ModelListName): ModelTableState =>
      new ModelTableState(
        () => this.linesOf(modelList),
        () => this.workloads.active,
      );
    this.#tables = { models: table('models'), embeddings: table('embeddings') };
    wire.on('models.changed', ({ modelLists }) => {
      if (this.#wanted) for (const modelList of modelLists) void this.#read(modelList);
    });
    const reload = (): void => {
      if (this.#wanted) void this.load();
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
  /** How the reading of the model list that is shown goes. */
  get list(): AsyncResource<ListedModels> {
    return this.#lists[this.#modelList];
  }
  get lines(): readonly ModelLine[] {
    return this.linesOf(this.#modelList);
  }
  get fetchedAt(): string | null {
    return this.list.value?.fetchedAt ?? null;
  }
  /** Each model list keeps its own filter, order and place. */
  get table(): ModelTableState {
    return this.#tables[this.#modelList];
  }
  linesOf(modelList: ModelListName): readonly ModelLine[] {
    return this.#lists[modelList].value?.lines ?? [];
  }

  /** The model whose page is open. */
  get open(): { modelList: ModelListName; id: string } | null {
    return this.#open;
  }
  /** Ids of the shown model list that were chosen to be compared, in the order in which they were. */
  get chosen(): readonly string[] {
    return this.#chosen[this.#modelList];
  }
  get chosenLines(): readonly ModelLine[] {
    const byId = new Map(this.lines.map((line) => [line.id, line]));
    return this.chosen.flatMap((id) => byId.get(id) ?? []);
  }
  /** Whether the chosen models are shown side by side, in the place of the table. */
  get comparing(): boolean {
    return this.#comparing;
  }

  async load(): Promise<void> {
    this.#wanted = true;
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
    this.table.activeId = id;
  }

  /** Takes a model among those to be compared, or out of them. Answers false where there is no room for one more. */
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

  /** Goes to the row after (1) or before (-1) the active one; where a page is open, to that row's page. */
  step(by: 1 | -1): void {
    if (this.#comparing) return;
    this.table.step(by);
    const { activeId } = this.table;
    if (this.#open && activeId !== null) this.openModel(activeId);
  }

  close(): void {
    this.#open = null;
    this.#comparing = false;
  }

  /** Marks at once on the page, then in the core. Answers why it could not be kept. */
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
