import { oneLine } from '../../common/text.ts';
import { instant } from '../../common/time.ts';
import type { SearchGroup, SearchHit, SearchKind, SearchSnippet } from '../../contract/model/search.ts';
import { type Db, sql, value } from '../sql.ts';
import {
  anyOf,
  matchesAlternative,
  matchOf,
  meetsAll,
  phrasesOf,
  searchedFields,
  type Alternative,
  type ItemFacts,
  type ParsedSearch,
} from './search-query.ts';
import { indexText } from './search-text.ts';
import { snippetOf } from './snippets.ts';

export interface DocumentText {
  field: SearchSnippet['field'] | 'title';
  text: string | null;
}

export interface DocumentTexts {
  title: string;
  isTitleSearched?: false;
  texts: DocumentText[];
  names: string[];
  sources: readonly (string | null)[];
  sourceCount?: number | null;
}

export interface FoldedDocument {
  text: string;
  title: string;
  names: ReadonlySet<string>;
  sources: readonly string[];
}

export interface IndexedReport extends Pick<FoldedDocument, 'title' | 'names' | 'sources'> {
  row: number;
  version: string;
}

/** A document without its texts, which are read only when they have changed or are shown. */
export interface DocumentEntry {
  id: string;
  version: string;
  facts: Pick<ItemFacts, 'key' | 'endKey' | 'unread' | 'starred' | 'withdrawn' | 'hasNote'>;
  at: number;
  hit: Pick<SearchHit, 'at' | 'source' | 'unread' | 'starred' | 'report' | 'model'>;
}

export interface Documents {
  kind: SearchKind;
  entries(): DocumentEntry[];
  textsOf(id: string): DocumentTexts | null;
  /** May be behind. Without an index, all texts are scanned. */
  index?: {
    entries(): ReadonlyMap<string, IndexedReport>;
    rows(match: string): ReadonlySet<number>;
  };
  /** Changes with what is in no file. */
  version?(): string;
}

/** With `row`, the index is compared instead of the text. */
type Searched = FoldedDocument & { version: string; row?: number };

interface Cached {
  version: string;
  documents: { entry: DocumentEntry; searched: Searched }[];
}

/** Rows of the index: those with its words, or, if no word is wanted, those with an excluded one. */
interface IndexedAlternative extends Alternative {
  rows: ReadonlySet<number> | null;
  without: ReadonlySet<number> | null;
}

interface Ranked {
  entry: DocumentEntry;
  rank: number;
}

const NO_ITEM = { sourceName: null, category: null, score: null, selected: false, muted: false, hasStory: false };
const MAX_TITLE = 240;
const MAX_SNIPPET = 160;
const SUMMARIES: ReadonlySet<DocumentText['field']> = new Set(['digest', 'overview', 'description']);

const MAIN_VERSION = sql`PRAGMA main.data_version`;
const USER_VERSION = sql`PRAGMA user.data_version`;
const SEARCH_VERSION = sql`PRAGMA search.data_version`;

/** Searches the documents of one kind, at most ten thousand. Folded texts are kept in memory until something is written. */
export class DocumentSearch {
  readonly #db: Db;
  readonly #documents: Documents;
  #cache: Cached = { version: '', documents: [] };

  constructor(db: Db, documents: Documents) {
    this.#db = db;
    this.#documents = documents;
  }

  prepare(): void {
    this.#load();
  }

  /** Leaves out documents from before `since` (ms), and those without a time. */
  find(search: ParsedSearch, limit: number, since?: number): SearchGroup {
    const { kind } = this.#documents;
    const found = search.blank || search.alternatives.length === 0 ? [] : this.#findMatching(search, since);
    const best = found.sort(byRank).slice(0, limit);
    const hits = best.flatMap(({ entry }) => this.#makeHit(entry, search) ?? []);
    return { kind, count: found.length, atLeast: false, hits };
  }

  #findMatching({ alternatives }: ParsedSearch, since: number | undefined): Ranked[] {
    const documents = this.#load();
    const indexed = alternatives.map((alternative) => this.#lookUp(alternative));
    const found: Ranked[] = [];
    for (const { entry, searched } of documents) {
      if (since !== undefined && (instant(entry.hit.at) ?? -Infinity) < since) continue;
      const facts: ItemFacts = { ...NO_ITEM, ...entry.facts, text: searched.text, otherSources: searched.sources };
      const matching = indexed.filter((alternative) => isMatch(alternative, searched, facts));
      if (matching.length > 0) found.push({ entry, rank: rankOf(matching, searched, facts) });
    }
    return found;
  }

  #lookUp(alternative: Alternative): IndexedAlternative {
    const { index } = this.#documents;
    const match = matchOf(alternative);
    const { excluded } = alternative;
    return {
      ...alternative,
      rows: index && match !== null ? index.rows(match) : null,
      without: index && match === null && excluded.length > 0 ? index.rows(anyOf(excluded)) : null,
    };
  }

  #load(): Cached['documents'] {
    const version = `${versionOf(this.#db)} ${this.#documents.version?.() ?? ''}`;
    if (this.#cache.version === version) return this.#cache.documents;
    const known = new Map(this.#cache.documents.map(({ entry, searched }) => [entry.id, searched]));
    const indexed = this.#documents.index?.entries();
    const documents: Cached['documents'] = [];
    for (const entry of this.#documents.entries()) {
      const searched = this.#readSearched(entry, indexed?.get(entry.id), known.get(entry.id));
      if (searched) documents.push({ entry, searched });
    }
    this.#cache = { version, documents };
    return documents;
  }

  #readSearched({ id, version }: DocumentEntry, indexed?: IndexedReport, known?: Searched): Searched | null {
    if (indexed?.version === version) return { ...indexed, text: '' };
    // A known row may belong to an index that has changed since.
    if (known?.version === version && known.row === undefined) return known;
    const read = this.#documents.textsOf(id);
    return read && { ...foldDocument(read), version };
  }

  #makeHit({ id, hit }: DocumentEntry, search: ParsedSearch): SearchHit | null {
    const read = this.#documents.textsOf(id);
    if (!read) return null;
    const phrases = phrasesOf(search);
    // Some reports begin with their title.
    const texts = read.texts.filter(({ text }) => text?.trim() !== read.title.trim());
    const title = read.isTitleSearched === false ? null : snippetOf(read.title, phrases, MAX_TITLE);
    return {
      ...hit,
      kind: this.#documents.kind,
      id,
      sourceCount: read.sourceCount ?? null,
      category: null,
      title: title?.text ?? read.title,
      titleRanges: title?.ranges ?? [],
      snippet: this.#findSnippet(texts, phrases),
      summary: summaryOf(texts),
    };
  }

  #findSnippet(texts: readonly DocumentText[], phrases: Parameters<typeof snippetOf>[1]): SearchSnippet | null {
    for (const { field, text } of texts) {
      const found = text === null || field === 'title' ? null : snippetOf(text, phrases, MAX_SNIPPET);
      if (found && field !== 'title') return { field, ...found };
    }
    return null;
  }
}

function summaryOf(texts: readonly DocumentText[]): string | null {
  const found = texts.find(({ field, text }) => SUMMARIES.has(field) && text !== null);
  return found ? oneLine(found.text, MAX_SNIPPET) : null;
}

function isMatch(alternative: IndexedAlternative, { row }: Searched, facts: ItemFacts): boolean {
  if (row === undefined) return matchesAlternative(alternative, facts);
  const { rows, without, conditions } = alternative;
  return (rows?.has(row) ?? true) && !without?.has(row) && meetsAll(conditions, facts);
}

/** Returns 0 for exactly a name or id, 1 for words of the title, 2 for words of other texts. */
function rankOf(matching: readonly Alternative[], folded: FoldedDocument, facts: ItemFacts): number {
  const isNamed = matching.some(({ wanted }) => folded.names.has(wanted.flatMap(({ tokens }) => tokens).join(' ')));
  if (isNamed) return 0;
  const inTitle = matching.some((alternative) => matchesAlternative(alternative, { ...facts, text: folded.title }));
  return inTitle ? 1 : 2;
}

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || b.entry.at - a.entry.at || (a.entry.id < b.entry.id ? -1 : 1);
}

export function foldDocument({ title: shown, isTitleSearched, texts, names, sources }: DocumentTexts): FoldedDocument {
  const title = isTitleSearched === false ? null : shown;
  return {
    text: searchedFields([title, ...texts.map(({ text }) => text)]),
    title: searchedFields([title, ...names]),
    names: new Set(names.map(indexText)),
    sources: [...new Set(sources.filter((name) => name !== null))],
  };
}

/** Changes with every commit. Cheap enough for every keystroke. */
export function versionOf(db: Db): string {
  // data_version counts only commits of other connections.
  return [
    value<number>(db, MAIN_VERSION),
    value<number>(db, USER_VERSION),
    value<number>(db, SEARCH_VERSION),
    value<number>(db, 'SELECT total_changes()'),
  ].join(' ');
}
