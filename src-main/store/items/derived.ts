/** What follows from a saved item: its places in counters, rules, stories and indexes. */
import { removeMentions, moveMentions } from '../models/mentions/mentions.ts';
import { FoldedFacts } from '../rules/rule-query.ts';
import type { Match } from '../rules/applied-rules.ts';
import { addSearchDrop, pruneSearchDrops } from '../search/search-drops.ts';
import { run } from '../sql.ts';
import type { Countable } from './counters.ts';
import type { toColumns } from './item-rows.ts';
import { type ServiceColumns } from './item-rows.ts';
import type { ItemTx } from './item-tx.ts';
import { moveRevisions, removeRevisions } from './revisions.ts';

/** A saved item as far as its derived data is concerned. */
export type Removable = Countable & { id: string; arrival: number; key: number; link_original: string | null };

/** Returns the rules that a new item matches. */
export function matchRules(
  tx: ItemTx,
  columns: ReturnType<typeof toColumns>,
  key: number,
  generation: number,
): Match[] {
  return tx.rules.any ? tx.rules.match(new FoldedFacts({ ...columns, key, generation })) : [];
}

export function isMuting(matches: readonly Match[]): boolean {
  return matches.some(({ rule }) => rule.kind === 'mute');
}

/** Counts a new item, and covers it with the stories that it belongs to. */
export function itemAdded(
  tx: ItemTx,
  item: Countable & { key: number; id: string; link: string | null },
  matches: readonly Match[],
): void {
  const { key, id, link } = item;
  for (const match of matches) tx.rules.put(key, match, tx.sequence);
  tx.counters.enter(item);
  tx.coverage.itemAdded({ key, id, link });
  // A citation with its address may have been read before.
  tx.statuses.inherit(id, link);
}

/** Takes a removed item out of everything. Its row in the index is still there. */
export function itemLeaves(tx: ItemTx, stored: Removable): void {
  tx.counters.leave(stored);
  if (tx.rules.any) tx.rules.remove(stored.key);
}

/** Deletes what was derived from an item whose rows are deleted. */
export function itemRemoved(tx: ItemTx, { arrival, key, link_original: link }: Removable): void {
  removeRevisions(tx.db, key);
  removeMentions(tx.db, key);
  tx.addresses.remove(arrival, link);
  tx.coverage.itemRemoved(key);
}

/** Gives what was derived from an item its new key. */
export function itemMoved(tx: ItemTx, item: { key: number; id: string; link: string | null }, before: number): void {
  if (tx.rules.any) tx.rules.move(before, item.key);
  moveRevisions(tx.db, before, item.key);
  moveMentions(tx.db, before, item.key);
  tx.coverage.keyChanged(item, before);
  pruneSearchDrops(tx.db);
  addSearchDrop(tx.db, before);
}

/** After a change of an item, before which it left the counters: matches it again. */
export function itemReenters(tx: ItemTx, item: Countable & ServiceColumns & { key: number }): void {
  if (!tx.rules.any) {
    tx.counters.enter(item);
    return;
  }
  const matches = tx.rules.match(new FoldedFacts(item));
  const muted = Number(isMuting(matches));
  tx.rules.replace(item.key, matches, tx.sequence);
  if (muted !== item.muted) {
    run(tx.db, 'UPDATE item_index SET muted = ? WHERE key = ?', muted, item.key);
    tx.coverage.itemMoved(item.key);
  }
  tx.counters.enter({ ...item, muted });
}
