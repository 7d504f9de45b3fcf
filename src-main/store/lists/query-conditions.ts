import type { Comparison, QueryPart, QueryState } from '../../common/query.ts';
import { mirrorProperties } from '../database/properties.ts';
import { THIS_MIRROR } from '../database/this-mirror.ts';
import type { Condition } from '../search/search-query.ts';
import { isSource } from '../search/source-names.ts';
import { perConnection, rows, value, type Db } from '../sql.ts';

/** A condition on rows of `item_index`, with its bound values in order. */
export interface Sql {
  sql: string;
  bound: (string | number)[];
}

/** What a filter needs to know of the sources of items. */
export interface SourceFacts {
  sources: () => readonly KnownSource[];
  /** Whether the index `item_score` is there. */
  hasScores: boolean;
}

/** A row of the table `source`. */
interface KnownSource {
  id: number;
  key: string;
}

const sourceCache = perConnection(() => ({ sources: [] as readonly KnownSource[], readAt: -1 }));

/** The sources are read when they are needed and something was written since. */
export function sourceFacts(db: Db): SourceFacts {
  const scores = value<number>(db, "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = 'item_score'");
  return { sources: () => allSources(db), hasScores: scores === 1 };
}

function allSources(db: Db): readonly KnownSource[] {
  const cache = sourceCache(db);
  const sequence = mirrorProperties.number(db, 'sequence');
  if (sequence !== cache.readAt) {
    cache.sources = rows<KnownSource>(db, 'SELECT id, key FROM source');
    cache.readAt = sequence;
  }
  return cache.sources;
}

/** The score in a statement that reads `item` as `scored` first. */
export const SCORE_READ = 'scored.score';

/** Returns the score for a statement that reads other rows first: looked up for each, in the index `item_score` if that exists. */
export function scoreLookedUp(hasIndex: boolean): string {
  const row = hasIndex ? 'scored.key = item_index.key' : 'scored.arrival = item_index.arrival';
  return `(SELECT scored.score FROM item AS scored WHERE ${row})`;
}

/**
 * The item is saved, so that it is not withdrawn: the rows of withdrawn stars come from elsewhere
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

/** Few items have a story or a note, so that these are found first. */
const PARTS: Readonly<Record<QueryPart, string>> = {
  story: 'item_index.key IN (SELECT coverage.key FROM coverage WHERE coverage.key IS NOT NULL)',
  note: `item_index.key IN (SELECT noted.key FROM user.note CROSS JOIN item AS noted ON noted.id = note.id
    WHERE note.mirror = ${THIS_MIRROR} AND note.kind = 'item')`,
};

/** With more sources, most of their items are not on the first page. */
const FEW_SOURCES = 8;

const SIGNS: Readonly<Record<Comparison, string>> = { '>': '>', '>=': '>=', '<': '<', '<=': '<=', '=': '=' };

/** Returns a condition of a query, over `item_index`; `score` is where the score is. */
export function conditionSql(condition: Condition, score: string, sources: SourceFacts['sources']): Sql {
  const { sql, bound } = positive(condition, score, sources);
  return { sql: condition.negated ? `NOT ifnull(${sql}, 0)` : sql, bound };
}

function positive(condition: Condition, score: string, sources: SourceFacts['sources']): Sql {
  switch (condition.kind) {
    case 'source': {
      const ids = sources().flatMap(({ id, key }) => (isSource(condition.source, key) ? [id] : []));
      if (ids.length === 1) return { sql: 'item_index.source = ?', bound: ids };
      // The unary plus: the rows of many sources are not sorted by time, but found among all, newest first.
      const column = ids.length > FEW_SOURCES ? '+item_index.source' : 'item_index.source';
      return { sql: `${column} IN (SELECT value FROM json_each(?))`, bound: [JSON.stringify(ids)] };
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
      return { sql: `${score} ${SIGNS[condition.comparison]} ?`, bound: [condition.score] };
  }
}
