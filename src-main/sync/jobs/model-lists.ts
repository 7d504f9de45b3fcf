import type { ModelListName } from '../../contract/model/resource.ts';
import type { CurrentGateway } from '../engine/gateway-source.ts';
import type { Run, JobResult } from './sync-context.ts';

/**
 * Replaces a model list with the gateway's current one in one transaction and records the changes (document 2). On any
 * failure the previous list stays unchanged.
 */
export async function syncModelList(modelList: ModelListName, gateway: CurrentGateway, run: Run): Promise<JobResult> {
  const { owner, client, signal } = gateway;
  // The embedding models are the same for every key (document 2 section 1).
  const keyEnding = modelList === 'models' ? gateway.keyEnding : null;
  const validator = run.store.queries.models.validator(owner, modelList, keyEnding);
  const answer = await run.fetch(() => client.whole(modelList, { validator, signal }));
  const lifetime = answer.lifetimeMs;
  if (answer.kind === 'notModified') return { modified: false, lifetime };
  const { records, skipped } = answer.value;
  run.noteSkipped(skipped);
  const done = { added: 0, revised: 0, withdrawn: 0 };
  run.write(({ modelLists }) => {
    Object.assign(
      done,
      modelLists.replace(
        { owner, modelList, records, validator: answer.validator, keyEnding },
        run.now(),
        run.expiryTime,
      ),
    );
  });
  run.advance(records.length, records.length);
  run.count(done);
  if (done.added + done.revised + done.withdrawn > 0) run.emit('models.changed', { modelLists: [modelList] });
  return { modified: true, lifetime };
}
