import type { ItemsAnswer } from '../../clients/news/schemas.ts';
import type { Run, JobResult } from './sync-context.ts';

/** Name under which the validator of this request is saved. */
const REQUEST = { mode: 'all', limit: 100 } as const;
const ADDRESS = 'mode=all';
/**
 * Set while a pass through the whole window is incomplete: the next pass must not stop at items that this one saved.
 */
const OPEN_WALK = 'items_walk';

/**
 * Fetches recent items (document 1 sections 1.4 and 4.1): the whole window the first time, then only until an item that
 * is already saved. This adds unselected items, and the `reason` of selected ones.
 */
export async function syncItems(run: Run): Promise<JobResult> {
  const { items, mirror, schedule } = run.store.queries;
  const resuming = mirror.get(OPEN_WALK) !== null;
  /** Items saved by this pass, maybe before a restart: no reason to stop. */
  const brought = new Set<string>();
  let stored = 0;
  let isPastAge = false;
  const isKnown = (id: string): boolean => isPastAge || (!resuming && !brought.has(id) && items.isListed(id));

  function storePage(page: ItemsAnswer, first: { validator: string | null } | null): void {
    const unknown = page.items.filter((item) => !isKnown(item.id));
    const wanted = page.items.filter((item) => !run.isTooOld(item) || items.isSavedOrStarred(item.id));
    // Deleted old items are not fetched again. A single old item among newer ones doesn't end the pass.
    isPastAge = page.items.length > 0 && page.items.every((item) => run.isPastAge(item) && !wanted.includes(item));
    for (const { id } of unknown) brought.add(id);
    run.noteSkipped(page.skipped);
    run.write((tx) => {
      tx.items.upsertAll(wanted, { kind: 'listed' });
      // In the same transaction as the first page: a withdrawal before the end of the pass invalidates it.
      if (first) tx.validators.set('items', ADDRESS, first.validator);
      if (page.hasMore && unknown.length === page.items.length) tx.mirror.set(OPEN_WALK, 'open');
    });
    stored += wanted.length;
    run.advance(stored);
  }

  const validator = resuming ? undefined : schedule.validator('items', ADDRESS);
  const answer = await run.fetch(() => run.news.allItems(REQUEST, { validator, isKnown, onPage: storePage }));
  if (answer.kind === 'notModified') return { modified: false, lifetime: answer.lifetimeMs };
  run.write((tx) => {
    tx.mirror.set(OPEN_WALK, null);
  });
  return { modified: true, lifetime: answer.lifetimeMs };
}
