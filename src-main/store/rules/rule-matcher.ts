import type { Database } from 'better-sqlite3';
import type { Countable, Counters } from '../items/counters.ts';
import type { FoldsTable } from '../stories/folds-table.ts';
import type { AppliedRule, AppliedRules } from './applied-rules.ts';
import { FoldedFacts, type RuleFacts } from './rule-query.ts';
import type { RuleSet } from './rule-set.ts';

/** Rules that are tried on items in one step, and matches that are deleted: some 15 ms. */
const TRIED_A_STEP = 15_000;
const MOST_MATCHED = 300;
const LEAST_MATCHED = 20;
const DELETED_A_STEP = 1_000;

type ItemFacts = RuleFacts & Countable;

interface MatcherTables {
  rules: AppliedRules;
  counters: Counters;
  folds: FoldsTable;
}

/**
 * Goes through all saved items with rules that are new, newest first, and deletes the matches of rules that are gone. Where
 * it is, is saved with each step, so that a killed process goes on there. What is written meanwhile is matched by its own
 * transaction.
 */
export class RuleMatcher {
  readonly #rules: AppliedRules;
  readonly #counters: Counters;
  readonly #folds: FoldsTable;
  readonly #items;
  readonly #advance;
  readonly #goneMatches;
  readonly #removeMatch;
  readonly #removeRule;
  readonly #isMuted;
  readonly #row;
  readonly #setMuted;
  readonly #extent;

  constructor(database: Database, { rules, counters, folds }: MatcherTables) {
    this.#rules = rules;
    this.#counters = counters;
    this.#folds = folds;
    const state = 'item_index.key, generation, unread, starred, muted';
    this.#items = database.prepare<[number, number], ItemFacts>(
      `SELECT ${state}, item_index.category, title, original_title, summary, source_name, reason, score
       FROM item_index CROSS JOIN item USING (arrival) WHERE item_index.key < ? ORDER BY item_index.key DESC LIMIT ?`,
    );
    this.#advance = database.prepare<[number | null, number]>('UPDATE rule SET below = ? WHERE below = ?');
    this.#goneMatches = database
      .prepare<[number, number], number>('SELECT key FROM rule_match WHERE slot = ? LIMIT ?')
      .pluck();
    this.#removeMatch = database.prepare<[number, number]>('DELETE FROM rule_match WHERE slot = ? AND key = ?');
    this.#removeRule = database.prepare<[number]>('DELETE FROM rule WHERE slot = ?');
    this.#isMuted = database
      .prepare<[number], number>(
        `SELECT EXISTS (SELECT 1 FROM rule_match CROSS JOIN rule USING (slot) WHERE key = ? AND kind = 'mute')`,
      )
      .pluck();
    this.#row = database.prepare<[number], Countable & { key: number }>(
      `SELECT ${state}, category FROM item_index WHERE key = ?`,
    );
    this.#setMuted = database.prepare<[number, number]>('UPDATE item_index SET muted = ? WHERE key = ?');
    this.#extent = database.prepare<[], { first: number; last: number }>(
      'SELECT (SELECT min(key) FROM item_index) AS first, (SELECT max(key) FROM item_index) AS last',
    );
  }

  /** Does the next part, within a transaction. Returns false if there is nothing left to do. */
  step(): boolean {
    const pending = this.#rules.pending();
    const gone = pending.find((rule) => rule.gone === 1);
    if (gone) {
      this.#deleteSome(gone.slot);
      return true;
    }
    const below = Math.max(...pending.map((rule) => rule.below ?? 0));
    if (pending.length === 0) return false;
    const slots = pending.filter((rule) => rule.below === below).map(({ slot }) => slot);
    this.#matchSome(this.#rules.setOf(slots), below);
    return true;
  }

  /** The part of the work that is done, from 0 to 1; null if there is nothing left to do. */
  progress(): number | null {
    const pending = this.#rules.pending();
    if (pending.length === 0) return null;
    const { first, last } = this.#extent.get() ?? { first: 0, last: 0 };
    const left = pending.map(({ below }) => (below === null ? 0 : (below - first) / Math.max(1, last - first)));
    return 1 - Math.min(1, Math.max(0, left.reduce((sum, part) => sum + part, 0) / pending.length));
  }

  #matchSome(rules: RuleSet<AppliedRule>, below: number): void {
    const tried = Math.floor(TRIED_A_STEP / Math.max(1, rules.alwaysTried));
    const limit = Math.max(LEAST_MATCHED, Math.min(MOST_MATCHED, tried));
    const items = this.#items.all(below, limit);
    for (const item of items) {
      const found = rules.match(new FoldedFacts(item));
      if (found.length === 0) continue;
      this.#counters.leave(item);
      for (const match of found) this.#rules.put(item.key, match);
      this.#enter(item, item.muted === 1 || found.some(({ rule }) => rule.kind === 'mute'));
    }
    const next = items.length < limit ? null : (items.at(-1)?.key ?? null);
    this.#advance.run(next, below);
    this.#rules.drop();
  }

  #deleteSome(slot: number): void {
    const keys = this.#goneMatches.all(slot, DELETED_A_STEP);
    for (const key of keys) {
      const row = this.#row.get(key);
      if (!row) {
        this.#removeMatch.run(slot, key);
        continue;
      }
      this.#counters.leave(row);
      this.#removeMatch.run(slot, key);
      this.#enter(row, row.muted === 1 && this.#isMuted.get(key) === 1);
    }
    if (keys.length < DELETED_A_STEP) this.#removeRule.run(slot);
    this.#rules.drop();
  }

  #enter(row: Countable & { key: number }, isMuted: boolean): void {
    const muted = Number(isMuted);
    if (muted !== row.muted) {
      this.#setMuted.run(muted, row.key);
      this.#folds.touch(row.key);
    }
    this.#counters.enter({ ...row, muted });
  }
}
