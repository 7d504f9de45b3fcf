import {
  operatorAt,
  CATEGORY_NAMES,
  fixedSuggestions,
  operatorText,
  parseQuery,
  type Begun,
} from '../../common/query.ts';
import { oneLine, searchKey } from '../../common/text.ts';
import type { ItemRow, ItemsQuery } from '../../contract/model/item.ts';
import {
  SEARCH_KINDS,
  type SearchGroup,
  type SearchHit,
  type SearchKind,
  type SearchResults,
  type SearchSnippet,
  type SearchSuggestion,
} from '../../contract/model/search.ts';
import { keyAt } from '../items/time-key.ts';
import { counts, MAX_COUNTED, places, rows as rowsAt } from '../lists/list-queries.ts';
import { perConnection, rows, transaction, type Db } from '../sql.ts';
import { DocumentSearch, versionOf } from './document-search.ts';
import { modelDocuments, noteDocuments, reportDocuments, storyDocuments } from './documents.ts';
import { compileQuery } from './search-query.ts';

/** Times are ms since 1970. */
export interface Search {
  text: string;
  in?: readonly SearchKind[];
  limit: number;
  since?: number;
  now: number;
  owner: string;
}

interface NamedSource {
  name: string;
  count: number;
  folded: string;
}

/** Frequent in English items, and in Chinese ones. */
const PREPARING = ['model', '模'] as const;
const MAX_SUGGESTED = 12;
const MAX_SUMMARY = 160;

interface State {
  owner: string;
  isPrepared: boolean;
  documents: Record<Exclude<SearchKind, 'items'>, DocumentSearch>;
  sources: { version: string; all: NamedSource[] };
}

const stateOf = perConnection((db): State => {
  const state: State = {
    owner: '',
    isPrepared: false,
    documents: {
      stories: new DocumentSearch(db, storyDocuments(db)),
      reports: new DocumentSearch(db, reportDocuments(db)),
      models: new DocumentSearch(
        db,
        modelDocuments(db, () => state.owner),
      ),
      notes: new DocumentSearch(db, noteDocuments(db)),
    },
    sources: { version: '', all: [] },
  };
  return state;
});

export function find(db: Db, { text, in: kinds = SEARCH_KINDS, limit, since, now, owner }: Search): SearchResults {
  const state = stateOf(db);
  state.owner = owner;
  const parsed = parseQuery(text);
  const { blank, problems } = parsed;
  const search = compileQuery(parsed, now);
  const wanted = SEARCH_KINDS.filter((kind) => kinds.includes(kind));
  if (blank) return { groups: wanted.map(emptyGroup), problems };
  // One snapshot of all files: cached rows of the index must fit it.
  return transaction(db, () => ({
    groups: wanted.map((kind) =>
      kind === 'items' ? findItems(db, text, limit, now, since) : state.documents[kind].find(search, limit, since),
    ),
    problems,
  }));
}

/** Fills caches and compiles statements for the first keystroke. */
export function prepare(db: Db, search: Search): SearchResults {
  const state = stateOf(db);
  for (const text of state.isPrepared ? [] : PREPARING) {
    find(db, { ...search, text });
    suggest(db, text, text.length);
  }
  state.isPrepared = true;
  for (const kind of search.in ?? SEARCH_KINDS) if (kind !== 'items') state.documents[kind].prepare();
  return find(db, search);
}

export function suggest(db: Db, text: string, at: number): SearchSuggestion[] {
  const begun = operatorAt(text, at);
  if (!begun) return [];
  if (begun.operator === 'source') return suggestSources(db, begun);
  if (begun.operator === 'category') return suggestCategories(db, begun);
  return fixedSuggestions(begun).map((one) => withCount(db, one));
}

function findItems(db: Db, text: string, limit: number, now: number, since: number | undefined): SearchGroup {
  const query: ItemsQuery = { scope: 'all', window: 'any', state: 'any', text };
  // Read once for count and rows: the beginning of a frequent word takes ten milliseconds.
  const read = places(db, query, undefined, MAX_COUNTED, now);
  // Newest first: if some of these are older, so is all the rest.
  const keys = since === undefined ? read.places : read.places.filter((key) => key >= keyAt(since));
  const atLeast = keys.length === read.places.length && (read.more || keys.length > MAX_COUNTED);
  const found = rowsAt(db, query, keys.slice(0, limit), now).filter((row) => row !== null);
  return { kind: 'items', count: atLeast ? MAX_COUNTED : keys.length, atLeast, hits: found.map(itemHit) };
}

function emptyGroup(kind: SearchKind): SearchGroup {
  return { kind, count: 0, atLeast: false, hits: [] };
}

function itemHit(row: ItemRow): SearchHit {
  const title = row.snippets.find(({ field }) => field === 'title');
  const other = row.snippets.find(({ field }) => field !== 'title');
  return {
    kind: 'items',
    id: row.id,
    title: title?.text ?? row.title,
    titleRanges: title?.ranges ?? [],
    snippet: other ? (other as SearchSnippet) : null,
    summary: oneLine(row.summary, MAX_SUMMARY) || null,
    at: row.effectiveAt,
    source: row.source.name,
    sourceCount: null,
    category: row.category,
    unread: row.state.readAt === null,
    starred: row.state.starredAt !== null,
    report: null,
    model: null,
  };
}

function suggestSources(db: Db, { from, to, value }: Begun): SearchSuggestion[] {
  const wanted = searchKey(value);
  return namedSources(db)
    .filter(({ folded }) => folded.includes(wanted))
    .slice(0, MAX_SUGGESTED)
    .map(({ name, count }) => ({ insert: operatorText('source', name, true), from, to, label: name, count }));
}

function namedSources(db: Db): NamedSource[] {
  const cache = stateOf(db).sources;
  const version = versionOf(db);
  if (cache.version === version) return cache.all;
  const named = rows<Pick<NamedSource, 'name' | 'count'>>(
    db,
    // Each part reads an index alone: those of a source, and the few that are hidden.
    `SELECT name, found.count - coalesce(hidden.count, 0) AS count
     FROM (SELECT source, count(*) AS count FROM item_index GROUP BY source) AS found
     CROSS JOIN source ON source.id = found.source
     LEFT JOIN (SELECT source, count(*) AS count FROM item_index WHERE muted = 1 GROUP BY source) AS hidden
       ON hidden.source = found.source
     WHERE found.count > coalesce(hidden.count, 0) ORDER BY 2 DESC, name`,
  );
  cache.all = named.map((source) => ({ ...source, folded: searchKey(source.name) }));
  cache.version = version;
  return cache.all;
}

function suggestCategories(db: Db, { from, to, value }: Begun): SearchSuggestion[] {
  const wanted = searchKey(value);
  return counts(db)
    .categories.flatMap(({ category, all }) => (category === null ? [] : [{ category, count: all.total }]))
    .filter(({ category }) => namesOf(category).some((name) => searchKey(name).startsWith(wanted)))
    .slice(0, MAX_SUGGESTED)
    .map(({ category, count }) => ({ insert: operatorText('category', category), from, to, label: category, count }));
}

function withCount(db: Db, suggestion: SearchSuggestion): SearchSuggestion {
  const { all, starred, selected } = counts(db);
  const known: Readonly<Record<string, number>> = {
    unread: all.unread,
    read: all.total - all.unread,
    starred: starred.total,
    selected: selected.total,
  };
  const count = known[suggestion.label];
  return count === undefined ? suggestion : { ...suggestion, count };
}

function namesOf(category: string): readonly string[] {
  const shown: Readonly<Record<string, readonly string[]>> = CATEGORY_NAMES;
  return [category, ...(Object.hasOwn(shown, category) ? (shown[category] ?? []) : [])];
}
