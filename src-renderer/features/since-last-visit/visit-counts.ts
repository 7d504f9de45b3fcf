import { m } from '../../../src-main/common/i18n/messages.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { SinceLastVisit } from '../../../src-main/contract/model/today.ts';
import type { Changes, LiveAnswers } from '../../api/live.ts';
import type { PageContext } from '../../ui/page-context.ts';

const NONE = { added: 0, older: 0, revised: 0 };
const CAUGHT_UP: Changes = {
  'visits.sinceLast': (counts) => ({ ...counts, ...NONE, withdrawn: 0, selected: NONE }),
};

/** Returns the counts for a list: of everything, or of the selected set. Null before the first visit has ended. */
export function visitCounts(
  live: LiveAnswers,
  scope: ItemsQuery['scope'],
): (SinceLastVisit & { since: string }) | null {
  const counts = live.get('visits.sinceLast', {}).value;
  if (!counts || counts.since === null) return null;
  return { ...counts, ...(scope === 'selected' ? counts.selected : {}), since: counts.since };
}

/** Ends the visit: items that arrive from now on are new. */
export async function endVisit({ live, toasts }: Pick<PageContext, 'live' | 'toasts'>): Promise<void> {
  const reply = await live.change(CAUGHT_UP, 'visits.end', {});
  if (!reply.ok) toasts.complain(m.since_last_visit_end_failed(), reply.error);
}
