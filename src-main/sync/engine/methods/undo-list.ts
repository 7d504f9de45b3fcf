import { randomUUID } from 'node:crypto';
import { BroadsheetError } from '../../../contract/errors.ts';
import type { ActionReceipt } from '../../../contract/model/item.ts';
import type { Undo } from '../../../store/index.ts';
import { inSteps } from '../in-steps.ts';

/** Marks of items that a reader names: opening an item is one. */
const MAX_UNDOS = 200;

/**
 * The user's latest actions. Each can be undone once, during this run only. A bulk action stays until the next one: the
 * reader goes on reading before noticing what it did.
 */
export class UndoList {
  readonly #undos = new Map<string, Undo>();
  #bulk: string | null = null;

  keep(undo: Undo): ActionReceipt {
    if (undo.before.length === 0) return { changed: 0, undo: null };
    const name = this.#add(undo);
    const single = [...this.#undos.keys()].filter((name) => name !== this.#bulk);
    for (const oldest of single.slice(0, -MAX_UNDOS)) this.#undos.delete(oldest);
    return { changed: undo.before.length, undo: name };
  }

  /** As {@link keep}, for an action on everything that matches a query. It takes the place of the one before. */
  keepBulk(undo: Undo): ActionReceipt {
    if (undo.before.length === 0) return { changed: 0, undo: null };
    if (this.#bulk !== null) this.#undos.delete(this.#bulk);
    this.#bulk = this.#add(undo);
    return { changed: undo.before.length, undo: this.#bulk };
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

  #add(undo: Undo): string {
    const name = randomUUID();
    this.#undos.set(name, undo);
    return name;
  }
}
