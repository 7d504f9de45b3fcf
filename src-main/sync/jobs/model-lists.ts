import { hidesIds, type Records } from '../../clients/parsing/records.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { Emit } from '../../contract/events.ts';
import type { Store } from '../../store/index.ts';
import { syncDocument } from './documents.ts';
import type { CurrentGateway } from '../engine/services.ts';
import type { SyncContext, JobResult } from './sync-context.ts';

/** Document 2. A list that lacks too much is unconfirmed until the reader accepts it (docs/decisions/148). */
export function syncModelList(
  modelList: ModelListName,
  { owner, client, signal, keyEnding: ending }: CurrentGateway,
  context: SyncContext,
): Promise<JobResult> {
  // The embedding models are the same for every key (document 2 section 1).
  const keyEnding = modelList === 'models' ? ending : null;
  return syncDocument<Records<ModelRecord>>(context, {
    name: modelList,
    get: (_ports, _id, validator) => client.whole(modelList, { validator, signal }),
    etag: ({ models }) => models.validator(owner, modelList, keyEnding) ?? null,
    size: ({ records }) => records.length,
    save: ({ modelLists }, _id, { records, skipped }, { etag: validator, now }) => {
      const fetched = { owner, modelList, records, hidesIds: hidesIds(skipped), validator, keyEnding };
      const done = modelLists.receive(fetched, now, context.nowForDeleting);
      return done && { ...done, changed: done.added + done.revised + done.withdrawn > 0 ? [modelList] : [] };
    },
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
  if (owner === null) return;
  // The change log expires with the next refresh, which has the time of the service.
  const done = store.transaction(({ modelLists }) => modelLists.accept(owner, modelList, now, 0));
  if (done) emit('models.changed', { modelLists: [modelList] });
}
