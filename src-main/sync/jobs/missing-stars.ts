import type { Transaction } from '../../store/index.ts';
import type { Run } from './sync-context.ts';

/** In ms: a star of another machine may come before its item. */
const SETTLED_AFTER = 24 * 3_600_000;

/** When the whole window of the item list was last fetched, in ms since 1970. */
export const WALKED_AT = 'items_walked_at';

/**
 * Runs a transaction after which the selected set, or the item list, is saved completely. Once both are, a starred item that
 * is in neither can't be downloaded again: after a new download, or from another machine's stars. Its star stays, with a
 * row that says so (docs/decisions/031).
 */
export function writeComplete(run: Run, work: (tx: Transaction) => void): ReturnType<Run['write']> {
  const { selectedSet, mirror, items } = run.store.queries;
  const missing = { found: false };
  const summary = run.write((tx) => {
    work(tx);
    if (!selectedSet.complete || mirror.get(WALKED_AT) === null) return;
    missing.found = tx.withdrawnStars.addMissing(run.now() - SETTLED_AFTER, run.now());
  });
  if (missing.found) {
    run.emit('marks.changed', { ids: null });
    run.emit('counts.changed', items.counts());
  }
  return summary;
}
