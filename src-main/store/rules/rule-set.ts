import type { Phrase } from '../search/search-query.ts';
import { bitsOf, type FoldedFacts, type RuleKind, type RuleQuery } from './rule-query.ts';

export interface AppliedRule {
  slot: number;
  kind: RuleKind;
  id: string;
  query: RuleQuery;
}

export interface LiveRules {
  bySlot: ReadonlyMap<number, AppliedRule>;
  set: RuleSet;
  /** True if an item may have matches: also those of rules that are gone. */
  any: boolean;
}

/**
 * Compares an item with all rules in one pass over its words: each alternative waits for a word, or two in a row, that
 * it can't do without. So the work depends on the text and hardly on the number of rules.
 */
export class RuleSet {
  readonly #waiting = new Map<string, AppliedRule[]>();
  /** Those with an alternative that no whole word decides: a source, a day, the beginning of a word. */
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

/** Returns the first two whole words in a row of a phrase, else its only one; null if no phrase has a whole word. */
function anchorOf(wanted: readonly Phrase[]): string | null {
  const anchors = wanted.map(({ tokens, prefix }) => (prefix ? tokens.slice(0, -1) : tokens).slice(0, 2));
  const [longest] = anchors.toSorted((a, b) => b.join(' ').length - a.join(' ').length);
  return longest === undefined || longest.length === 0 ? null : longest.join(' ');
}
