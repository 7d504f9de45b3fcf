import type { Comparison, QueryPart, QueryState } from '../../common/query.ts';
import { sourceKey } from '../../common/source-label.ts';
import { DAY } from '../../common/time.ts';
import type { ItemsQuery } from '../../contract/model/item.ts';
import { THIS_SERVICE } from '../database/properties.ts';
import { keyAt } from '../items/time-key.ts';
import { holdsSql, type RuleQuery } from '../rules/rule-query.ts';
import { restrictTo, SEARCH_SCHEMA } from '../search/search-index.ts';
import {
  anyOf,
  hasPrefix,
  isSource,
  matchOf,
  parseSearch,
  phrasesOf,
  type Alternative,
  type Condition,
  type ParsedSearch,
} from '../search/search-query.ts';
import { rows, value, type BoundSql, type Db } from '../sql.ts';
import { foldBit, foldsStories } from '../stories/coverage.ts';

const WINDOW_MS = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY };

/** Seven days (document 1 section 4.1), by clocks that may differ. */
const PREVIEWED_MS = 8 * DAY;

export function windowStart({ window }: ItemsQuery, now: number): number {
  return window === 'any' ? 0 : now - WINDOW_MS[window];
}

interface Part {
  from: string;
  where: string[];
  bound: (string | number)[];
  key: 'item_text.rowid' | 'item_index.key' | 'scored.key' | 'rule_match.key';
}

export interface Filter {
  parts: Part[];
  search: ParsedSearch | null;
}

/** So many unread or starred items are looked up in the search index one by one, each in some 20 µs. */
const MAX_LOOKED_UP = 300;

const OF_SOURCE = 'item_index.source = (SELECT id FROM source WHERE source.key = ?)';

interface KnownSource {
  id: number;
  key: string;
}

interface SourceFacts {
  sources: () => readonly KnownSource[];
  hasScores: boolean;
}

interface FilterSources extends Partial<SourceFacts> {
  /** Upper bound of the rows without the search and its time window. Decides how a search reads, not what it finds. */
  sizeOf?: (query: ItemsQuery) => number;
  saved?: SavedList | null;
}

export function listFilter(
  query: ItemsQuery,
  now: number,
  selectedComplete: boolean,
  sources: FilterSources = {},
): Filter | null {
  if (query.saved !== undefined && !sources.saved) return null;
  const search = parseSearch(query.text ?? '', now);
  const list: ListOf = { query, now, isPreview: query.scope === 'selected' && !selectedComplete, sources };
  if (search.blank) return { parts: [partOf(list, null)], search: null };
  if (search.alternatives.length === 0) return null;
  // The index finds words of several alternatives in one pass.
  if (search.match !== null && search.alternatives.length > 1) {
    return {
      parts: [partOf(list, { wanted: phrasesOf(search), excluded: [], conditions: [], match: search.match })],
      search,
    };
  }
  return { parts: search.alternatives.map((one) => partOf(list, { ...one, match: matchOf(one) })), search };
}

interface ListOf {
  query: ItemsQuery;
  now: number;
  isPreview: boolean;
  sources: FilterSources;
}

type Searched = Alternative & { match: string | null };

function partOf(list: ListOf, searched: Searched | null): Part {
  const { query, now, isPreview } = list;
  const part: Part = { from: 'item_index', where: [], bound: [], key: 'item_index.key' };
  if (searched) addSearched(part, list, searched);
  if (list.sources.saved) addSavedSearch(part, list.sources.saved, now, searched !== null);
  if (query.muted) add(part, 'item_index.muted = 1');
  else if (hidesMuted(query) && !includesMuted(searched)) add(part, 'item_index.muted = 0');
  if (isPreview) addPreview(part, now);
  else if (query.scope === 'selected') add(part, 'item_index.generation > 0');
  // The unary plus keeps SQLite from reading the category: starred items and those of a source are fewer.
  const category =
    query.state === 'starred' || query.source !== undefined ? '+item_index.category = ?' : 'item_index.category = ?';
  if (query.category !== undefined) add(part, category, query.category);
  if (query.source !== undefined) add(part, OF_SOURCE, sourceKey(query.source));
  if (query.state === 'unread') add(part, 'item_index.unread = 1');
  if (query.state === 'starred') add(part, 'item_index.starred = 1');
  // A row that stands for an item need not be in a preview.
  if (foldsStories(query) && !isPreview) {
    // A look-up for each row, so that a list of 100,000 keys is still read from an index alone.
    const isFolded = `SELECT 1 FROM fold WHERE fold.key = item_index.key AND fold.bits & ${String(foldBit(query))}`;
    add(part, `NOT EXISTS (${isFolded})`);
  }
  if (query.window !== 'any') fromKey({ parts: [part] }, '>=', keyAt(windowStart(query, now)));
  return part;
}

/** Chooses the table that is read first, which decides the cost and not the result. */
function addSearched(part: Part, list: ListOf, searched: Searched): void {
  const { match, excluded, conditions } = searched;
  const { sources = () => [], hasScores = false } = list.sources;
  let score = scoreLookedUp(hasScores);
  if (match !== null) addMatch(part, list, match, searched);
  else {
    const has = (of: Condition['kind']): boolean => conditions.some(({ kind, negated }) => kind === of && !negated);
    if (hasScores && has('score') && !has('source') && list.query.source === undefined) {
      part.from = 'item AS scored CROSS JOIN item_index ON item_index.key = scored.key';
      part.key = 'scored.key';
      score = SCORE_READ;
    }
    if (excluded.length > 0) {
      const found = `SELECT rowid FROM ${SEARCH_SCHEMA}.item_text WHERE item_text MATCH ?`;
      add(part, `item_index.key NOT IN (${found})`, anyOf(excluded));
    }
  }
  for (const condition of conditions) {
    const { kind, negated } = condition;
    if (!negated && kind === 'before') fromKey({ parts: [part] }, '<', condition.key);
    else if (!negated && kind === 'after') fromKey({ parts: [part] }, '>=', condition.key);
    else {
      const { sql, bound } = conditionSql(condition, score, sources);
      add(part, sql, ...bound);
    }
  }
}

function addMatch(part: Part, { query, isPreview, sources }: ListOf, match: string, searched: Searched): void {
  const list = narrowBy(isPreview ? { ...query, scope: 'all' } : query, searched.conditions, !isPreview);
  const size = sources.sizeOf?.(list) ?? Infinity;
  if (size <= MAX_LOOKED_UP && !hasPrefix(searched)) {
    part.from = `item_index CROSS JOIN ${SEARCH_SCHEMA}.item_text ON item_text.rowid = item_index.key`;
    add(part, 'item_text MATCH ?', match);
    return;
  }
  part.from = `${SEARCH_SCHEMA}.item_text CROSS JOIN item_index ON item_index.key = item_text.rowid`;
  part.key = 'item_text.rowid';
  add(part, 'item_text MATCH ?', restrictTo(match, list));
}

function narrowBy(query: ItemsQuery, conditions: readonly Condition[], isComplete: boolean): ItemsQuery {
  let list = query;
  for (const condition of conditions) {
    if (condition.negated) continue;
    if (condition.kind === 'category') list = { ...list, category: list.category ?? condition.category };
    if (condition.kind !== 'is') continue;
    const { state } = condition;
    if (state === 'selected' && isComplete) list = { ...list, scope: 'selected' };
    if ((state === 'unread' || state === 'starred') && list.state === 'any') list = { ...list, state };
  }
  return list;
}

interface SavedList {
  slot: number;
  query: RuleQuery;
}

function hidesMuted({ state, saved, muted }: ItemsQuery): boolean {
  return !muted && (state !== 'starred' || saved !== undefined);
}

function includesMuted(searched: Searched | null): boolean {
  return searched?.conditions.some((condition) => condition.kind === 'is' && condition.state === 'muted') ?? false;
}

function addSavedSearch(part: Part, { slot, query }: SavedList, now: number, isSearched: boolean): void {
  const { sql, bound } = holdsSql(query, now);
  const matches = `rule_match.slot = ${String(slot)} AND ${sql}`;
  if (isSearched) {
    add(part, `EXISTS (SELECT 1 FROM rule_match WHERE rule_match.key = item_index.key AND ${matches})`, ...bound);
    return;
  }
  part.from = 'rule_match CROSS JOIN item_index ON item_index.key = rule_match.key';
  part.key = 'rule_match.key';
  add(part, matches, ...bound);
}

/** Restricts an incomplete set to recent items flagged as selected: readable at once (docs/decisions/046). */
function addPreview(part: Part, now: number): void {
  fromKey({ parts: [part] }, '>=', keyAt(now - PREVIEWED_MS));
  add(part, 'item_index.listed = 1');
  add(part, 'EXISTS (SELECT 1 FROM item AS shown WHERE shown.arrival = item_index.arrival AND shown.selected = 1)');
}

/** Limits by key on the table that is read first, which makes paging cheap. */
export function fromKey({ parts }: Pick<Filter, 'parts'>, operator: '>=' | '<', key: number): void {
  // Numbers are bound as REAL, but FTS5 seeks only to an INTEGER.
  for (const part of parts) add(part, `${part.key} ${operator} CAST(? AS INTEGER)`, key);
}

export function restrict({ parts }: Filter, condition: string, ...bound: (string | number)[]): void {
  for (const part of parts) add(part, condition, ...bound);
}

function add(part: Part, condition: string, ...bound: (string | number)[]): void {
  part.where.push(condition);
  part.bound.push(...bound);
}

function whereClause({ where }: Part): string {
  return where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
}

/** Returns the newest first. The join order is the reading order. */
export function keysOf({ parts }: Filter, limit: number): BoundSql {
  const sqlOf = (part: Part): string =>
    `SELECT ${part.key} AS key FROM ${part.from} ${whereClause(part)} ORDER BY ${part.key} DESC LIMIT ?`;
  const [first, ...others] = parts;
  if (first && others.length === 0) return { sql: sqlOf(first), bound: [...first.bound, limit] };
  // Each part reads as far as it has to by itself: together they have at least the newest.
  const all = parts.map((part) => `SELECT * FROM (${sqlOf(part)})`).join(' UNION ');
  const bound = [...parts.flatMap((part) => [...part.bound, limit]), limit];
  return { sql: `SELECT key FROM (${all}) ORDER BY key DESC LIMIT ?`, bound };
}

export function sourceFacts(db: Db): SourceFacts {
  const scores = value<number>(db, "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = 'item_score'");
  return { sources: () => rows<KnownSource>(db, 'SELECT id, key FROM source'), hasScores: scores === 1 };
}

const SCORE_READ = 'scored.score';

function scoreLookedUp(hasIndex: boolean): string {
  const row = hasIndex ? 'scored.key = item_index.key' : 'scored.arrival = item_index.arrival';
  return `(SELECT scored.score FROM item AS scored WHERE ${row})`;
}

/** As `holds` in search/search-query.ts. No saved item is withdrawn. */
const STATES: Readonly<Record<QueryState, string>> = {
  unread: 'item_index.unread = 1',
  read: 'item_index.unread = 0',
  starred: 'item_index.starred = 1',
  selected: 'item_index.generation > 0',
  withdrawn: '0',
  muted: 'item_index.muted = 1',
};

/** Finds these first: few items have a story or a note. */
const PARTS: Readonly<Record<QueryPart, string>> = {
  story: 'item_index.key IN (SELECT coverage.key FROM coverage WHERE coverage.key IS NOT NULL)',
  note: `item_index.key IN (SELECT noted.key FROM user.record AS note CROSS JOIN item AS noted ON noted.id = substr(note.id, 6)
    WHERE note.service = ${THIS_SERVICE} AND note.kind = 'note' AND note.id >= 'item/' AND note.id < 'item0'
      AND note.value IS NOT NULL)`,
};

/** With more sources, most of their items are not on the first page. */
const MAX_FEW_SOURCES = 8;

const SIGNS: Readonly<Record<Comparison, string>> = { '>': '>', '>=': '>=', '<': '<', '<=': '<=', '=': '=' };

function conditionSql(condition: Condition, score: string, sources: SourceFacts['sources']): BoundSql {
  const { sql, bound } = affirmativeSql(condition, score, sources);
  return { sql: condition.negated ? `NOT ifnull(${sql}, 0)` : sql, bound };
}

function affirmativeSql(condition: Condition, score: string, sources: SourceFacts['sources']): BoundSql {
  switch (condition.kind) {
    case 'source': {
      const ids = sources().flatMap(({ id, key }) => (isSource(condition.source, key) ? [id] : []));
      if (ids.length === 1) return { sql: 'item_index.source = ?', bound: ids };
      // The unary plus has rows of many sources read newest first, instead of sorted by time.
      const column = ids.length > MAX_FEW_SOURCES ? '+item_index.source' : 'item_index.source';
      return { sql: `${column} IN (SELECT value FROM json_each(?))`, bound: [JSON.stringify(ids)] };
    }
    case 'category':
      return { sql: 'item_index.category = ?', bound: [condition.category] };
    case 'is':
      return { sql: STATES[condition.state], bound: [] };
    case 'has':
      return { sql: PARTS[condition.part], bound: [] };
    case 'before':
      return { sql: 'item_index.key < CAST(? AS INTEGER)', bound: [condition.key] };
    case 'after':
      return { sql: 'item_index.key >= CAST(? AS INTEGER)', bound: [condition.key] };
    case 'score':
      return { sql: `${score} ${SIGNS[condition.comparison]} ?`, bound: [condition.score] };
  }
}
