import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ModelLine } from '../../../src-main/contract/model/model.ts';
import { language } from '../../i18n/language.svelte.ts';
import { oneLine } from '../../ui/text/plain-text.ts';
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
    const words = language.words.models;
    const favourite = line.favouriteAt === null;
    const failure = await this.#models.favourite(line.id, favourite);
    if (failure) {
      this.#complain(language.words.failure.markFailed, failure);
      return;
    }
    const name = oneLine(line.name, 80);
    const undo = (): void => void this.#models.favourite(line.id, !favourite);
    this.#notes.show(favourite ? words.favoured(name) : words.unfavoured(name), {
      action: { label: words.undo, run: undo },
    });
  }

  async copyId(line: ModelLine | null = this.#models.table.active): Promise<void> {
    if (!line) return;
    const words = language.words.models;
    try {
      await navigator.clipboard.writeText(line.id);
      this.#notes.show(words.copied(line.id));
    } catch {
      this.#notes.show(words.copyFailed, { tone: 'problem' });
    }
  }
}
