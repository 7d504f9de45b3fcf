import type { Api } from '../../../contract/api.ts';
import type { Undo } from '../../../store/items/statuses-table.ts';
import type { StoreWriter } from '../../../store/writer.ts';
import type { Emit } from '../engine.ts';
import { namedIds } from '../status.ts';
import { UndoList } from './undo-list.ts';

export const STATUS_METHODS = ['items.mark', 'items.markAllRead', 'items.undoMark'] as const;
type StatusMethod = (typeof STATUS_METHODS)[number];
type Bodies = { [M in StatusMethod]: (args: Api[M]['args']) => Api[M]['result'] };

interface MethodPorts {
  store: StoreWriter;
  emit: Emit;
}

/** What the reader marks, and takes back. */
export class StatusMethods {
  readonly bodies: Bodies;
  readonly #ports: MethodPorts;
  readonly #undos = new UndoList();

  constructor(ports: MethodPorts) {
    const { store } = ports;
    this.#ports = ports;
    this.bodies = {
      'items.mark': ({ ids, mark }) => this.#marked(store.mark(ids, mark)),
      'items.markAllRead': ({ query, watermark }) => this.#marked(store.markAllRead(query, watermark)),
      'items.undoMark': ({ undo }) =>
        this.#undos.use(undo, (action) => {
          const restored = store.undo(action);
          this.tell(action);
          return { restored };
        }),
    };
  }

  /** Tells everyone of marks that changed. */
  tell({ before }: Undo): void {
    const { store, emit } = this.#ports;
    emit('marks.changed', { ids: namedIds(before.map(({ id }) => id)) });
    emit('counts.changed', store.counts());
  }

  #marked(action: Undo): Api['items.mark']['result'] {
    const receipt = this.#undos.keep(action);
    if (receipt.changed > 0) this.tell(action);
    return receipt;
  }
}
