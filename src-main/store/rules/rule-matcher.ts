/** Matches saved items with new rules, newest first, in steps that survive a kill. New items match on their own. */
import { countInMuted, countOut, type Countable } from '../items/counters.ts';
import { row, rows, run, sql, value, values, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { liveRules, pendingRules, putMatch } from './applied-rules.ts';
import { FoldedFacts, RuleSet, type RuleFacts } from './rule-query.ts';

/** Some 15 ms. */
const TRIED_A_STEP = 15_000;
const MAX_MATCHED = 300;
const MIN_MATCHED = 20;
const DELETED_A_STEP = 1_000;

type ItemFacts = RuleFacts & Countable;

const STATE = 'item_index.key, generation, unread, starred, muted';
const ITEMS = sql`SELECT ${STATE}, item_index.category, title, original_title, summary, source_name, reason, score
  FROM item_index CROSS JOIN item USING (arrival) WHERE item_index.key < ? ORDER BY item_index.key DESC LIMIT ?`;
const ROW = sql`SELECT ${STATE}, category FROM item_index WHERE key = ?`;

export function matchNext(tx: Tx): boolean {
  const pending = pendingRules(tx.db);
  const gone = pending.find((rule) => rule.gone === 1);
  if (gone) {
    deleteSome(tx, gone.slot);
    return true;
  }
  if (pending.length === 0) return false;
  const below = Math.max(...pending.map((rule) => rule.below ?? 0));
  const { bySlot } = liveRules(tx);
  const wanted = pending.filter((rule) => rule.below === below).flatMap(({ slot }) => bySlot.get(slot) ?? []);
  matchSome(tx, new RuleSet(wanted), below);
  return true;
}

function matchSome(tx: Tx, rules: RuleSet, below: number): void {
  const tried = Math.floor(TRIED_A_STEP / Math.max(1, rules.alwaysTried));
  const limit = Math.max(MIN_MATCHED, Math.min(MAX_MATCHED, tried));
  const items = rows<ItemFacts>(tx.db, ITEMS, below, limit);
  for (const item of items) {
    const found = rules.match(new FoldedFacts(item));
    if (found.length === 0) continue;
    countOut(tx, item);
    for (const match of found) putMatch(tx, item.key, match);
    countInMuted(tx, item, item.muted === 1 || found.some(({ rule }) => rule.kind === 'mute'));
  }
  const next = items.length < limit ? null : (items.at(-1)?.key ?? null);
  run(tx.db, 'UPDATE rule SET below = ? WHERE below = ?', next, below);
  tx.rules = null;
}

function deleteSome(tx: Tx, slot: number): void {
  const { db } = tx;
  const keys = values<number>(db, 'SELECT key FROM rule_match WHERE slot = ? LIMIT ?', slot, DELETED_A_STEP);
  for (const key of keys) {
    const found = row<Countable & { key: number }>(db, ROW, key);
    if (found) countOut(tx, found);
    run(db, 'DELETE FROM rule_match WHERE slot = ? AND key = ?', slot, key);
    if (found) countInMuted(tx, found, found.muted === 1 && isMuted(db, key));
  }
  if (keys.length < DELETED_A_STEP) run(db, 'DELETE FROM rule WHERE slot = ?', slot);
  tx.rules = null;
}

function isMuted(db: Db, key: number): boolean {
  const found = value<number>(
    db,
    "SELECT EXISTS (SELECT 1 FROM rule_match CROSS JOIN rule USING (slot) WHERE key = ? AND kind = 'mute')",
    key,
  );
  return found === 1;
}
