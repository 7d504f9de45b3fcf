import type { Emit } from '../../../contract/events.ts';
import type { ActionReceipt, ItemsQuery } from '../../../contract/model/item.ts';
import { openMarking, type OpenMarking, type Store, type Undo } from '../../../store/index.ts';
import { namedIds } from '../status.ts';
import type { EngineBodies } from '../types.ts';
import { UndoList } from './undo-list.ts';

/** Statuses that are restored in one transaction: some 20 ms. */
const UNDONE_A_STEP = 1_000;
/** Items that are marked as read in one transaction: some 20 ms. */
const MARKED_A_STEP = 2_000;

interface MethodPorts {
  store: Store;
  /** Sends the events for changed statuses. */
  marked(action: Undo): void;
}

/** Methods that set read and star states, and undo. */
export function statusMethods({ store, marked }: MethodPorts) {
  const undos = new UndoList();
  let marking: Promise<unknown> = Promise.resolve();

  /** One after another: what is left of one is saved. */
  function markAllRead(query: ItemsQuery, watermark: number): Promise<Undo> {
    const marked = marking.then(() => markInSteps(store, { query, watermark, below: null }));
    marking = marked.catch(() => undefined);
    return marked;
  }

  function done(action: Undo, receipt: ActionReceipt): ActionReceipt {
    if (receipt.changed > 0) marked(action);
    return receipt;
  }

  return {
    'items.mark': ({ ids, mark }) => {
      const action = store.transaction(({ statuses, now }) => statuses.mark(ids, mark, now));
      return done(action, undos.keep(action));
    },
    'items.markAllRead': async ({ query, watermark }) => {
      const action = await markAllRead(query, watermark);
      return done(action, undos.keepBulk(action));
    },
    'items.undoMark': async ({ undo }) => {
      const done: Undo = { field: 'read_at', before: [] };
      let restored = 0;
      try {
        await undos.use(undo, UNDONE_A_STEP, (part) => {
          restored += store.transaction(({ statuses }) => statuses.undo(part));
          for (const one of part.before) done.before.push(one);
        });
      } finally {
        if (done.before.length > 0) marked(done);
      }
      return { restored };
    },
  } satisfies Partial<EngineBodies>;
}

/**
 * Marks everything as read, in steps that are saved by themselves: other calls are answered between two of them. Errors:
 * those of the store, after which the rest is unread.
 */
async function markInSteps(store: Store, from: Omit<OpenMarking, 'now'> & { now?: number }): Promise<Undo> {
  const whole: Undo = { field: 'read_at', before: [] };
  let { below, now: at } = from;
  do {
    if (below !== null) await new Promise((resolve) => setImmediate(resolve));
    const { undo, next } = store.transaction(({ statuses, now }) =>
      statuses.markAllRead({ ...from, below, now: (at ??= now) }, MARKED_A_STEP),
    );
    for (const one of undo.before) whole.before.push(one);
    below = next;
  } while (below !== null);
  return whole;
}

/** Ends a marking of all that a killed process began. */
export async function endMarking(store: Store, marked: (action: Undo) => void): Promise<void> {
  const open = openMarking(store.queries.mirror);
  if (open === null) return;
  const undo = await markInSteps(store, open);
  if (undo.before.length > 0) marked(undo);
}

/** Sends the events for changed statuses. */
export function emitMarked(store: Store, emit: Emit): (action: Undo) => void {
  return ({ before }) => {
    emit('marks.changed', { ids: namedIds(before.map(({ id }) => id)) });
    emit('counts.changed', store.queries.items.counts());
  };
}
