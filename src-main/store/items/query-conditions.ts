import type { Comparison, QueryPart, QueryState } from '../../common/query/query.ts';
import type { Condition } from '../search/search-query.ts';
import { isSource } from '../search/source-names.ts';

/** A condition on rows of `item_index`, with its bound values in order. It is 0 or 1, never null. */
export interface Sql {
  sql: string;
  bound: (string | number)[];
}

/** Where a row has its source and score: in the index `item_facts` (list-indexes.ts), or in the wide table. */
export interface FactColumns {
  source: string;
  score: string;
}

/** In a statement that reads `item` as `facts`. */
export const FACTS: FactColumns = { source: 'facts.source_name', score: 'facts.score' };

/** In a statement that reads other rows first: looked up for each of them. */
export function lookedUp(isIndexed: boolean): FactColumns {
  const row = isIndexed ? 'fact.key = item_index.key' : 'fact.arrival = item_index.arrival';
  const of = (column: string): string => `(SELECT fact.${column} FROM item AS fact WHERE ${row})`;
  return { source: of('source_name'), score: of('score') };
}

/**
 * What an item is. The item is saved, so that it is not withdrawn: the rows of withdrawn stars come from elsewhere
 * (withdrawn-stars.ts). The same as `holds` in search/item-matcher.ts.
 */
const STATES: Readonly<Record<QueryState, string>> = {
  unread: 'item_index.unread = 1',
  read: 'item_index.unread = 0',
  starred: 'item_index.starred = 1',
  selected: 'item_index.generation > 0',
  withdrawn: '0',
  muted: 'item_index.muted = 1',
};

const PARTS: Readonly<Record<QueryPart, string>> = {
  story: 'EXISTS (SELECT 1 FROM coverage WHERE coverage.key = item_index.key)',
  note: '0',
};

const SIGNS: Readonly<Record<Comparison, string>> = { '>': '>', '>=': '>=', '<': '<', '<=': '<=', '=': '=' };

/** A condition of a query, over `item_index` and the columns of the source and the score. */
export function conditionSql(condition: Condition, columns: FactColumns, sourceNames: () => readonly string[]): Sql {
  const { sql, bound } = positive(condition, columns, sourceNames);
  return { sql: condition.negated ? `NOT ifnull(${sql}, 0)` : sql, bound };
}

function positive(condition: Condition, columns: FactColumns, sourceNames: () => readonly string[]): Sql {
  switch (condition.kind) {
    case 'source': {
      const names = sourceNames().filter((name) => isSource(condition.source, name));
      if (names.length === 1) return { sql: `${columns.source} = ?`, bound: names };
      return { sql: `${columns.source} IN (SELECT value FROM json_each(?))`, bound: [JSON.stringify(names)] };
    }
    case 'category':
      return { sql: 'item_index.category = ?', bound: [condition.category] };
    case 'is':
      return { sql: STATES[condition.state], bound: [] };
    case 'has':
      return { sql: PARTS[condition.part], bound: [] };
    // Numbers are bound as REAL, but FTS5 seeks only to an INTEGER.
    case 'before':
      return { sql: 'item_index.key < CAST(? AS INTEGER)', bound: [condition.key] };
    case 'after':
      return { sql: 'item_index.key >= CAST(? AS INTEGER)', bound: [condition.key] };
    case 'score':
      return { sql: `${columns.score} ${SIGNS[condition.comparison]} ?`, bound: [condition.score] };
  }
}
