import type { Emit } from '../../../contract/events.ts';
import type { ActionReceipt } from '../../../contract/model/item.ts';
import {
  OPEN_MARKING,
  openMarking,
  type MarkedPart,
  type OpenMarking,
  type Store,
  type Undo,
} from '../../../store/index.ts';
import { namedIds } from '../status.ts';
import type { EngineBodies } from '../types.ts';
import { UndoList } from './undo-list.ts';

/** Statuses that are restored in one transaction: some 20 ms. */
const UNDONE_A_STEP = 1_000;
/** Items that are marked as read in one transaction: some 20 ms. */
const MARKED_A_STEP = 2_000;

/** A marking of all before its first part. */
type Unbegun = Omit<OpenMarking, 'now' | 'since'>;

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
  function markAllRead(from: Unbegun): Promise<Undo> {
    const action = marking.then(() => markWhole(from));
    marking = action.catch(() => undefined);
    return action;
  }

  async function markWhole(from: Unbegun): Promise<Undo> {
    const whole: Undo = { field: 'read_at', before: [] };
    try {
      await markInSteps(store, from, whole);
      return whole;
    } catch (error) {
      if (whole.before.length > 0) {
        forgetMarking(store);
        marked(whole);
      }
      throw error;
    }
  }

  function done(action: Undo, receipt: ActionReceipt): ActionReceipt {
    if (receipt.changed > 0) marked(action);
    return receipt;
  }

  return {
    'items.mark': ({ ids, mark, bulk }) => {
      const action = store.transaction(({ statuses, now }) => statuses.mark(ids, mark, now));
      return done(action, bulk ? undos.keepBulk(action) : undos.keep(action));
    },
    'items.markAllRead': async ({ query, watermark, below, above }) => {
      const action = await markAllRead({
        query,
        watermark,
        below: below ?? null,
        ...(above !== undefined && { above }),
      });
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
 * those of the store, after which `whole` has what was marked, and the rest is unread.
 */
async function markInSteps(store: Store, from: Unbegun | OpenMarking, whole: Undo): Promise<void> {
  let open: Unbegun | OpenMarking | null = from;
  while (open !== null) {
    const part: Unbegun | OpenMarking = open;
    if (part.below !== null) await new Promise((resolve) => setImmediate(resolve));
    const marked: MarkedPart = store.transaction(({ statuses, now }) =>
      statuses.markAllRead({ now, ...part }, MARKED_A_STEP),
    );
    for (const one of marked.undo.before) whole.before.push(one);
    open = marked.next;
  }
}

/** After a failure, of which the reader is told: a later start must not mark the rest. */
function forgetMarking(store: Store): void {
  try {
    store.transaction(({ mirror }) => {
      mirror.set(OPEN_MARKING, null);
    });
  } catch {
    // The disk may be full: the failure is that of the marking.
  }
}

/** Ends a marking of all that a killed process began. */
export async function endMarking(store: Store, marked: (action: Undo) => void): Promise<void> {
  const open = openMarking(store.queries.mirror);
  if (open === null) return;
  const undo: Undo = { field: 'read_at', before: [] };
  try {
    await markInSteps(store, open, undo);
  } finally {
    if (undo.before.length > 0) marked(undo);
  }
}

/** Sends the events for changed statuses. */
export function emitMarked(store: Store, emit: Emit): (action: Undo) => void {
  return ({ before }) => {
    emit('marks.changed', { ids: namedIds(before.map(({ id }) => id)) });
    emit('counts.changed', store.queries.items.counts());
  };
}
