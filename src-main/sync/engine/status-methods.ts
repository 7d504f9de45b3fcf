import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ActionReceipt } from '../../contract/model/item.ts';
import {
  OPEN_MARKING,
  openMarking,
  type MarkedPart,
  type OpenMarking,
  type Store,
  type Undo,
} from '../../store/index.ts';
import type { EngineBodies } from './types.ts';

/** Some 20 ms in one transaction, both. */
const UNDO_BATCH = 1_000;
const MARK_BATCH = 2_000;

type Unbegun = Omit<OpenMarking, 'now' | 'since'>;

interface MethodPorts {
  store: Store;
  announceStatuses(action: Undo): void;
}

export function statusMethods({ store, announceStatuses }: MethodPorts) {
  const undos = new UndoList();
  /** The store saves the rest of only one. */
  const queue = pLimit(1);

  async function markWhole(from: Unbegun): Promise<Undo> {
    const whole: Undo = { field: 'read_at', before: [] };
    try {
      await markInSteps(store, from, whole);
      return whole;
    } catch (error) {
      if (whole.before.length > 0) {
        forgetMarking(store);
        announceStatuses(whole);
      }
      throw error;
    }
  }

  function announceAction(action: Undo, receipt: ActionReceipt): ActionReceipt {
    if (receipt.changed > 0) announceStatuses(action);
    return receipt;
  }

  return {
    'items.mark': ({ ids, mark, bulk }) => {
      const action = store.transaction(({ statuses, now }) => statuses.mark(ids, mark, now));
      return announceAction(action, bulk ? undos.keepBulk(action) : undos.keep(action));
    },
    'items.markAllRead': async ({ query, watermark, below, above }) => {
      const action = await queue(() =>
        markWhole({ query, watermark, below: below ?? null, ...(above !== undefined && { above }) }),
      );
      return announceAction(action, undos.keepBulk(action));
    },
    'items.undoMark': async ({ undo }) => {
      const done: Undo = { field: 'read_at', before: [] };
      let restored = 0;
      try {
        await undos.use(undo, UNDO_BATCH, (part) => {
          restored += store.transaction(({ statuses }) => statuses.undo(part));
          for (const one of part.before) done.before.push(one);
        });
      } finally {
        if (done.before.length > 0) announceStatuses(done);
      }
      return { restored };
    },
  } satisfies Partial<EngineBodies>;
}

/** After an error, `whole` has what was marked. */
async function markInSteps(store: Store, from: Unbegun | OpenMarking, whole: Undo): Promise<void> {
  let open: Unbegun | OpenMarking | null = from;
  while (open !== null) {
    const part: Unbegun | OpenMarking = open;
    if (part.below !== null) await new Promise((resolve) => setImmediate(resolve));
    const marked: MarkedPart = store.transaction(({ statuses, now }) =>
      statuses.markAllRead({ now, ...part }, MARK_BATCH),
    );
    for (const one of marked.undo.before) whole.before.push(one);
    open = marked.next;
  }
}

/** A later start must not mark the rest, because the reader saw the failure. */
function forgetMarking(store: Store): void {
  try {
    store.transaction(({ mirror }) => {
      mirror.set(OPEN_MARKING, null);
    });
  } catch {
    // The caller throws the failure of the marking.
  }
}

/** Completes the marking of a killed process. */
export async function endMarking(store: Store, announceStatuses: (action: Undo) => void): Promise<void> {
  const open = openMarking(store.queries.mirror);
  if (open === null) return;
  const undo: Undo = { field: 'read_at', before: [] };
  try {
    await markInSteps(store, open, undo);
  } finally {
    if (undo.before.length > 0) announceStatuses(undo);
  }
}

/** Opening an item is an action. */
const MAX_UNDOS = 200;

/** A bulk action stays until the next one, because the reader may notice later what it did. */
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

  keepBulk(undo: Undo): ActionReceipt {
    if (undo.before.length === 0) return { changed: 0, undo: null };
    if (this.#bulk !== null) this.#undos.delete(this.#bulk);
    this.#bulk = this.#add(undo);
    return { changed: undo.before.length, undo: this.#bulk };
  }

  /** After an error, the rest can be tried again. Errors: `not_found`, also for an undo in progress. */
  async use(name: string, size: number, takeBack: (part: Undo) => void): Promise<void> {
    const undo = this.#undos.get(name);
    if (!undo) throw new BroadsheetError('not_found', 'This action is too old to undo.');
    this.#undos.delete(name);
    let done = 0;
    try {
      for (; done < undo.before.length; done += size) {
        if (done > 0) await new Promise((resolve) => setImmediate(resolve));
        takeBack({ ...undo, before: undo.before.slice(done, done + size) });
      }
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
