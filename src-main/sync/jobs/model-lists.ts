import type { Listing } from '../../contract/model/item.ts';
import type { AskedGateway } from '../engine/methods/gateway-methods.ts';
import type { Run, StepResult } from './sync-context.ts';

/**
 * Replaces a listing by what the gateway lists now, as a whole and in one transaction, and notes what is different (document
 * 2). Whatever goes wrong on the way leaves the listing before it as it was.
 */
export async function syncListing(listing: Listing, gateway: AskedGateway, run: Run): Promise<StepResult> {
  const { owner, client, signal } = gateway;
  // The embeddings models are the same for everybody (document 2 section 1).
  const keyEnding = listing === 'models' ? gateway.keyEnding : null;
  const { catalogue } = run.store;
  const validator = catalogue.validator(owner, listing, keyEnding);
  const answer = await run.ask(() => client.whole(listing, { validator, signal }));
  const lifetime = answer.lifetimeMs;
  if (answer.kind === 'notModified') return { modified: false, lifetime };
  const { records, skipped } = answer.value;
  run.noteSkipped(skipped);
  const done = { added: 0, revised: 0, withdrawn: 0 };
  run.write((write) => {
    Object.assign(
      done,
      write.catalogue.replace({ owner, listing, records, validator: answer.validator, keyEnding }, run.now()),
    );
  });
  run.advance(records.length, records.length);
  run.tally(done);
  if (done.added + done.revised + done.withdrawn > 0) run.emit('models.changed', { listings: [listing] });
  return { modified: true, lifetime };
}
