import type { Emit } from '../../contract/events.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Store } from '../../store/index.ts';

const DAY = 24 * 3_600_000;
/** In ms; null for all items. */
const AGES: Readonly<Record<Settings['unreadAtFirst'], number | null>> = { day: DAY, week: 7 * DAY, everything: null };

/**
 * Applies the setting that says which items of a new service start as unread, and sends the events for those that
 * changed: the reader may choose after the first download (docs/decisions/073).
 */
export function chooseReadingStart(store: Store, unreadAtFirst: Settings['unreadAtFirst'], emit: Emit): void {
  const changed = store.transaction(({ readingStart }) => readingStart.choose(AGES[unreadAtFirst]));
  if (!changed) return;
  emit('marks.changed', { ids: null });
  emit('counts.changed', store.queries.items.counts());
}
