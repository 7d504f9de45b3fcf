import type { Phrase } from '../search/search-query.ts';
import { bitsOf, type FoldedFacts, type RuleQuery } from './rule-query.ts';

/**
 * Rules in the form in which an item is compared with all of them in one pass over its words: each alternative of a rule
 * waits for a word, or two in a row, that it can't do without. Only those whose words come up are compared in whole, so
 * the work for an item depends on its text and hardly on the number of rules.
 */
export class RuleSet<R extends { query: RuleQuery }> {
  /** By the words that one of their alternatives waits for. */
  readonly #waiting = new Map<string, R[]>();
  /** Those with an alternative that no whole word decides: a source, a day, the beginning of a word. */
  readonly #always: R[] = [];

  constructor(rules: readonly R[]) {
    for (const rule of rules) {
      const anchors = rule.query.alternatives.map(({ fixed }) => anchorOf(fixed.wanted));
      if (anchors.includes(null)) this.#always.push(rule);
      else for (const anchor of new Set(anchors)) this.#wait(anchor ?? '', rule);
    }
  }

  /** How many rules are compared with every item. */
  get alwaysTried(): number {
    return this.#always.length;
  }

  /** The rules that an item matches, each with the bits of its alternatives. */
  match(facts: FoldedFacts): { rule: R; bits: number }[] {
    return [...this.#candidates(facts)].flatMap((rule) => {
      const bits = bitsOf(rule.query, facts);
      return bits === 0 ? [] : [{ rule, bits }];
    });
  }

  #wait(anchor: string, rule: R): void {
    const waiting = this.#waiting.get(anchor);
    if (waiting) waiting.push(rule);
    else this.#waiting.set(anchor, [rule]);
  }

  #candidates(facts: FoldedFacts): Set<R> {
    const found = new Set(this.#always);
    // The text is folded only if a rule needs it.
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

/** The first two whole words in a row of a phrase, else its only one; null if no phrase has a whole word. */
function anchorOf(wanted: readonly Phrase[]): string | null {
  const anchors = wanted.map(({ tokens, prefix }) => (prefix ? tokens.slice(0, -1) : tokens).slice(0, 2));
  const [longest] = anchors.toSorted((a, b) => b.join(' ').length - a.join(' ').length);
  return longest === undefined || longest.length === 0 ? null : longest.join(' ');
}
