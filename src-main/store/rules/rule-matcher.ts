/** Matches saved items with new rules, newest first, in steps that survive a kill. New items match on their own. */
import type { Derived } from '../derived/derived.ts';
import { touch, TOUCH, touchAll } from '../items/touched.ts';
import { rows, run, sql, values } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { followMatches, IS_MUTED, liveRules, pendingRules, putMatch } from './applied-rules.ts';
import { FoldedFacts, RULES_LAYOUT, RuleSet, type RuleFacts } from './rule-query.ts';
import { followRules } from './rules.ts';

/** Some 15 ms. */
const TRIED_A_STEP = 15_000;
const MAX_MATCHED = 300;
const MIN_MATCHED = 20;
const DELETED_A_STEP = 1_000;

const ITEMS = sql`SELECT item_index.key, generation, item_index.category, title, original_title, summary, source_name, reason, score
  FROM item_index CROSS JOIN item USING (arrival) WHERE item_index.key < ? ORDER BY item_index.key DESC LIMIT ?`;

const WRONGLY_MUTED = sql`${TOUCH} FROM item_index WHERE muted <> ${IS_MUTED}`;
const TURN_MUTED = 'UPDATE item_index SET muted = 1 - muted WHERE key IN (SELECT key FROM touched)';

export const rules: Derived = {
  version: () => String(RULES_LAYOUT),
  restart: (tx) => {
    const { db } = tx;
    run(db, 'DELETE FROM rule_match WHERE slot NOT IN (SELECT slot FROM rule)');
    if (touchAll(tx, WRONGLY_MUTED)) run(db, TURN_MUTED);
    run(db, 'UPDATE rule SET gone = 1, below = NULL');
    followRules(tx);
  },
  step: (tx, place) => (matchNext(tx) ? place : null),
};

function matchNext(tx: Tx): boolean {
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
  const items = rows<RuleFacts>(tx.db, ITEMS, below, limit);
  for (const item of items) {
    const found = rules.match(new FoldedFacts(item));
    if (found.length === 0) continue;
    touch(tx, item.key);
    for (const match of found) putMatch(tx, item.key, match);
    followMatches(tx, item.key);
  }
  const next = items.length < limit ? null : (items.at(-1)?.key ?? null);
  run(tx.db, 'UPDATE rule SET below = ? WHERE below = ?', next, below);
}

function deleteSome(tx: Tx, slot: number): void {
  const { db } = tx;
  const keys = values<number>(db, 'SELECT key FROM rule_match WHERE slot = ? LIMIT ?', slot, DELETED_A_STEP);
  for (const key of keys) {
    touch(tx, key);
    run(db, 'DELETE FROM rule_match WHERE slot = ? AND key = ?', slot, key);
    followMatches(tx, key);
  }
  if (keys.length > 0) return;
  run(db, 'DELETE FROM saved_counter WHERE slot = ?', slot);
  run(db, 'DELETE FROM rule WHERE slot = ?', slot);
  tx.rules = null;
}
