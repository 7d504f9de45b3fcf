import type { Database } from 'better-sqlite3';
import type { Properties } from '../database/properties.ts';
import {
  compileRule,
  holds,
  type Marks,
  RULES_LAYOUT,
  type FoldedFacts,
  type RuleKind,
  type RuleQuery,
} from './rule-query.ts';
import { RuleSet } from './rule-set.ts';
import type { RuleSource } from './rules-table.ts';

/** Property of the mirror: how its matches were made. */
const LAYOUT = 'rules_layout';

interface RuleRow extends RuleSource {
  slot: number;
  below: number | null;
  gone: number;
}

/** A rule as it is applied to this mirror. */
export interface AppliedRule {
  slot: number;
  kind: RuleKind;
  id: string;
  query: RuleQuery;
}

export interface Match {
  rule: AppliedRule;
  bits: number;
}

/**
 * The tables `rule` and `rule_match`: which saved items match which rules of user.db (docs/decisions/085). An item is
 * matched in the transaction that writes it; with a new rule, `RuleMatcher` goes through all items. Write within a
 * transaction, and end it with {@link drop} if it fails.
 */
export class AppliedRules {
  readonly #mirror: Properties;
  readonly #rows;
  readonly #add;
  readonly #markGone;
  readonly #removeCounter;
  readonly #newest;
  readonly #matches;
  readonly #put;
  readonly #since;
  readonly #remove;
  readonly #move;
  readonly #slot;
  readonly #compiled = new Map<string, RuleQuery>();
  /** The rules in force; null if they must be read again. */
  #live: { bySlot: ReadonlyMap<number, AppliedRule>; set: RuleSet<AppliedRule> } | null = null;
  #any = false;

  constructor(database: Database, mirror: Properties) {
    this.#mirror = mirror;
    this.#rows = database.prepare<[], RuleRow>('SELECT slot, kind, id, query, below, gone FROM rule ORDER BY slot');
    this.#add = database.prepare<[RuleKind, string, string, number | null]>(
      'INSERT INTO rule (kind, id, query, below) VALUES (?, ?, ?, ?)',
    );
    this.#markGone = database.prepare<[number]>('UPDATE rule SET gone = 1, below = NULL WHERE slot = ?');
    this.#removeCounter = database.prepare<[string]>("DELETE FROM counter WHERE scope = 'saved' AND category = ?");
    this.#newest = database.prepare<[], number | null>('SELECT max(key) FROM item_index').pluck();
    this.#matches = database.prepare<[number], { slot: number; bits: number }>(
      'SELECT slot, bits FROM rule_match WHERE key = ?',
    );
    this.#put = database.prepare<[number, number, number, number]>(
      `INSERT INTO rule_match (slot, key, bits, since) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET bits = excluded.bits`,
    );
    this.#since = database.prepare<[number], { slot: number; since: number }>(
      'SELECT slot, since FROM rule_match WHERE key = ?',
    );
    this.#remove = database.prepare<[number]>('DELETE FROM rule_match WHERE key = ?');
    this.#move = database.prepare<[number, number]>('UPDATE rule_match SET key = ? WHERE key = ?');
    this.#slot = database.prepare<[string], { slot: number; query: string }>(
      "SELECT slot, query FROM rule WHERE kind = 'saved' AND id = ? AND gone = 0",
    );
  }

  /** The rule in force with this slot. */
  at(slot: number): AppliedRule | undefined {
    return this.#inForce.bySlot.get(slot);
  }

  /** The rules in force with these slots. */
  setOf(slots: readonly number[]): RuleSet<AppliedRule> {
    return new RuleSet(slots.flatMap((slot) => this.at(slot) ?? []));
  }

  /** Whether an item may have matches. */
  get any(): boolean {
    return this.#inForce.bySlot.size > 0 || this.#any;
  }

  /** The rules that an item matches. */
  match(facts: FoldedFacts): Match[] {
    return this.#inForce.set.match(facts);
  }

  /** The matches of a saved item. */
  of(key: number): Match[] {
    if (!this.any) return [];
    const found: Match[] = [];
    for (const { slot, bits } of this.#matches.all(key)) {
      const rule = this.at(slot);
      if (rule) found.push({ rule, bits });
    }
    return found;
  }

  /** `since` is the number of the write that brought the item; 0 if the item was there before the rule. */
  put(key: number, { rule, bits }: Match, since = 0): void {
    this.#put.run(rule.slot, key, bits, since);
  }

  /** Replaces the matches of an item that was changed by write number `sequence`. */
  replace(key: number, matches: readonly Match[], sequence: number): void {
    const before = new Map(this.#since.all(key).map(({ slot, since }) => [slot, since]));
    this.#remove.run(key);
    for (const match of matches) this.put(key, match, before.get(match.rule.slot) ?? sequence);
  }

  /** Also those of rules that are gone. */
  remove(key: number): void {
    this.#remove.run(key);
  }

  /** The item has another key, with which it is still to be matched: see {@link replace}. */
  move(from: number, to: number): void {
    this.#move.run(to, from);
  }

  /** The slots of the saved searches whose lists show an item with these marks. */
  showing(key: number, marks: Marks): number[] {
    return this.of(key).flatMap(({ rule, bits }) =>
      rule.kind === 'saved' && holds(rule.query, bits, marks) ? [rule.slot] : [],
    );
  }

  /** A saved search as it is read: also by a connection that only reads. Null if there is none. */
  search(id: string): { slot: number; query: RuleQuery } | null {
    const row = this.#slot.get(id);
    return row ? { slot: row.slot, query: this.#compile('saved', row.query) } : null;
  }

  /** The ids of the saved searches by slot. */
  searchIds(): Map<number, string> {
    return new Map(
      this.#rows.all().flatMap(({ slot, kind, id, gone }) => (kind === 'saved' && gone === 0 ? [[slot, id]] : [])),
    );
  }

  /** The rules with something left to match, or to delete. */
  pending(): { slot: number; below: number | null; gone: number }[] {
    return this.#rows.all().filter(({ below, gone }) => below !== null || gone === 1);
  }

  /** Brings the applied rules in line with those of user.db. Returns whether anything is left to be matched. */
  follow(sources: readonly RuleSource[]): boolean {
    const isOld = this.#mirror.number(LAYOUT) !== RULES_LAYOUT;
    if (isOld) this.#mirror.set(LAYOUT, RULES_LAYOUT);
    const wanted = new Map(sources.map((source) => [nameOf(source), source]));
    for (const row of this.#rows.all()) {
      if (row.gone === 1) continue;
      if (!isOld && wanted.delete(nameOf(row))) continue;
      this.#markGone.run(row.slot);
      this.#removeCounter.run(String(row.slot));
    }
    const newest = wanted.size === 0 ? null : (this.#newest.get() ?? null);
    for (const { kind, id, query } of wanted.values())
      this.#add.run(kind, id, query, newest === null ? null : newest + 1);
    this.#live = null;
    return this.pending().length > 0;
  }

  /** The rules were written, or a transaction failed: reads them again. */
  drop(): void {
    this.#live = null;
  }

  get #inForce(): { bySlot: ReadonlyMap<number, AppliedRule>; set: RuleSet<AppliedRule> } {
    if (this.#live === null) {
      const rows = this.#rows.all();
      this.#any = rows.length > 0;
      const rules = rows
        .filter(({ gone }) => gone === 0)
        .map(({ slot, kind, id, query }) => ({ slot, kind, id, query: this.#compile(kind, query) }));
      this.#live = { bySlot: new Map(rules.map((rule) => [rule.slot, rule])), set: new RuleSet(rules) };
    }
    return this.#live;
  }

  #compile(kind: RuleKind, text: string): RuleQuery {
    const name = `${kind} ${text}`;
    let query = this.#compiled.get(name);
    if (!query) {
      if (this.#compiled.size > 2_000) this.#compiled.clear();
      this.#compiled.set(name, (query = compileRule(kind, text)));
    }
    return query;
  }
}

function nameOf({ kind, id, query }: RuleSource): string {
  return JSON.stringify([kind, id, query]);
}
