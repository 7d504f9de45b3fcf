import { parseQuery } from '../../common/query.ts';
import type { FailureReason } from '../../contract/errors.ts';
import type { RuleProblem } from '../../contract/model/search.ts';
import {
  compileQuery,
  matchesAlternative,
  searchedText,
  type Alternative as Searched,
  type Condition,
  type ItemFacts,
  type Phrase,
} from '../search/search-query.ts';

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

interface Alternative {
  fixed: Searched;
  flags: FlagTerms;
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
export const RULES_LAYOUT = 1;

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
  const { alternatives } = compileQuery(parsed);
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

export function holds({ alternatives }: RuleQuery, bits: number, row: Flags): boolean {
  return alternatives.some(
    ({ flags }, at) =>
      (bits & (1 << at)) !== 0 &&
      (flags.unread === undefined || flags.unread === (row.unread === 1)) &&
      (flags.starred === undefined || flags.starred === (row.starred === 1)),
  );
}

/** The same as {@link holds}, over `rule_match` and `item_index`. */
export function holdsSql({ alternatives }: RuleQuery): string {
  const fixed = alternatives.reduce((bits, { flags }, at) => (isEmpty(flags) ? bits | (1 << at) : bits), 0);
  const flagged = alternatives.flatMap(({ flags }, at) => {
    if (isEmpty(flags)) return [];
    const states = Object.entries(flags).map(([name, value]) => ` AND item_index.${name} = ${String(Number(value))}`);
    return [`(rule_match.bits & ${String(1 << at)}${states.join('')})`];
  });
  return `(${[`rule_match.bits & ${String(fixed)}`, ...flagged].join(' OR ')})`;
}

function unusable(reason: FailureReason, message: string): RuleQuery {
  return { alternatives: [], problem: { reason, message } };
}

function isEmpty(flags: FlagTerms): boolean {
  return Object.keys(flags).length === 0;
}

function onlyExcludes({ wanted, conditions }: Searched): boolean {
  return wanted.length === 0 && conditions.every(({ negated }) => negated);
}

/** Refuses what changes without the item, except flags in saved searches. */
function problemOf(kind: RuleKind, condition: Condition): string | null {
  if (condition.kind === 'has')
    return `“has:${condition.part}” can’t be used here, because it changes without the item.`;
  if (condition.kind !== 'is' || condition.state === 'selected') return null;
  return flagOf(condition) && kind === 'saved' ? null : `“is:${condition.state}” can’t be used here.`;
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
  const conditions = alternative.conditions.filter((condition) => flagOf(condition) === null);
  return [{ fixed: { ...alternative, conditions }, flags }];
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
