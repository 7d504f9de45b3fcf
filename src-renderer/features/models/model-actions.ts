import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ModelLine } from '../../../src-main/contract/model/model.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import type { ModelsState } from './models.svelte.ts';
import type { ToastsState } from '../../ui/feedback/toasts.svelte.ts';

/** What the app does with a row of the catalogue; without one named, with the row that the keys act on. */
export class ModelActions {
  readonly #models: ModelsState;
  readonly #notes: ToastsState;
  readonly #complain: (what: string, failure: Failure) => void;

  constructor(models: ModelsState, toasts: ToastsState, complain: (what: string, failure: Failure) => void) {
    this.#models = models;
    this.#notes = toasts;
    this.#complain = complain;
  }

  /** Takes a model among the favourites, or out of them, and says so: its row goes elsewhere. */
  async toggleFavourite(line: ModelLine | null = this.#models.table.active): Promise<void> {
    if (!line) return;
    const favourite = line.favouriteAt === null;
    const failure = await this.#models.favourite(line.id, favourite);
    if (failure) {
      this.#complain(m.failure_mark_failed(), failure);
      return;
    }
    const name = oneLine(line.name, 80);
    const undo = (): void => void this.#models.favourite(line.id, !favourite);
    this.#notes.show(favourite ? m.models_favoured({ name }) : m.models_unfavoured({ name }), {
      action: { label: m.models_undo(), run: undo },
    });
  }

  async copyId(line: ModelLine | null = this.#models.table.active): Promise<void> {
    if (!line) return;
    try {
      await navigator.clipboard.writeText(line.id);
      this.#notes.show(m.models_copied({ id: line.id }));
    } catch {
      this.#notes.show(m.models_copy_failed(), { tone: 'problem' });
    }
  }
}
