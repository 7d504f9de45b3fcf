import { isItemList, isModelList, type ResourceName } from '../../contract/model/resource.ts';
import type { Queries } from '../../store/index.ts';
import { savedDoubt, type Doubt } from './confirmation.ts';
import { doubtAboutSet } from './snapshot-checks.ts';

/** The doubt about what was last received for a resource; null if there is none. `now` is ms since 1970. */
export function doubtOf(
  resource: ResourceName,
  queries: Pick<Queries, 'mirror' | 'models' | 'items'>,
  now: number,
): Doubt | null {
  const { mirror, models, items } = queries;
  if (isModelList(resource)) {
    const held = models.held(mirror.get('gateway') ?? '', resource);
    return held && { since: held.at, stored: held.saved, received: held.kept, of: held.of };
  }
  const doubt = savedDoubt(resource, mirror);
  if (!isItemList(resource)) return doubt;
  // Changes may have brought some, or have removed them.
  const parked = doubt === null ? 0 : items.parked(resource === 'selected' ? 'member' : 'listed');
  if (doubt !== null && parked > 0) return { ...doubt, received: Math.max(0, doubt.stored - parked) };
  return resource === 'selected' ? doubtAboutSet(queries, now) : null;
}
