import type { ModelListName } from '../../contract/model/resource.ts';
import { CONFIRMED_AFTER_MS, type FetchedModelList, type ModelListChange } from '../../store/index.ts';
import type { CurrentGateway } from '../engine/gateway-source.ts';
import type { Run, JobResult } from './sync-context.ts';

/**
 * Replaces a model list with the gateway's current one in one transaction and records the changes (document 2). On any
 * failure the previous list stays unchanged, and so it does if the answer would remove most of it, until a later one agrees
 * (docs/decisions/037).
 */
export async function syncModelList(modelList: ModelListName, gateway: CurrentGateway, run: Run): Promise<JobResult> {
  const { owner, client, signal } = gateway;
  // The embedding models are the same for every key (document 2 section 1).
  const keyEnding = modelList === 'models' ? gateway.keyEnding : null;
  const validator = run.store.queries.models.validator(owner, modelList, keyEnding);
  const answer = await run.fetch(() => client.whole(modelList, { validator, signal }));
  const lifetime = answer.lifetimeMs;
  if (answer.kind === 'notModified') {
    if (run.store.queries.models.held(owner, modelList)) {
      run.write(({ modelLists }) => modelLists.confirmSaved(owner, modelList));
    }
    return { modified: false, lifetime };
  }
  const { records, skipped } = answer.value;
  run.noteSkipped(skipped);
  const fetched = { owner, modelList, records, validator: answer.validator, keyEnding };
  const done = receive(fetched, run);
  if (done === null) {
    const since = run.store.queries.models.held(owner, modelList)?.at ?? run.now();
    // Within its lifetime, a cache would repeat the same response.
    const again = Math.max(lifetime, since + CONFIRMED_AFTER_MS - run.now());
    return { modified: false, lifetime, again };
  }
  run.advance(records.length, records.length);
  run.count(done);
  if (done.added + done.revised + done.withdrawn > 0) run.emit('models.changed', { modelLists: [modelList] });
  return { modified: true, lifetime };
}

/** Null if the answer is held. */
function receive(fetched: FetchedModelList, run: Run): ModelListChange | null {
  let done: ModelListChange | null = null;
  run.write(({ modelLists }) => {
    done = modelLists.receive(fetched, run.now(), run.expiryTime);
  });
  return done;
}
