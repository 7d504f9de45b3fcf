import { hidesIds } from '../../clients/parsing/records.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { Emit } from '../../contract/events.ts';
import type { Store } from '../../store/index.ts';
import type { CurrentGateway } from '../engine/services.ts';
import type { SyncContext, JobResult } from './sync-context.ts';

/** Document 2. An answer that lacks too much is unconfirmed until the reader accepts it (docs/decisions/148). */
export async function syncModelList(
  modelList: ModelListName,
  gateway: CurrentGateway,
  context: SyncContext,
): Promise<JobResult> {
  const { owner, client, signal } = gateway;
  // The embedding models are the same for every key (document 2 section 1).
  const keyEnding = modelList === 'models' ? gateway.keyEnding : null;
  const validator = context.store.queries.models.validator(owner, modelList, keyEnding);
  const answer = await context.fetch(() => client.whole(modelList, { validator, signal }));
  const lifetime = answer.lifetimeMs;
  if (answer.kind === 'notModified') return { modified: false, lifetime };
  const { records, skipped } = answer.value;
  context.recordSkipped(skipped);
  const fetched = { owner, modelList, records, hidesIds: hidesIds(skipped), validator: answer.validator, keyEnding };
  const done = context.write(({ modelLists }) => modelLists.receive(fetched, context.now(), context.nowForDeleting));
  if (done === null) return { modified: false, lifetime };
  context.advance(records.length, records.length);
  context.count(done);
  if (done.added + done.revised + done.withdrawn > 0) context.emit('models.changed', { modelLists: [modelList] });
  return { modified: true, lifetime };
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
