import { hidesIds, type Records } from '../../clients/parsing/records.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { Emit } from '../../contract/events.ts';
import type { FetchedModelList, Store } from '../../store/index.ts';
import { syncDocument } from './documents.ts';
import type { CurrentGateway } from '../engine/services.ts';
import type { SyncContext, JobResult } from './sync-context.ts';

/** Document 2. A list that lacks too much is held until the reader accepts it (docs/decisions/015). */
export function syncModelList(
  modelList: ModelListName,
  { owner, client, signal, keyEnding: ending }: CurrentGateway,
  context: SyncContext,
): Promise<JobResult> {
  // The embedding models are the same for every key (document 2 section 1).
  const of = { owner, modelList, keyEnding: modelList === 'models' ? ending : null };
  const fetched = ({ records, skipped }: Records<ModelRecord>): FetchedModelList => {
    const list = { ...of, records };
    return hidesIds(skipped) ? { ...of, records: context.store.queries.models.withLacked(list) } : list;
  };
  return syncDocument<Records<ModelRecord>>(context, {
    name: modelList,
    get: (_ports, _id, validator) => client.whole(modelList, { validator, signal }),
    address: ({ models }) => models.nameOfFetched(of),
    size: ({ records }) => records.length,
    lossIn: ({ models }, answer) => {
      const loss = models.lossIn(fetched(answer));
      return loss && { ...loss, noun: loss.of };
    },
    save: ({ modelLists }, _id, answer, now) => {
      const done = modelLists.replace(fetched(answer), now, context.nowForDeleting);
      return { ...done, changed: done.added + done.revised + done.withdrawn > 0 ? [modelList] : [] };
    },
    hold: ({ modelLists }, answer) => modelLists.hold(fetched(answer)),
    announce: (emit) => emit('models.changed', { modelLists: [modelList] }),
  });
}

interface AcceptPorts {
  store: Store;
  owner: string | null;
  now: number;
  emit: Emit;
}

export function acceptModelList(modelList: ModelListName, { store, owner, now, emit }: AcceptPorts): void {
  if (owner === null || !store.queries.fetches.get(modelList)?.doubt) return;
  // The change log expires with the next refresh, which has the time of the service.
  const done = store.transaction(({ modelLists, fetches }) => {
    fetches.put(modelList, { doubt: null });
    return modelLists.accept(owner, modelList, now, 0);
  });
  if (done) emit('models.changed', { modelLists: [modelList] });
}
