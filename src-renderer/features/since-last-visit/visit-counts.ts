import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { SinceLastVisit } from '../../../src-main/contract/model/today.ts';
import type { LiveAnswers } from '../../api/live.ts';

/** Returns the counts for a list: of everything, or of the selected set. Null before the first visit has ended. */
export function visitCounts(
  live: LiveAnswers,
  scope: ItemsQuery['scope'],
): (SinceLastVisit & { since: string }) | null {
  const counts = live.get('visits.sinceLast', {}).value;
  if (!counts || counts.since === null) return null;
  return { ...counts, ...(scope === 'selected' ? counts.selected : {}), since: counts.since };
}
