import { createContext } from 'svelte';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import type { LocationIn, ModelPanel } from '../../../src-main/contract/location.ts';
import type { Reply, Result } from '../../../src-main/contract/methods.ts';
import type { ModelLine, Workload } from '../../../src-main/contract/model/model.ts';
import { MODEL_LISTS, type ModelListName } from '../../../src-main/contract/model/resource.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';
import type { Ref } from '../../../src-main/contract/refs.ts';
import { Latest, type Changes, type LiveAnswers } from '../../api/live.ts';
import type { PageHistory, Toasts } from '../../ui/page-context.ts';
import { chosenColumns, type Column } from './model-columns.ts';
import { ModelTableState } from './model-table.svelte.ts';

export const MOST_COMPARED = 4;
export const FEWEST_COMPARED = 2;

interface Ports {
  live: LiveAnswers;
  history: PageHistory;
  settings: { readonly current: Settings; set(patch: Pick<Settings, 'modelColumns'>): Promise<Reply<unknown>> };
  toasts: Toasts;
  /** The lists are read only while they are shown. */
  isShown: () => boolean;
}

type ModelRef = Extract<Ref, { view: 'model' }>;

/** The two model lists of the gateway: open model, comparison, and the workloads that costs are estimated for. */
export class ModelsState {
  readonly #ports: Ports;
  readonly #lists = { models: this.#readList('models'), embeddings: this.#readList('embeddings') };
  readonly #tables = { models: this.#createTable('models'), embeddings: this.#createTable('embeddings') };
  #chosen = $state.raw<Record<ModelListName, readonly string[]>>({ models: [], embeddings: [] });
  /** True while the check boxes of all rows are shown, because the reader asked for a comparison. */
  #asked = $state(false);
  /** The list whose comparison covers the table. */
  #comparing = $state<ModelListName | null>(null);
  /** Null until one is chosen: then the first one is used. */
  #workloadId = $state<number | null>(null);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get modelList(): ModelListName {
    return this.#ports.history.in('models').list;
  }
  get panel(): ModelPanel {
    return this.#ports.history.in('models').panel;
  }
  set panel(panel: ModelPanel) {
    this.#comparing = null;
    this.#go({ panel });
  }
  get list(): Latest<'models.list'> {
    return this.#lists[this.modelList];
  }
  get lines(): readonly ModelLine[] {
    return this.linesOf(this.modelList);
  }
  /** RFC 3339; null until the model list was first fetched. */
  get fetchedAt(): string | null {
    return this.list.value?.fetchedAt ?? null;
  }
  /** Each model list has its own filter, order and active row. */
  get table(): ModelTableState {
    return this.#tables[this.modelList];
  }

  /** The chosen columns; that of the cost needs a workload. */
  get columns(): readonly Column[] {
    const columns = chosenColumns(this.table.columns, this.#ports.settings.current.modelColumns);
    return this.workload ? columns : columns.filter(({ id }) => id !== 'cost');
  }

  get words(): string {
    return this.table.filter.text;
  }
  set words(text: string) {
    const { table } = this;
    if (table.filter.text !== text) table.filter = { ...table.filter, text };
  }

  get workloads(): readonly Workload[] {
    return this.#ports.live.get('workloads.list', {}).value?.workloads ?? [];
  }
  /** The one that costs are estimated for. */
  get workload(): Workload | null {
    const { workloads } = this;
    return workloads.find(({ id }) => id === this.#workloadId) ?? workloads[0] ?? null;
  }

  linesOf(modelList: ModelListName): readonly ModelLine[] {
    return this.#lists[modelList].value?.lines ?? [];
  }

  /** Finds a model by its id in the shown list or else in the other one; null if none has it. */
  find(id: string): ModelLine | null {
    const lists = [this.modelList, ...MODEL_LISTS.filter((modelList) => modelList !== this.modelList)];
    for (const modelList of lists) {
      const line = this.linesOf(modelList).find((one) => one.id === id);
      if (line) return line;
    }
    return null;
  }

  get open(): { modelList: ModelListName; id: string } | null {
    return this.#ports.history.in('models').open.find((ref): ref is ModelRef => ref.view === 'model') ?? null;
  }
  /** The models of the shown list in the comparison, by id, in the order in which they were added. */
  get chosen(): readonly string[] {
    return this.#chosen[this.modelList];
  }
  get chosenLines(): readonly ModelLine[] {
    const byId = new Map(this.lines.map((line) => [line.id, line]));
    return this.chosen.flatMap((id) => byId.get(id) ?? []);
  }
  /** True while models are chosen to compare: rows are ticked instead of opened. */
  get choosing(): boolean {
    return this.panel === 'table' && (this.#asked || this.chosen.length > 0);
  }
  get comparing(): boolean {
    return this.#comparing === this.modelList && this.panel === 'table';
  }

  /** Reads both lists, if they weren't yet: the other one can then be shown after the host has ended. */
  async load(): Promise<void> {
    const unread = MODEL_LISTS.map((modelList) => this.#lists[modelList]).filter(({ value }) => value === null);
    await Promise.all(unread.map((list) => list.read()));
  }

  show(modelList: ModelListName): void {
    if (modelList === this.modelList) return;
    this.#comparing = null;
    this.#go({ list: modelList, open: [] });
  }

  useRow(id: string): void {
    this.table.activeId = id;
    if (this.choosing) this.toggleCompared(id);
    else this.openModel(id);
  }

  openModel(id: string, list: ModelListName = this.modelList): void {
    this.#go({ list, open: [{ view: 'model', modelList: list, id }] });
  }

  openChanges(): void {
    this.#comparing = null;
    this.#go({ panel: 'changes', open: [] });
  }

  /** Activates the row of the model that a location opens. */
  enter(): void {
    const { open } = this;
    if (open) this.#tables[open.modelList].activeId = open.id;
  }

  toggleCompared(id: string): void {
    const before = this.chosen;
    if (before.includes(id)) this.#setChosen(before.filter((other) => other !== id));
    else if (before.length < MOST_COMPARED) this.#setChosen([...before, id]);
    else this.#ports.toasts.show(m.models_compare_full({ count: before.length }));
  }

  chooseNone(): boolean {
    const { choosing } = this;
    this.#asked = false;
    this.#setChosen([]);
    return choosing;
  }

  /** Begins choosing. */
  askToCompare(): void {
    this.#asked = true;
  }

  compare(): void {
    this.#comparing = this.chosen.length >= FEWEST_COMPARED ? this.modelList : null;
    this.#go({ open: [] });
  }

  /** Closes the page of a model, or else the comparison. */
  back(): void {
    if (this.open) this.#go({ open: [] });
    else this.#comparing = null;
  }

  /**
   * Moves to the next (1) or previous (-1) row; while a model's page is open, to the page of that row. Returns false if
   * there was none.
   */
  step(by: 1 | -1): boolean {
    if (this.comparing) return false;
    const before = this.table.activeId;
    this.table.step(by);
    const { activeId } = this.table;
    if (this.open && activeId !== null) this.openModel(activeId);
    return activeId !== before;
  }

  /** Marks a model as in use or not. The toast says so, because the row moves. Default: the active row. */
  async toggleFavourite(line: ModelLine | null = this.table.active): Promise<void> {
    if (!line) return;
    const favourite = line.favouriteAt === null;
    if (!(await this.#setFavourite(line.id, favourite))) return;
    const name = oneLine(line.name, 80);
    this.#offerUndo(favourite ? m.models_favoured({ name }) : m.models_unfavoured({ name }), () =>
      this.#setFavourite(line.id, !favourite),
    );
  }

  async copyId(line: ModelLine | null = this.table.active): Promise<void> {
    if (line) await this.#ports.toasts.copy(line.id, m.models_copied({ id: line.id }), m.copy_failed());
  }

  /** Chooses the columns of the table; null for the default ones. */
  async setColumns(modelColumns: string[] | null): Promise<void> {
    const { settings, toasts } = this.#ports;
    await toasts.complainIfFailed(m.failure_settings_failed(), settings.set({ modelColumns }));
  }

  useWorkload(id: number | undefined): void {
    this.#workloadId = id ?? null;
  }

  /** Saves a workload and uses it. The dialog shows a failure, beside its fields. */
  async saveWorkload(workload: Workload): Promise<Reply<unknown>> {
    const reply = await this.#saveWorkload(workload);
    if (reply.ok) this.#ports.toasts.show(m.workload_saved({ name: workload.name }));
    return reply;
  }

  /** Marks a model as in use, and saves the workload that it is used for; null if that is saved. */
  async use(model: ModelLine, workload: Workload | null): Promise<void> {
    const reply = workload && (await this.saveWorkload(workload));
    if (reply && !reply.ok) this.#ports.toasts.complain(m.workload_failed(), reply.error);
    else if (model.favouriteAt === null) await this.toggleFavourite(model);
  }

  /** Removes a saved workload. Returns false if that failed. */
  async removeWorkload({ id, ...workload }: Workload): Promise<boolean> {
    if (id === undefined) return false;
    const { live, toasts } = this.#ports;
    const changes: Changes = {
      'workloads.list': ({ workloads }) => ({ workloads: workloads.filter((one) => one.id !== id) }),
    };
    const reply = await live.change(changes, 'workloads.remove', { id });
    if (!reply.ok) toasts.complain(m.workload_failed(), reply.error);
    else {
      this.#offerUndo(m.workload_removed({ name: workload.name }), () =>
        toasts.complainIfFailed(m.workload_failed(), this.#saveWorkload(workload)),
      );
    }
    return reply.ok;
  }

  async #saveWorkload(workload: Workload): Promise<Reply<unknown>> {
    const { live } = this.#ports;
    const reply = await live.change({ 'workloads.list': (shown) => shown }, 'workloads.save', { workload });
    if (!reply.ok) return reply;
    await live.get('workloads.list', {}).read();
    this.useWorkload(reply.value.workloads.find(({ name }) => name === workload.name)?.id);
    return reply;
  }

  async #setFavourite(id: string, favourite: boolean): Promise<boolean> {
    const { live, toasts } = this.#ports;
    if (!this.open) this.table.leave(id);
    const favouriteAt = favourite ? new Date().toISOString() : null;
    const changes: Changes = {
      'models.list': (shown) => withLine(shown, id, { favouriteAt }),
      'models.get': (shown) => (shown.id === id ? { ...shown, favouriteAt } : shown),
    };
    const reply = await live.change(changes, 'models.favourite', { id, favourite });
    if (!reply.ok) toasts.complain(m.failure_mark_failed(), reply.error);
    return reply.ok;
  }

  #offerUndo(text: string, undo: () => Promise<unknown>): void {
    this.#ports.toasts.show(text, { action: { label: m.undo(), run: () => void undo() } });
  }

  #setChosen(ids: readonly string[]): void {
    this.#chosen = { ...this.#chosen, [this.modelList]: ids };
    if (ids.length < FEWEST_COMPARED) this.#comparing = null;
  }

  #go(to: Partial<LocationIn<'models'>>): void {
    const { history } = this.#ports;
    history.go({ ...history.in('models'), ...to });
  }

  #readList(modelList: ModelListName): Latest<'models.list'> {
    return new Latest(() => (this.#ports.isShown() ? this.#ports.live.get('models.list', { modelList }) : null));
  }

  #createTable(modelList: ModelListName): ModelTableState {
    return new ModelTableState(
      () => this.linesOf(modelList),
      () => this.workload,
    );
  }
}

type ListedModels = Result<'models.list'>;

function withLine(shown: ListedModels, id: string, changes: Partial<ModelLine>): ListedModels {
  const { lines } = shown;
  if (!lines.some((line) => line.id === id)) return shown;
  return { ...shown, lines: lines.map((line) => (line.id === id ? { ...line, ...changes } : line)) };
}

export const [modelsContext, setModelsContext] = createContext<ModelsState>();
