import { parseQuery } from '../../common/query/parse-query.ts';
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
import type { Database } from 'better-sqlite3';
import { keyAt } from '../items/time-key.ts';
import { MAX_COUNTED, type ItemQueries } from '../items/item-queries.ts';
import { DocumentSearch } from './document-search.ts';
import { modelDocuments, noteDocuments, reportDocuments, storyDocuments } from './documents.ts';
import { compileQuery } from './search-query.ts';
import { Suggestions } from './suggestions.ts';

/** What to search: see the contract's `search.find`. `now` is ms since 1970. */
export interface Search {
  text: string;
  in?: readonly SearchKind[];
  limit: number;
  /** Only what has a time from then on, in ms since 1970. */
  since?: number;
  now: number;
  /** The name of the gateway whose models are searched. */
  owner: string;
}

/** One is found in most English items, one in most Chinese ones. */
const PREPARING = ['model', '模'] as const;

/** One search over everything that is saved. */
export class SearchQueries {
  readonly #items: Pick<ItemQueries, 'places' | 'rows' | 'counts'>;
  readonly #documents: Record<Exclude<SearchKind, 'items'>, DocumentSearch>;
  readonly #suggestions: Suggestions;
  readonly #reading: (work: () => SearchResults) => SearchResults;
  #owner = '';
  #isPrepared = false;

  constructor(database: Database, items: Pick<ItemQueries, 'places' | 'rows' | 'counts'>) {
    this.#items = items;
    this.#reading = database.transaction((work: () => SearchResults) => work());
    this.#suggestions = new Suggestions(database, () => items.counts());
    this.#documents = {
      stories: new DocumentSearch(storyDocuments(database)),
      reports: new DocumentSearch(reportDocuments(database)),
      models: new DocumentSearch(modelDocuments(database, () => this.#owner)),
      notes: new DocumentSearch(noteDocuments(database)),
    };
  }

  find({ text, in: kinds = SEARCH_KINDS, limit, since, now, owner }: Search): SearchResults {
    this.#owner = owner;
    const parsed = parseQuery(text);
    const { blank, problems } = parsed;
    const search = compileQuery(parsed);
    const wanted = SEARCH_KINDS.filter((kind) => kinds.includes(kind));
    if (blank) return { groups: wanted.map(emptyGroup), problems };
    // One state of all files: what is held of the index belongs to its rows.
    return this.#reading(() => ({
      groups: wanted.map((kind) =>
        kind === 'items' ? this.#findItems(text, limit, now, since) : this.#documents[kind].find(search, limit, since),
      ),
      problems,
    }));
  }

  /**
   * A search may follow: what its first key is compared with is read now. The first time, what no search has run before
   * runs, too. Answers as `find` does; `search` asks for nothing.
   */
  prepare(search: Search): SearchResults {
    for (const text of this.#isPrepared ? [] : PREPARING) {
      this.find({ ...search, text });
      this.suggest(text, text.length);
    }
    this.#isPrepared = true;
    for (const kind of search.in ?? SEARCH_KINDS) if (kind !== 'items') this.#documents[kind].prepare();
    return this.find(search);
  }

  suggest(text: string, at: number): SearchSuggestion[] {
    return this.#suggestions.at(text, at);
  }

  #findItems(text: string, limit: number, now: number, since: number | undefined): SearchGroup {
    const query: ItemsQuery = { scope: 'all', window: 'any', state: 'any', text };
    // Read once, to be counted and shown: the beginning of a frequent word takes ten milliseconds.
    const read = this.#items.places(query, undefined, MAX_COUNTED, now);
    // Newest first: if some of those that were read are older, so is all the rest.
    const places = since === undefined ? read.places : read.places.filter((place) => place >= keyAt(since));
    const atLeast = places.length === read.places.length && (read.more || places.length > MAX_COUNTED);
    const rows = this.#items.rows(query, places.slice(0, limit), now).filter((row) => row !== null);
    return { kind: 'items', count: atLeast ? MAX_COUNTED : places.length, atLeast, hits: rows.map(itemHit) };
  }
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
    at: row.effectiveAt,
    source: row.source.name,
    category: row.category,
    unread: row.state.readAt === null,
    starred: row.state.starredAt !== null,
    report: null,
    model: null,
  };
}
