import type { ItemsQuery } from '../../contract/model/item.ts';
import { sourceKey } from '../../common/source-label.ts';
import { foldBit, foldsStories } from '../stories/coverage.ts';
import { holdsSql, type RuleQuery } from '../rules/rule-query.ts';
import { keyAt } from '../items/time-key.ts';
import { restrictTo, SEARCH_SCHEMA, type SearchedList } from '../search/search-index.ts';
import {
  anyOf,
  hasPrefix,
  matchOf,
  parseSearch,
  phrasesOf,
  type Alternative,
  type Condition,
  type ParsedSearch,
} from '../search/search-query.ts';
import type { Comparison, QueryPart, QueryState } from '../../common/query.ts';
import { mirrorProperties } from '../database/properties.ts';
import { THIS_MIRROR } from '../database/this-mirror.ts';
import { isSource } from '../search/source-names.ts';
import { perConnection, rows, value, type Db } from '../sql.ts';

const WINDOW_MS = { '24h': 24 * 3_600_000, '7d': 7 * 24 * 3_600_000 };

/** The list covers seven days (document 1 section 4.1), by clocks that may differ. */
const PREVIEWED_MS = 8 * 24 * 3_600_000;

/** Returns the start of a list's window in ms since 1970; 0 for any time. */
export function windowStart({ window }: ItemsQuery, now: number): number {
  return window === 'any' ? 0 : now - WINDOW_MS[window];
}

/** SQL with the values to bind, in order. */
export interface BoundSql {
  sql: string;
  bound: (string | number)[];
}

/** A part of a statement, with its bound values in order. */
interface Part {
  /** The tables to read: `item_index`, joined to the search index for words, or to `item` for a source or a score. */
  from: string;
  where: string[];
  bound: (string | number)[];
  /** The column to order by: the key of the table that is read first. */
  key: 'item_text.rowid' | 'item_index.key' | 'scored.key' | 'rule_match.key';
}

/** The content of a list: what is in any of its parts. Each costs what its first rows cost. */
export interface Filter {
  parts: Part[];
  search: ParsedSearch | null;
}

/** Up to so many unread or starred items are looked up in the search index one by one, each in some 20 µs. */
const FEW = 300;

/** How many items there are, as far as the counters know: this decides how a search reads, not what it finds. */
export interface ListSizes {
  /** At most so many are in the list without the search and its time window. */
  list: number;
  /** The list without its state: of all items, those in its scope, those in its category, those in both. */
  all: number;
  inScope: number;
  inCategory: number;
  inBoth: number;
}

const OF_SOURCE = 'item_index.source = (SELECT id FROM source WHERE source.key = ?)';

const UNKNOWN: ListSizes = { list: Infinity, all: Infinity, inScope: 0, inCategory: 0, inBoth: 0 };

/**
 * With up to so many rows looked at for each row found, it is faster to look at the rows of all hits. For fewer, the
 * index itself finds those in the list; but it then reads the entries of the whole list, one after another.
 */
const MOST_LOOKED_AT = 16;

interface KnownSource {
  id: number;
  key: string;
}

interface SourceFacts {
  sources: () => readonly KnownSource[];
  /** True if the index `item_score` exists. */
  hasScores: boolean;
}

interface FilterSources extends Partial<SourceFacts> {
  /** How many items there are in a list and around it: a short one is read first. */
  sizes?: (query: ItemsQuery) => ListSizes;
  /** The saved search of the query; null if there is none. */
  saved?: SavedList | null;
}

/** Returns the content of a list as SQL over `item_index`; null if nothing can match: a search without a word. */
export function listFilter(
  query: ItemsQuery,
  now: number,
  selectedComplete: boolean,
  sources: FilterSources = {},
): Filter | null {
  if (query.saved !== undefined && !sources.saved) return null;
  const search = parseSearch(query.text ?? '');
  const list: ListOf = { query, now, isPreview: query.scope === 'selected' && !selectedComplete, sources };
  if (search.blank) return { parts: [partOf(list, null)], search: null };
  if (search.alternatives.length === 0) return null;
  // Words alone, of several alternatives: the index finds them all in one pass.
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
  if (list.sources.saved) ofSavedSearch(part, list.sources.saved, searched !== null);
  if (query.muted) add(part, 'item_index.muted = 1');
  else if (hidesMuted(query) && !asksForMuted(searched)) add(part, 'item_index.muted = 0');
  if (isPreview) preview(part, now);
  else if (query.scope === 'selected') add(part, 'item_index.generation > 0');
  // Starred items and those of a source are fewer than those of a category: the unary plus keeps SQLite from reading those.
  const category =
    query.state === 'starred' || query.source !== undefined ? '+item_index.category = ?' : 'item_index.category = ?';
  if (query.category !== undefined) add(part, category, query.category);
  if (query.source !== undefined) add(part, OF_SOURCE, sourceKey(query.source));
  if (query.state === 'unread') add(part, 'item_index.unread = 1');
  if (query.state === 'starred') add(part, 'item_index.starred = 1');
  // What stands for an item need not be in a preview.
  if (foldsStories(query) && !isPreview) {
    // A lookup for each row: a list of a hundred thousand keys is then still read from an index alone.
    const isFolded = `SELECT 1 FROM fold WHERE fold.key = item_index.key AND fold.bits & ${String(foldBit(query))}`;
    add(part, `NOT EXISTS (${isFolded})`);
  }
  if (query.window !== 'any') fromKey({ parts: [part] }, '>=', keyAt(windowStart(query, now)));
  return part;
}

/** Chooses the table that is read first, which decides what a search costs, not what it finds. */
function addSearched(part: Part, list: ListOf, searched: Searched): void {
  const { match, excluded, conditions } = searched;
  const { sources = () => [], hasScores = false } = list.sources;
  let score = scoreLookedUp(hasScores);
  if (match !== null) addMatch(part, list, match, searched);
  else {
    const asks = (of: Condition['kind']): boolean => conditions.some(({ kind, negated }) => kind === of && !negated);
    if (hasScores && asks('score') && !asks('source') && list.query.source === undefined) {
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
    // On the table that is read first, this is where reading begins or ends.
    if (!negated && kind === 'before') fromKey({ parts: [part] }, '<', condition.key);
    else if (!negated && kind === 'after') fromKey({ parts: [part] }, '>=', condition.key);
    else {
      const { sql, bound } = conditionSql(condition, score, sources);
      add(part, sql, ...bound);
    }
  }
}

function addMatch(part: Part, { query, isPreview, sources }: ListOf, match: string, searched: Searched): void {
  const list = narrowedBy(isPreview ? { ...query, scope: 'all' } : query, searched.conditions, !isPreview);
  const sizes = sources.sizes?.(list) ?? UNKNOWN;
  if (sizes.list <= FEW && !hasPrefix(searched)) {
    part.from = `item_index CROSS JOIN ${SEARCH_SCHEMA}.item_text ON item_text.rowid = item_index.key`;
    add(part, 'item_text MATCH ?', match);
    return;
  }
  part.from = `${SEARCH_SCHEMA}.item_text CROSS JOIN item_index ON item_index.key = item_text.rowid`;
  part.key = 'item_text.rowid';
  add(part, 'item_text MATCH ?', restrictTo(match, narrowed(list, sizes)));
}

/** Returns a list that has all items of a query with these conditions, to read less of the index. */
function narrowedBy(query: ItemsQuery, conditions: readonly Condition[], isComplete: boolean): ItemsQuery {
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

/** A saved search as it is applied to the mirror. */
interface SavedList {
  slot: number;
  query: RuleQuery;
}

/** The list of starred items has all of them: what somebody starred is never hidden there. */
function hidesMuted({ state, saved, muted }: ItemsQuery): boolean {
  return !muted && (state !== 'starred' || saved !== undefined);
}

/** A search that names muted items decides for itself. */
function asksForMuted(searched: Searched | null): boolean {
  return searched?.conditions.some((condition) => condition.kind === 'is' && condition.state === 'muted') ?? false;
}

/** Adds what matched when it was written, and fulfils the terms about marks now. */
function ofSavedSearch(part: Part, { slot, query }: SavedList, isSearched: boolean): void {
  const matches = `rule_match.slot = ${String(slot)} AND ${holdsSql(query)}`;
  if (isSearched) {
    add(part, `EXISTS (SELECT 1 FROM rule_match WHERE rule_match.key = item_index.key AND ${matches})`);
    return;
  }
  part.from = 'rule_match CROSS JOIN item_index ON item_index.key = rule_match.key';
  part.key = 'rule_match.key';
  add(part, matches);
}

/**
 * Restricts Selected, before its first snapshot is complete, to recent items that the list of all items has and that it
 * says are selected. Half a snapshot is no set, but these are readable at once (docs/decisions/077).
 */
function preview(part: Part, now: number): void {
  fromKey({ parts: [part] }, '>=', keyAt(now - PREVIEWED_MS));
  add(part, 'item_index.listed = 1');
  add(part, 'EXISTS (SELECT 1 FROM item AS shown WHERE shown.arrival = item_index.arrival AND shown.selected = 1)');
}

/** Returns the restrictions that the index applies itself: none for a large part of all items, else each that excludes most. */
function narrowed({ scope, category }: ItemsQuery, { all, inScope, inCategory, inBoth }: ListSizes): SearchedList {
  if (inBoth * MOST_LOOKED_AT >= all) return { selected: false };
  return {
    selected: scope === 'selected' && inScope * 2 < all,
    category: inCategory * 2 < all ? category : undefined,
  };
}

/** Limits a filter by key, on the table that is read first: this makes paging cheap. */
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

/** Returns SQL for the newest `limit` keys of a list, as `key`. */
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

/**
 * Returns SQL that reads columns of the newest `limit` rows of a list, from `item_index`, `item` and what `join` adds. The
 * join order fixes the reading order.
 */
export function rowsOf(filter: Filter, columns: string, join: string, limit: number): BoundSql {
  const [first, ...others] = filter.parts;
  if (first && others.length === 0) {
    const sql = `SELECT ${columns} FROM ${first.from} CROSS JOIN item ON item.arrival = item_index.arrival ${join}
      ${whereClause(first)} ORDER BY ${first.key} DESC LIMIT ?`;
    return { sql, bound: [...first.bound, limit] };
  }
  const keys = keysOf(filter, limit);
  const sql = `SELECT ${columns} FROM (${keys.sql}) AS hit CROSS JOIN item_index ON item_index.key = hit.key
    CROSS JOIN item ON item.arrival = item_index.arrival ${join} ORDER BY hit.key DESC`;
  return { sql, bound: keys.bound };
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
const SCORE_READ = 'scored.score';

/** Returns the score for a statement that reads other rows first: looked up for each, in the index `item_score` if that exists. */
function scoreLookedUp(hasIndex: boolean): string {
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
function conditionSql(condition: Condition, score: string, sources: SourceFacts['sources']): BoundSql {
  const { sql, bound } = positive(condition, score, sources);
  return { sql: condition.negated ? `NOT ifnull(${sql}, 0)` : sql, bound };
}

function positive(condition: Condition, score: string, sources: SourceFacts['sources']): BoundSql {
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
