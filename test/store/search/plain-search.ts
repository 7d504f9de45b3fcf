import type { Database } from 'better-sqlite3';
import { SEARCH_SCHEMA, type SearchableItem } from '../../../src-main/store/search/search-index.ts';
import {
  matchesAlternative,
  type ItemFacts,
  type ParsedSearch,
  type Phrase,
} from '../../../src-main/store/search/search-query.ts';
import { tokensOf } from '../../../src-main/store/search/search-text.ts';

export { parseSearch } from '../../../src-main/store/search/search-query.ts';

interface KeysRange {
  /** Only keys below this one: the last key of the previous page. */
  below?: number;
  limit: number;
}

/** Keys of the items that the index finds, newest first. `schema` is the schema of the index. */
export function findKeys(database: Database, search: ParsedSearch, range: KeysRange, schema = SEARCH_SCHEMA): number[] {
  if (search.match === null) return [];
  const find = database.prepare<[string, number, number], number>(
    `SELECT rowid FROM ${schema}.item_text WHERE item_text MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`,
  );
  return find.pluck().all(search.match, range.below ?? Number.MAX_SAFE_INTEGER, range.limit);
}

/** Returns true if an item matches, without the index: the expected result. */
export function matches(item: SearchableItem, search: ParsedSearch): boolean {
  return matchesFields(fieldTokens(item), search);
}

/** Decides exactly as a list of the same query does once the item is indexed. A blank query matches all. */
export function matchesItem({ blank, alternatives }: ParsedSearch, facts: ItemFacts): boolean {
  return blank || alternatives.some((alternative) => matchesAlternative(alternative, facts));
}

/** The tokens of each field of an item, to test the same items against many searches. */
export function fieldTokens({ title, originalTitle, summary, sourceName, reason }: SearchableItem): string[][] {
  return [title, originalTitle, summary, sourceName, reason].map((text) => tokensOf(text ?? ''));
}

export function matchesFields(fields: string[][], search: ParsedSearch): boolean {
  const holds = (phrase: Phrase): boolean => fields.some((tokens) => hasPhrase(tokens, phrase));
  return search.alternatives.some(
    ({ wanted, excluded, conditions }) => conditions.length === 0 && wanted.every(holds) && !excluded.some(holds),
  );
}

function hasPhrase(tokens: string[], { tokens: wanted, prefix }: Phrase): boolean {
  const last = wanted.length - 1;
  return tokens.some((_, at) =>
    wanted.every((token, index) => {
      const found = tokens[at + index];
      return prefix && index === last ? found?.startsWith(token) : found === token;
    }),
  );
}
