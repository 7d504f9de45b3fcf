/** Saved searches that mark what is new. Not an act of the reader: whatever the reader does, on any device, stays. */
import { starOf } from '../items/missing-stars.ts';
import { timeOf } from '../items/time-key.ts';
import { begin } from '../records.ts';
import type { Tx } from '../tx.ts';
import { liveRules, type Match } from './applied-rules.ts';
import { holds } from './rule-query.ts';

interface NewItem {
  id: string;
  key: number;
  title: string;
  link: string | null;
}

const NEW = { unread: 1, starred: 0 };

/** Call it for an item that is new here, or in a list. One from before the search, which a backfill brings, stays as it is. */
export function markMatched(tx: Tx, { id, key, ...name }: NewItem, matches: readonly Match[]): void {
  const { marking } = liveRules(tx);
  for (const { rule, bits } of marking.size === 0 ? [] : matches) {
    const wanted = rule.kind === 'saved' ? marking.get(rule.id) : undefined;
    if (!wanted || timeOf(key) < wanted.since || !holds(rule.query, bits, NEW, { key, now: tx.now })) continue;
    if (wanted.mark === 'read') begin(tx, 'read', id, tx.now);
    else begin(tx, 'star', id, starOf({ key, ...name }, tx.now));
  }
}
