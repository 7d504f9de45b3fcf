import type { Api } from '../../../contract/api.ts';
import type { Store, Undo } from '../../../store/index.ts';
import type { Emit } from '../engine.ts';
import { namedIds } from '../status.ts';
import { UndoList } from './undo-list.ts';

export const STATUS_METHODS = ['items.mark', 'items.markAllRead', 'items.undoMark'] as const;
type StatusMethod = (typeof STATUS_METHODS)[number];
type Bodies = { [M in StatusMethod]: (args: Api[M]['args']) => Api[M]['result'] };

interface MethodPorts {
  store: Store;
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
      'items.mark': ({ ids, mark }) =>
        this.#marked(store.transaction(({ statuses, now }) => statuses.mark(ids, mark, now))),
      'items.markAllRead': ({ query, watermark }) =>
        this.#marked(store.transaction(({ statuses, now }) => statuses.markAllRead(query, watermark, now))),
      'items.undoMark': ({ undo }) =>
        this.#undos.use(undo, (action) => {
          const restored = store.transaction(({ statuses }) => statuses.undo(action));
          this.tell(action);
          return { restored };
        }),
    };
  }

  /** Tells everyone of marks that changed. */
  tell({ before }: Undo): void {
    const { store, emit } = this.#ports;
    emit('marks.changed', { ids: namedIds(before.map(({ id }) => id)) });
    emit('counts.changed', store.queries.items.counts());
  }

  #marked(action: Undo): Api['items.mark']['result'] {
    const receipt = this.#undos.keep(action);
    if (receipt.changed > 0) this.tell(action);
    return receipt;
  }
}
