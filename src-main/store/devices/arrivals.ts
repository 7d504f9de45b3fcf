import * as records from '../records.ts';
import { findRecord } from '../stories/stories.ts';
import * as storyStatuses from '../stories/story-statuses.ts';
import type { Changed, Tx } from '../tx.ts';

/** Takes what other devices have. Returns what changed, but nothing of other services, and how many had no room. */
export function take(tx: Tx, given: readonly records.Stamped[]): { changed: Changed[]; refused: number } {
  const { refused } = records.take(tx, given);
  const here = tx.changed.filter(({ service }) => service === '' || service === tx.kept.service);
  // They grow below.
  const changed = here.map((one) => ({ ...one, ids: [...one.ids] }));
  for (const { kind, ids } of changed) if (kind === 'follow') for (const id of ids) seeStory(tx, id);
  return { changed, refused };
}

function seeStory(tx: Tx, id: string): void {
  const at = records.get(tx.db, 'follow', id);
  storyStatuses.setSeen(tx, id, at !== null, findRecord(tx.db, id)?.story ?? null, at ?? tx.now);
}
