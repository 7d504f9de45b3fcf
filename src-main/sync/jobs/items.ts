import type { ItemsAnswer } from '../../clients/news/schemas.ts';
import type { Run, JobResult } from './sync-context.ts';

/** One question asked again and again: its validator is kept under this name. */
const REQUEST = { mode: 'all', limit: 100 } as const;
const ADDRESS = 'mode=all';
/** Set while a walk back through the window has not reached its end: the next one must not stop at what this one stored. */
const OPEN_WALK = 'items_walk';

/**
 * Polls the recent items of the service (document 1 sections 1.4 and 4.1): the whole window the first time, then back only
 * to an item that is already known. It brings unselected items, and the `reason` of selected ones.
 */
export async function syncItems(run: Run): Promise<JobResult> {
  const { items, mirror, schedule } = run.store.queries;
  const resuming = mirror.get(OPEN_WALK) !== null;
  /** What this walk brought itself, perhaps before a restart: no reason to stop. */
  const brought = new Set<string>();
  let stored = 0;
  let isPastAge = false;
  const isKnown = (id: string): boolean => isPastAge || (!resuming && !brought.has(id) && items.isListed(id));

  function storePage(page: ItemsAnswer, first: { validator: string | null } | null): void {
    const unknown = page.items.filter((item) => !isKnown(item.id));
    const kept = page.items.filter((item) => !run.isTooOld(item) || items.isSavedOrStarred(item.id));
    // What was dropped for its age is not fetched back. A single old item among younger ones is no end of the walk.
    isPastAge = page.items.length > 0 && kept.length === 0;
    for (const { id } of unknown) brought.add(id);
    run.noteSkipped(page.skipped);
    run.write((tx) => {
      tx.items.upsertAll(kept, { kind: 'listed' });
      // With its body, and not at the end of the walk: a withdrawal in between makes it void.
      if (first) tx.validators.set('items', ADDRESS, first.validator);
      if (page.hasMore && unknown.length === page.items.length) tx.mirror.set(OPEN_WALK, 'open');
    });
    stored += kept.length;
    run.advance(stored);
  }

  const validator = resuming ? undefined : schedule.validator('items', ADDRESS);
  const answer = await run.ask(() => run.news.allItems(REQUEST, { validator, isKnown, onPage: storePage }));
  if (answer.kind === 'notModified') return { modified: false, lifetime: answer.lifetimeMs };
  run.write((tx) => {
    tx.mirror.set(OPEN_WALK, null);
  });
  return { modified: true, lifetime: answer.lifetimeMs };
}
