import { FIELD_END, type SearchableItem } from './search-index.ts';
import {
  type Alternative,
  type Condition,
  type ParsedSearch,
  type Phrase,
  isSource,
  keyOfSource,
} from './search-query.ts';
import { indexText } from './search-text.ts';

export interface ItemFacts {
  /** See {@link searchedText}. */
  text: string;
  key: number;
  /** The end of a period, such as a week. */
  endKey?: number;
  sourceName: string | null;
  otherSources?: readonly string[];
  category: string | null;
  score: number | null;
  unread: boolean;
  starred: boolean;
  selected: boolean;
  withdrawn: boolean;
  muted: boolean;
  hasStory: boolean;
  hasNote: boolean;
}

type Texts = Pick<SearchableItem, 'title' | 'originalTitle' | 'summary' | 'sourceName' | 'reason'>;

/** Returns the texts as the index has them. Call it once for an item that is compared with many queries. */
export function searchedText({ title, originalTitle, summary, sourceName, reason }: Texts): string {
  return searchedFields([title, originalTitle, summary, sourceName, reason]);
}

/** Returns the same of other texts. No phrase spans two of them. */
export function searchedFields(texts: readonly (string | null)[]): string {
  const tokens = texts.map((text) => indexText(text ?? ''));
  return ` ${tokens.filter((text) => text !== '').join(FIELD_END)} `;
}

/** Decides exactly as a list of the same query does once the item is indexed. A blank query matches all. */
export function matchesItem({ blank, alternatives }: ParsedSearch, facts: ItemFacts): boolean {
  return blank || alternatives.some((alternative) => matchesAlternative(alternative, facts));
}

export function matchesAlternative({ wanted, excluded, conditions }: Alternative, facts: ItemFacts): boolean {
  return (
    // The cheapest first.
    meetsAll(conditions, facts) &&
    wanted.every((phrase) => contains(facts.text, phrase)) &&
    !excluded.some((phrase) => contains(facts.text, phrase))
  );
}

export function meetsAll(conditions: readonly Condition[], facts: Omit<ItemFacts, 'text'>): boolean {
  return conditions.every((condition) => holds(condition, facts) !== condition.negated);
}

export function contains(text: string, { tokens, prefix }: Phrase): boolean {
  return text.includes(` ${tokens.join(' ')}${prefix ? '' : ' '}`);
}

function holds(condition: Condition, facts: Omit<ItemFacts, 'text'>): boolean {
  switch (condition.kind) {
    case 'source':
      return (
        isNamed(condition.source, facts.sourceName) ||
        (facts.otherSources?.some((name) => isNamed(condition.source, name)) ?? false)
      );
    case 'category':
      return facts.category === condition.category;
    case 'is':
      return condition.state === 'read' ? !facts.unread : facts[condition.state];
    case 'has':
      return condition.part === 'story' ? facts.hasStory : facts.hasNote;
    case 'before':
      return facts.key < condition.key;
    case 'after':
      return (facts.endKey ?? facts.key) >= condition.key;
    case 'score':
      return facts.score !== null && compare(facts.score, condition);
  }
}

function isNamed(wanted: Parameters<typeof isSource>[0], name: string | null): boolean {
  return name !== null && isSource(wanted, keyOfSource(name));
}

function compare(score: number, { comparison, score: wanted }: Extract<Condition, { kind: 'score' }>): boolean {
  switch (comparison) {
    case '>':
      return score > wanted;
    case '>=':
      return score >= wanted;
    case '<':
      return score < wanted;
    case '<=':
      return score <= wanted;
    case '=':
      return score === wanted;
  }
}
