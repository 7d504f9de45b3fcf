import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ModelLine, Workload } from '../../../src-main/contract/model/model.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import type { ModelsState } from './models.svelte.ts';
import type { ToastsState } from '../../ui/feedback/toasts.svelte.ts';

interface ModelActionsPorts {
  models: ModelsState;
  settings: { set(patch: Pick<Settings, 'modelColumns'>): Promise<Failure | null> };
  toasts: Pick<ToastsState, 'show'>;
  /** Shows what failed and why. */
  complain: (what: string, failure: Failure) => void;
}

/** Actions on models. Each reports its result in a toast. */
export class ModelActions {
  readonly #ports: ModelActionsPorts;

  constructor(ports: ModelActionsPorts) {
    this.#ports = ports;
  }

  /** Adds a model to the favourites or removes it. The toast says so, because the row moves. Default: the active row. */
  async toggleFavourite(line: ModelLine | null = this.#ports.models.active): Promise<void> {
    if (!line) return;
    const { models, toasts, complain } = this.#ports;
    const favourite = line.favouriteAt === null;
    const failure = await models.favourite(line.id, favourite);
    if (failure) {
      complain(m.failure_mark_failed(), failure);
      return;
    }
    const name = oneLine(line.name, 80);
    const undo = (): void => void models.favourite(line.id, !favourite);
    toasts.show(favourite ? m.models_favoured({ name }) : m.models_unfavoured({ name }), {
      action: { label: m.models_undo(), run: undo },
    });
  }

  /** Copies the id of a model. Default: the active row. */
  async copyId(line: ModelLine | null = this.#ports.models.active): Promise<void> {
    if (line) await this.#copy(line.id, m.models_copied({ id: line.id }), m.models_copy_failed());
  }

  async copyText(text: string): Promise<void> {
    await this.#copy(text, m.model_page_copied(), m.model_page_copy_failed());
  }

  /** Adds a model to the comparison or removes it. */
  toggleCompared(id: string): void {
    const { models, toasts } = this.#ports;
    if (!models.choose(id)) toasts.show(m.models_compare_full({ count: models.chosen.length }));
  }

  /** Chooses the columns of the table; null for the default ones. */
  async setColumns(modelColumns: string[] | null): Promise<void> {
    const failure = await this.#ports.settings.set({ modelColumns });
    if (failure) this.#ports.complain(m.failure_settings_failed(), failure);
  }

  /** Saves a workload. Returns a failure without showing it: the dialog does, beside its fields. */
  async saveWorkload(workload: Workload): Promise<Failure | null> {
    const { models, toasts } = this.#ports;
    const failure = await models.workloads.save(workload);
    if (!failure) toasts.show(m.workload_saved({ name: workload.name }));
    return failure;
  }

  /** Removes a saved workload. Returns false if that failed. */
  async removeWorkload({ id, ...workload }: Workload): Promise<boolean> {
    if (id === undefined) return false;
    const { models, toasts, complain } = this.#ports;
    const failure = await models.workloads.remove(id);
    if (failure) {
      complain(m.workload_failed(), failure);
      return false;
    }
    toasts.show(m.workload_removed({ name: workload.name }), {
      action: { label: m.models_undo(), run: () => void this.#restoreWorkload(workload) },
    });
    return true;
  }

  exported(name: string): void {
    this.#ports.toasts.show(m.model_export_done({ name }));
  }

  exportFailed(): void {
    this.#ports.toasts.show(m.model_export_failed(), { tone: 'problem' });
  }

  async #restoreWorkload(workload: Workload): Promise<void> {
    const failure = await this.#ports.models.workloads.save(workload);
    if (failure) this.#ports.complain(m.workload_failed(), failure);
  }

  async #copy(text: string, copied: string, failed: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.#ports.toasts.show(copied);
    } catch {
      this.#ports.toasts.show(failed, { tone: 'problem' });
    }
  }
}
