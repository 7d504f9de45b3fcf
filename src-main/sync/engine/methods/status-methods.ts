import type { Emit } from '../../../contract/events.ts';
import type { ActionReceipt } from '../../../contract/model/item.ts';
import type { Store, Undo } from '../../../store/index.ts';
import { namedIds } from '../status.ts';
import type { EngineBodies } from '../types.ts';
import { UndoList } from './undo-list.ts';

/** Statuses that are restored in one transaction: some 20 ms. */
const UNDONE_A_STEP = 1_000;

interface MethodPorts {
  store: Store;
  /** Sends the events for changed statuses. */
  marked(action: Undo): void;
}

/** Methods that set read and star states, and undo. */
export function statusMethods({ store, marked }: MethodPorts) {
  const undos = new UndoList();

  function done(action: Undo, receipt: ActionReceipt): ActionReceipt {
    if (receipt.changed > 0) marked(action);
    return receipt;
  }

  return {
    'items.mark': ({ ids, mark }) => {
      const action = store.transaction(({ statuses, now }) => statuses.mark(ids, mark, now));
      return done(action, undos.keep(action));
    },
    'items.markAllRead': ({ query, watermark }) => {
      const action = store.transaction(({ statuses, now }) => statuses.markAllRead(query, watermark, now));
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

/** Sends the events for changed statuses. */
export function emitMarked(store: Store, emit: Emit): (action: Undo) => void {
  return ({ before }) => {
    emit('marks.changed', { ids: namedIds(before.map(({ id }) => id)) });
    emit('counts.changed', store.queries.items.counts());
  };
}
