import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ActionReceipt } from '../../contract/model/item.ts';
import {
  OPEN_MARKING,
  openMarking,
  type Before,
  type MarkedPart,
  type OpenMarking,
  type Store,
} from '../../store/index.ts';
import type { EngineBodies } from './types.ts';

/** Some 20 ms in one transaction, both. */
const UNDO_BATCH = 1_000;
const MARK_BATCH = 1_000;

type Unbegun = Omit<OpenMarking, 'now' | 'since'>;

interface MethodPorts {
  store: Store;
  announceStatuses(ids: string[]): void;
}

export function statusMethods({ store, announceStatuses }: MethodPorts) {
  const undos = new UndoList();
  /** The store saves the rest of only one. */
  const queue = pLimit(1);

  async function markWhole(from: Unbegun): Promise<Before> {
    const whole = newWhole();
    try {
      await markInSteps(store, from, whole);
      return whole;
    } catch (error) {
      if (whole.pairs.length > 0) {
        forgetMarking(store);
        announceStatuses(idsOf(whole));
      }
      throw error;
    }
  }

  function announceAction(action: Before, receipt: ActionReceipt): ActionReceipt {
    if (receipt.changed > 0) announceStatuses(idsOf(action));
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
      const done = newWhole();
      let restored = 0;
      try {
        await undos.use(undo, UNDO_BATCH, (part) => {
          restored += store.transaction(({ statuses }) => statuses.undo(part));
          done.pairs.push(...part.pairs);
        });
      } finally {
        if (done.pairs.length > 0) announceStatuses(idsOf(done));
      }
      return { restored };
    },
  } satisfies Partial<EngineBodies>;
}

/** After an error, `whole` has what was marked. */
async function markInSteps(store: Store, from: Unbegun | OpenMarking, whole: Before): Promise<void> {
  let open: Unbegun | OpenMarking | null = from;
  while (open !== null) {
    const part: Unbegun | OpenMarking = open;
    if (part.below !== null) await new Promise((resolve) => setImmediate(resolve));
    const marked: MarkedPart = store.transaction(({ statuses, now }) =>
      statuses.markAllRead({ now, ...part }, MARK_BATCH),
    );
    whole.service = marked.undo.service;
    whole.pairs.push(...marked.undo.pairs);
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
export async function endMarking(store: Store, announceStatuses: MethodPorts['announceStatuses']): Promise<void> {
  const open = openMarking(store.queries.mirror);
  if (open === null) return;
  const whole = newWhole();
  try {
    await markInSteps(store, open, whole);
  } finally {
    if (whole.pairs.length > 0) announceStatuses(idsOf(whole));
  }
}

function newWhole(): Before {
  return { kind: 'read', service: '', pairs: [] };
}

function idsOf({ pairs }: Before): string[] {
  return pairs.map(([id]) => id);
}

/** Opening an item is an action. */
const MAX_UNDOS = 200;

/** A bulk action stays until the next one, because the reader may notice later what it did. */
export class UndoList {
  readonly #undos = new Map<string, Before>();
  #bulk: string | null = null;

  keep(undo: Before): ActionReceipt {
    if (undo.pairs.length === 0) return { changed: 0, undo: null };
    const name = this.#add(undo);
    const single = [...this.#undos.keys()].filter((name) => name !== this.#bulk);
    for (const oldest of single.slice(0, -MAX_UNDOS)) this.#undos.delete(oldest);
    return { changed: undo.pairs.length, undo: name };
  }

  keepBulk(undo: Before): ActionReceipt {
    if (undo.pairs.length === 0) return { changed: 0, undo: null };
    if (this.#bulk !== null) this.#undos.delete(this.#bulk);
    this.#bulk = this.#add(undo);
    return { changed: undo.pairs.length, undo: this.#bulk };
  }

  /** After an error, the rest can be tried again. Errors: `not_found`, also for an undo in progress. */
  async use(name: string, size: number, takeBack: (part: Before) => void): Promise<void> {
    const undo = this.#undos.get(name);
    if (!undo) throw new BroadsheetError('not_found', 'This action is too old to undo.');
    this.#undos.delete(name);
    let done = 0;
    try {
      for (; done < undo.pairs.length; done += size) {
        if (done > 0) await new Promise((resolve) => setImmediate(resolve));
        takeBack({ ...undo, pairs: undo.pairs.slice(done, done + size) });
      }
    } catch (error) {
      this.#undos.set(name, { ...undo, pairs: undo.pairs.slice(done) });
      throw error;
    }
  }

  #add(undo: Before): string {
    const name = randomUUID();
    this.#undos.set(name, undo);
    return name;
  }
}
