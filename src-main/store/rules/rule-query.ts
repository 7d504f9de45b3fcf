import { parseQuery } from '../../common/query.ts';
import type { FailureReason } from '../../contract/errors.ts';
import type { RuleProblem, SearchMark } from '../../contract/model/search.ts';
import { keyAt } from '../items/time-key.ts';
import {
  compileQuery,
  matchesAlternative,
  searchedText,
  type Alternative as Searched,
  type Condition,
  type ItemFacts,
  type Phrase,
} from '../search/search-query.ts';
import type { BoundSql } from '../sql.ts';

export interface RuleFacts {
  key: number;
  title: string;
  original_title: string | null;
  summary: string | null;
  source_name: string | null;
  reason: string | null;
  category: string | null;
  score: number | null;
  generation: number;
}

export interface Flags {
  unread: number;
  starred: number;
}

/** Terms about flags, which change all the time, are evaluated on reading, not on matching. */
type FlagTerms = { [Name in keyof Flags]?: boolean };

/** A time that moves on with the clock is compared on reading, too. */
type MovingTime = Extract<Condition, { kind: 'before' | 'after' }> & { ago: number };

interface Alternative {
  fixed: Searched;
  flags: FlagTerms;
  times: readonly MovingTime[];
}

export type RuleKind = 'mute' | 'saved';

export interface RuleQuery {
  alternatives: readonly Alternative[];
  /** A rule with a problem has no effect. */
  problem: RuleProblem | null;
}

const MAX_ALTERNATIVES = 30;
const ONLY_EXCLUDES = 'It only says what to leave out. Add a word, a source or a category that must be there.';
/** Increment it when what matches changes: the rules are then matched again. */
export const RULES_LAYOUT = 2;

/** Folds the text once for all rules, and only if one needs it. */
export class FoldedFacts implements ItemFacts {
  readonly key: number;
  readonly sourceName: string | null;
  readonly category: string | null;
  readonly score: number | null;
  readonly selected: boolean;
  // No rule depends on these.
  readonly unread = false;
  readonly starred = false;
  readonly withdrawn = false;
  readonly muted = false;
  readonly hasStory = false;
  readonly hasNote = false;
  readonly #facts: RuleFacts;
  #text: string | null = null;

  constructor(facts: RuleFacts) {
    this.#facts = facts;
    this.key = facts.key;
    this.sourceName = facts.source_name;
    this.category = facts.category;
    this.score = facts.score;
    this.selected = facts.generation > 0;
  }

  get text(): string {
    const { title, original_title: originalTitle, summary, source_name: sourceName, reason } = this.#facts;
    this.#text ??= searchedText({ title, originalTitle, summary, sourceName, reason });
    return this.#text;
  }
}

export function compileRule(kind: RuleKind, text: string): RuleQuery {
  // The space makes the last word whole: nobody is still typing.
  const parsed = parseQuery(`${text} `);
  const unclear = parsed.problems.find(({ code }) => code !== 'only_excludes');
  if (unclear) return unusable('rule_not_understood', `“${unclear.text}” is not understood. Correct it first.`);
  if (parsed.problems.length > 0) return unusable('rule_only_excludes', ONLY_EXCLUDES);
  const { alternatives } = compileQuery(parsed, 0);
  if (alternatives.length < Math.max(1, parsed.alternatives.length)) {
    return unusable('rule_empty', 'There is nothing to look for. Enter a word, a source or a category.');
  }
  if (alternatives.length > MAX_ALTERNATIVES) {
    return unusable(
      'rule_too_many_alternatives',
      `It has more than ${String(MAX_ALTERNATIVES)} alternatives. Use several instead.`,
    );
  }
  for (const condition of alternatives.flatMap(({ conditions }) => conditions)) {
    const problem = problemOf(kind, condition);
    if (problem !== null) return unusable('rule_changing_term', problem);
  }
  if (kind === 'mute' && alternatives.some(onlyExcludes)) {
    return unusable('rule_only_excludes', ONLY_EXCLUDES);
  }
  return { alternatives: alternatives.flatMap(withFlags), problem: null };
}

function bitsOf({ alternatives }: RuleQuery, facts: FoldedFacts): number {
  let bits = 0;
  for (const [at, { fixed }] of alternatives.entries()) if (matchesAlternative(fixed, facts)) bits |= 1 << at;
  return bits;
}

/** Without `at`, it may hold at some time. */
export function holds(
  { alternatives }: RuleQuery,
  bits: number,
  row: Flags,
  at?: { key: number; now: number },
): boolean {
  return alternatives.some(
    ({ flags, times }, index) =>
      (bits & (1 << index)) !== 0 &&
      (at === undefined || times.every((time) => at.key >= startOf(time, at.now) === isAfter(time))) &&
      (flags.unread === undefined || flags.unread === (row.unread === 1)) &&
      (flags.starred === undefined || flags.starred === (row.starred === 1)),
  );
}

export function dependsOnTime({ alternatives }: RuleQuery): boolean {
  return alternatives.some(({ times }) => times.length > 0);
}

/** The same as {@link holds}, over `rule_match` and `item_index`. */
export function holdsSql({ alternatives }: RuleQuery, now: number): BoundSql {
  const fixed = alternatives.reduce((bits, one, at) => (isFixed(one) ? bits | (1 << at) : bits), 0);
  const bound: number[] = [];
  const others = alternatives.flatMap((one, at) => {
    if (isFixed(one)) return [];
    const states = Object.entries(one.flags).map(([name, value]) => `item_index.${name} = ${String(Number(value))}`);
    const times = one.times.map((time) => {
      bound.push(startOf(time, now));
      return `rule_match.key ${isAfter(time) ? '>=' : '<'} CAST(? AS INTEGER)`;
    });
    return [`(${[`rule_match.bits & ${String(1 << at)}`, ...states, ...times].join(' AND ')})`];
  });
  const sql = `(${[`rule_match.bits & ${String(fixed)}`, ...others].join(' OR ')})`;
  const earliest = Math.min(
    ...alternatives.map(({ times }) => Math.max(0, ...times.filter(isAfter).map((time) => startOf(time, now)))),
  );
  if (!Number.isFinite(earliest) || earliest === 0) return { sql, bound };
  // Keeps SQLite from reading all matches of a search for the news of a week.
  return { sql: `rule_match.key >= CAST(? AS INTEGER) AND ${sql}`, bound: [earliest, ...bound] };
}

function startOf({ ago }: MovingTime, now: number): number {
  return keyAt(now - ago);
}

function isAfter({ kind, negated }: MovingTime): boolean {
  return (kind === 'after') !== negated;
}

function isFixed({ flags, times }: Alternative): boolean {
  return Object.keys(flags).length === 0 && times.length === 0;
}

function unusable(reason: FailureReason, message: string): RuleQuery {
  return { alternatives: [], problem: { reason, message } };
}

function onlyExcludes({ wanted, conditions }: Searched): boolean {
  return wanted.length === 0 && conditions.every(({ negated }) => negated);
}

/** Refuses what changes without the item, except flags and moving times in saved searches. */
function problemOf(kind: RuleKind, condition: Condition): string | null {
  if (condition.kind === 'has')
    return `“has:${condition.part}” can’t be used here, because it changes without the item.`;
  if (kind === 'mute' && isMoving(condition)) return 'A time that moves on can’t be used here: give a day.';
  if (condition.kind !== 'is' || condition.state === 'selected') return null;
  return flagOf(condition) && kind === 'saved' ? null : `“is:${condition.state}” can’t be used here.`;
}

function isMoving(condition: Condition): condition is MovingTime {
  return (condition.kind === 'before' || condition.kind === 'after') && condition.ago !== undefined;
}

function flagOf(condition: Condition): { name: keyof Flags; value: boolean } | null {
  if (condition.kind !== 'is') return null;
  const { state, negated } = condition;
  if (state === 'starred') return { name: 'starred', value: !negated };
  if (state === 'unread' || state === 'read') return { name: 'unread', value: (state === 'unread') !== negated };
  return null;
}

function withFlags(alternative: Searched): Alternative[] {
  const flags: FlagTerms = {};
  for (const flag of alternative.conditions.map(flagOf)) {
    if (!flag) continue;
    if (flags[flag.name] === !flag.value) return [];
    flags[flag.name] = flag.value;
  }
  const conditions = alternative.conditions.filter((one) => flagOf(one) === null && !isMoving(one));
  return [{ fixed: { ...alternative, conditions }, flags, times: alternative.conditions.filter(isMoving) }];
}

export interface AppliedRule {
  slot: number;
  kind: RuleKind;
  id: string;
  query: RuleQuery;
}

export interface LiveRules {
  bySlot: ReadonlyMap<number, AppliedRule>;
  set: RuleSet;
  /** Saved searches by their id, if they mark items that are newer than `since` (ms since 1970). */
  marking: ReadonlyMap<string, { mark: SearchMark; since: number }>;
  /** Includes rules that are gone. */
  any: boolean;
}

/** Each alternative waits for a word, or two in a row, that it needs: the number of rules hardly matters. */
export class RuleSet {
  readonly #waiting = new Map<string, AppliedRule[]>();
  /** An alternative of these is decided by no whole word: a source, a day, the beginning of a word. */
  readonly #always: AppliedRule[] = [];

  constructor(rules: readonly AppliedRule[]) {
    for (const rule of rules) {
      const anchors = rule.query.alternatives.map(({ fixed }) => anchorOf(fixed.wanted));
      if (anchors.includes(null)) this.#always.push(rule);
      else for (const anchor of new Set(anchors)) this.#wait(anchor ?? '', rule);
    }
  }

  get alwaysTried(): number {
    return this.#always.length;
  }

  match(facts: FoldedFacts): { rule: AppliedRule; bits: number }[] {
    return [...this.#candidates(facts)].flatMap((rule) => {
      const bits = bitsOf(rule.query, facts);
      return bits === 0 ? [] : [{ rule, bits }];
    });
  }

  #wait(anchor: string, rule: AppliedRule): void {
    const waiting = this.#waiting.get(anchor);
    if (waiting) waiting.push(rule);
    else this.#waiting.set(anchor, [rule]);
  }

  #candidates(facts: FoldedFacts): Set<AppliedRule> {
    const found = new Set(this.#always);
    if (this.#waiting.size === 0) return found;
    let before = '';
    for (const word of facts.text.split(' ')) {
      for (const anchor of [word, `${before} ${word}`])
        for (const rule of this.#waiting.get(anchor) ?? []) found.add(rule);
      before = word;
    }
    return found;
  }
}

/** Returns the longest of the first one or two whole words of each phrase; null if none has a whole word. */
function anchorOf(wanted: readonly Phrase[]): string | null {
  const anchors = wanted.map(({ tokens, prefix }) => (prefix ? tokens.slice(0, -1) : tokens).slice(0, 2));
  const [longest] = anchors.toSorted((a, b) => b.join(' ').length - a.join(' ').length);
  return longest === undefined || longest.length === 0 ? null : longest.join(' ');
}
