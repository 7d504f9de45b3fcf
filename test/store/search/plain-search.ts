import type { Database } from 'better-sqlite3';
import {
  apply,
  beginLoad,
  clear,
  endLoad,
  isLoading,
  mergeStep,
  prepareSearch,
  type SearchableItem,
} from '../../../src-main/store/search/search-index.ts';
import {
  matchesAlternative,
  type ItemFacts,
  type ParsedSearch,
  type Phrase,
} from '../../../src-main/store/search/search-query.ts';
import { transaction, type WritableDb } from '../../../src-main/store/sql.ts';
import { tokensOf } from '../../../src-main/store/search/search-text.ts';

export { parseSearch } from '../../../src-main/store/search/search-query.ts';

/** Opens an index, empty or that of a file. Each call is a transaction. */
export function openIndex(database: Database, file = ':memory:') {
  database.prepare('ATTACH ? AS search').run(file);
  const write = <T>(work: (db: WritableDb) => T): T => transaction(database, work);
  write(prepareSearch);
  return {
    apply: (upserts: SearchableItem[], removals: number[] = []) => {
      write((db) => {
        apply(db, upserts, removals);
      });
    },
    clear: () => {
      write(clear);
    },
    beginLoad: () => {
      write(beginLoad);
    },
    isLoading: () => isLoading(database),
    mergeStep: () => write(mergeStep),
    endLoad: () => {
      while (write(mergeStep));
      write(endLoad);
    },
  };
}

/** Keys of the items that the index finds, newest first. */
export function findKeys(database: Database, search: ParsedSearch, { limit }: { limit: number }): number[] {
  if (search.match === null) return [];
  const find = database.prepare<[string, number], number>(
    `SELECT rowid FROM search.item_text WHERE item_text MATCH ? ORDER BY rowid DESC LIMIT ?`,
  );
  return find.pluck().all(search.match, limit);
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
