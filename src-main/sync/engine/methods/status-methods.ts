import type { Emit } from '../../../contract/events.ts';
import type { ActionReceipt } from '../../../contract/model/item.ts';
import type { Undo } from '../../../store/items/statuses-table.ts';
import type { StoreWriter } from '../../../store/writer.ts';
import { namedIds } from '../status.ts';
import type { EngineBodies } from '../types.ts';
import { UndoList } from './undo-list.ts';

interface MethodPorts {
  store: StoreWriter;
  /** Sends the events for statuses that changed. */
  marked(action: Undo): void;
}

/** What the reader marks, and takes back. */
export function statusMethods({ store, marked }: MethodPorts) {
  const undos = new UndoList();

  function done(action: Undo): ActionReceipt {
    const receipt = undos.keep(action);
    if (receipt.changed > 0) marked(action);
    return receipt;
  }

  return {
    'items.mark': ({ ids, mark }) => done(store.mark(ids, mark)),
    'items.markAllRead': ({ query, watermark }) => done(store.markAllRead(query, watermark)),
    'items.undoMark': ({ undo }) =>
      undos.use(undo, (action) => {
        const restored = store.undo(action);
        marked(action);
        return { restored };
      }),
  } satisfies Partial<EngineBodies>;
}

/** The events for statuses that changed. */
export function emitMarked(store: StoreWriter, emit: Emit): (action: Undo) => void {
  return ({ before }) => {
    emit('marks.changed', { ids: namedIds(before.map(({ id }) => id)) });
    emit('counts.changed', store.counts());
  };
}
