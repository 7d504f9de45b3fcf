/** Matches of saved items with rules (docs/decisions/085). An item is matched in the transaction that writes it. */
import { mirrorProperties as mirror } from '../database/properties.ts';
import { row, rows, run, value, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';
import {
  compileRule,
  holds,
  RULES_LAYOUT,
  RuleSet,
  type AppliedRule,
  type Flags,
  type LiveRules,
  type RuleKind,
  type RuleQuery,
} from './rule-query.ts';

const LAYOUT = 'rules_layout';

export interface RuleSource {
  kind: RuleKind;
  id: string;
  query: string;
}

interface RuleRow extends RuleSource {
  slot: number;
  below: number | null;
  gone: number;
}

export interface Match {
  rule: AppliedRule;
  bits: number;
}

/** A change of rules sets `tx.rules` to null. */
export function liveRules(tx: Tx): LiveRules {
  return (tx.rules ??= readLiveRules(tx.db));
}

function readLiveRules(db: Db): LiveRules {
  const all = ruleRows(db);
  const rules = all
    .filter(({ gone }) => gone === 0)
    .map(({ slot, kind, id, query }) => ({ slot, kind, id, query: compile(kind, query) }));
  return { bySlot: new Map(rules.map((rule) => [rule.slot, rule])), set: new RuleSet(rules), any: all.length > 0 };
}

/** `since` is the number of the write that brought the item; 0 if the item was there before the rule. */
export function putMatch({ db }: Tx, key: number, { rule, bits }: Match, since = 0): void {
  run(
    db,
    'INSERT INTO rule_match (slot, key, bits, since) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET bits = excluded.bits',
    ...[rule.slot, key, bits, since],
  );
}

export function replaceMatches(tx: Tx, key: number, matches: readonly Match[]): void {
  const before = new Map(
    rows<{ slot: number; since: number }>(tx.db, 'SELECT slot, since FROM rule_match WHERE key = ?', key).map(
      ({ slot, since }) => [slot, since],
    ),
  );
  removeMatches(tx, key);
  for (const match of matches) putMatch(tx, key, match, before.get(match.rule.slot) ?? tx.sequence);
}

export function removeMatches({ db }: Tx, key: number): void {
  run(db, 'DELETE FROM rule_match WHERE key = ?', key);
}

/** Expects {@link replaceMatches} to follow, with the new key. */
export function moveMatches({ db }: Tx, from: number, to: number): void {
  run(db, 'UPDATE rule_match SET key = ? WHERE key = ?', to, from);
}

export function slotsShowing(tx: Tx, key: number, flags: Flags): number[] {
  const { any, bySlot } = liveRules(tx);
  if (!any) return [];
  const matches = rows<{ slot: number; bits: number }>(tx.db, 'SELECT slot, bits FROM rule_match WHERE key = ?', key);
  return matches.flatMap(({ slot, bits }) => {
    const rule = bySlot.get(slot);
    return rule?.kind === 'saved' && holds(rule.query, bits, flags) ? [slot] : [];
  });
}

export function findSearch(db: Db, id: string): { slot: number; query: RuleQuery } | null {
  const found = row<{ slot: number; query: string }>(
    db,
    "SELECT slot, query FROM rule WHERE kind = 'saved' AND id = ? AND gone = 0",
    id,
  );
  return found ? { slot: found.slot, query: compile('saved', found.query) } : null;
}

export function savedSearchIds(db: Db): Map<number, string> {
  return new Map(
    ruleRows(db).flatMap(({ slot, kind, id, gone }) => (kind === 'saved' && gone === 0 ? [[slot, id]] : [])),
  );
}

export function pendingRules(db: Db): { slot: number; below: number | null; gone: number }[] {
  return ruleRows(db).filter(({ below, gone }) => below !== null || gone === 1);
}

export function applyRules(tx: Tx, sources: readonly RuleSource[]): void {
  const { db } = tx;
  const isOld = mirror.number(db, LAYOUT) !== RULES_LAYOUT;
  if (isOld) mirror.set(db, LAYOUT, RULES_LAYOUT);
  const wanted = new Map(sources.map((source) => [nameOf(source), source]));
  for (const rule of ruleRows(db)) {
    if (rule.gone === 1) continue;
    if (!isOld && wanted.delete(nameOf(rule))) continue;
    run(db, 'UPDATE rule SET gone = 1, below = NULL WHERE slot = ?', rule.slot);
    run(db, "DELETE FROM counter WHERE scope = 'saved' AND category = ?", String(rule.slot));
  }
  const newest = wanted.size === 0 ? null : (value<number | null>(db, 'SELECT max(key) FROM item_index') ?? null);
  const below = newest === null ? null : newest + 1;
  for (const { kind, id, query } of wanted.values())
    run(db, 'INSERT INTO rule (kind, id, query, below) VALUES (?, ?, ?, ?)', kind, id, query, below);
  tx.rules = null;
}

function ruleRows(db: Db): RuleRow[] {
  return rows<RuleRow>(db, 'SELECT slot, kind, id, query, below, gone FROM rule ORDER BY slot');
}

function nameOf({ kind, id, query }: RuleSource): string {
  return JSON.stringify([kind, id, query]);
}

const compiled = new Map<string, RuleQuery>();

function compile(kind: RuleKind, text: string): RuleQuery {
  const name = `${kind} ${text}`;
  let query = compiled.get(name);
  if (!query) {
    if (compiled.size > 2_000) compiled.clear();
    compiled.set(name, (query = compileRule(kind, text)));
  }
  return query;
}
