import { randomUUID } from 'node:crypto';
import { BroadsheetError } from '../../../contract/errors.ts';
import type { ActionReceipt } from '../../../contract/model/item.ts';
import type { Undo } from '../../../store/index.ts';
import { inSteps } from '../in-steps.ts';

const MAX_UNDOS = 20;

/** The user's latest actions. Each can be undone once, during this run only. */
export class UndoList {
  readonly #undos = new Map<string, Undo>();

  keep(undo: Undo): ActionReceipt {
    if (undo.before.length === 0) return { changed: 0, undo: null };
    const name = randomUUID();
    this.#undos.set(name, undo);
    const [oldest] = this.#undos.keys();
    if (this.#undos.size > MAX_UNDOS && oldest !== undefined) this.#undos.delete(oldest);
    return { changed: undo.before.length, undo: name };
  }

  /**
   * Takes an action back in steps of `size`, each saved by itself. If one fails, the rest stays in the list, so that it
   * can be tried again. Errors: `not_found`, also while it is being taken back; those of `takeBack`.
   */
  async use(name: string, size: number, takeBack: (part: Undo) => void): Promise<void> {
    const undo = this.#undos.get(name);
    if (!undo) throw new BroadsheetError('not_found', 'This action is too old to undo.');
    this.#undos.delete(name);
    let done = 0;
    try {
      await inSteps(undo.before, size, (before) => {
        takeBack({ ...undo, before: [...before] });
        done += before.length;
      });
    } catch (error) {
      this.#undos.set(name, { ...undo, before: undo.before.slice(done) });
      throw error;
    }
  }
}
