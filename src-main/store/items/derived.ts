import { canonicalAddress } from '../../contract/addresses.ts';
import { moveMentions, removeMentions } from '../models/mentions.ts';
import { liveRules, moveMatches, putMatch, removeMatches, replaceMatches, type Match } from '../rules/applied-rules.ts';
import { FoldedFacts } from '../rules/rule-query.ts';
import { addSearchDrop, pruneSearchDrops } from '../search/search-index.ts';
import { mark } from '../statuses/actions.ts';
import { coverItem, followKey, uncoverItem, type NamedItem } from '../stories/coverage.ts';
import type { Past, Tx } from '../tx.ts';
import { addressReadAt, removeAddress } from './addresses.ts';
import { countIn, countInMuted, countOut, type Countable } from './counters.ts';
import type { ServiceColumns } from './item-rows.ts';
import { moveRevisions, removeRevisions } from './revisions.ts';

export type Removable = Countable & { id: string; arrival: number; key: number; link_original: string | null };

export function matchRules(tx: Tx, columns: ServiceColumns, key: number, generation: number): readonly Match[] {
  const { any, set } = liveRules(tx);
  return any ? set.match(new FoldedFacts({ ...columns, key, generation })) : [];
}

export function isMuting(matches: readonly Match[]): boolean {
  return matches.some(({ rule }) => rule.kind === 'mute');
}

export function itemAdded(
  tx: Tx,
  item: Countable & NamedItem,
  matches: readonly Match[],
  { coverage, readAddresses }: Past,
): void {
  for (const match of matches) putMatch(tx, item.key, match, tx.sequence);
  countIn(tx, item);
  if (coverage) coverItem(tx, item);
  if (readAddresses) inheritStatus(tx, item);
}

function inheritStatus(tx: Tx, { id, link }: NamedItem): void {
  const address = canonicalAddress(link);
  const readAt = address === null ? null : addressReadAt(tx.db, address);
  if (readAt !== null) mark(tx, [id], 'read', readAt);
}

/** Call it while the item's row in the index is still there. */
export function itemLeaves(tx: Tx, stored: Removable): void {
  countOut(tx, stored);
  if (liveRules(tx).any) removeMatches(tx, stored.key);
}

/** Call it after the item's rows are deleted. */
export function itemRemoved(tx: Tx, { arrival, key, link_original: link }: Removable): void {
  removeRevisions(tx.db, key);
  removeMentions(tx.db, key);
  removeAddress(tx.db, arrival, link);
  uncoverItem(tx, key);
}

export function itemMoved(tx: Tx, item: NamedItem, before: number): void {
  if (liveRules(tx).any) moveMatches(tx, before, item.key);
  moveRevisions(tx.db, before, item.key);
  moveMentions(tx.db, before, item.key);
  followKey(tx, item, before);
  pruneSearchDrops(tx.db);
  addSearchDrop(tx.db, before);
}

/** Matches a changed item again, which left the counters before the change. */
export function itemReenters(tx: Tx, item: Countable & ServiceColumns & { key: number }): void {
  const { any, set } = liveRules(tx);
  if (!any) {
    countIn(tx, item);
    return;
  }
  const matches = set.match(new FoldedFacts(item));
  replaceMatches(tx, item.key, matches);
  countInMuted(tx, item, isMuting(matches));
}
