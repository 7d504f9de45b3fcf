import { randomUUID } from 'node:crypto';
import { BroadsheetError } from '../../../contract/errors.ts';
import type { ActionReceipt } from '../../../contract/model/item.ts';
import type { Undo } from '../../../store/index.ts';

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

  /** Runs `takeBack` for an action and removes it from the list. Errors: `not_found`; those of `takeBack`. */
  use<T>(name: string, takeBack: (undo: Undo) => T): T {
    const undo = this.#undos.get(name);
    if (!undo) throw new BroadsheetError('not_found', 'This action is too old to undo.');
    const result = takeBack(undo);
    this.#undos.delete(name);
    return result;
  }
}
