/** Matches of saved items with rules (docs/decisions/178). An item is matched in the transaction that writes it. */
import * as records from '../records.ts';
import { rows, run, sql, value, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { compileRule, RuleSet, type AppliedRule, type LiveRules, type RuleKind, type RuleQuery } from './rule-query.ts';

export const IS_MUTED = `EXISTS (SELECT 1 FROM rule_match CROSS JOIN rule USING (slot)
  WHERE rule_match.key = item_index.key AND kind = 'mute')`;
const MUTE = sql`UPDATE item_index SET muted = ${IS_MUTED} WHERE key = ? AND muted <> ${IS_MUTED}`;

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
  const rules = appliedRules(db);
  const any = value<number>(db, 'SELECT EXISTS (SELECT 1 FROM rule)') === 1;
  const marking = records
    .list(db, 'saved')
    .flatMap(([id, { marks: mark, createdAt: since }]) => (mark ? [[id, { mark, since }] as const] : []));
  return {
    bySlot: new Map(rules.map((rule) => [rule.slot, rule])),
    set: new RuleSet(rules),
    marking: new Map(marking),
    any,
  };
}

function appliedRules(db: Db): AppliedRule[] {
  return ruleRows(db)
    .filter(({ gone }) => gone === 0)
    .map(({ slot, kind, id, query }) => ({ slot, kind, id, query: compile(kind, query) }));
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
  run(tx.db, 'DELETE FROM rule_match WHERE key = ?', key);
  for (const match of matches) putMatch(tx, key, match, before.get(match.rule.slot) ?? tx.sequence);
}

export function followMatches({ db }: Tx, key: number): void {
  run(db, MUTE, key);
}

export function findSearch(db: Db, id: string): AppliedRule | null {
  return appliedSearches(db).find((search) => search.id === id) ?? null;
}

export function appliedSearches(db: Db): AppliedRule[] {
  return appliedRules(db).filter(({ kind }) => kind === 'saved');
}

export function pendingRules(db: Db): { slot: number; below: number | null; gone: number }[] {
  return ruleRows(db).filter(({ below, gone }) => below !== null || gone === 1);
}

export function applyRules(tx: Tx, sources: readonly RuleSource[]): void {
  const { db } = tx;
  const wanted = new Map(sources.map((source) => [nameOf(source), source]));
  for (const rule of ruleRows(db)) {
    if (rule.gone === 1) continue;
    if (!wanted.delete(nameOf(rule))) run(db, 'UPDATE rule SET gone = 1, below = NULL WHERE slot = ?', rule.slot);
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
