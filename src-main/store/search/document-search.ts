import { instant } from '../../common/time.ts';
import type { SearchGroup, SearchHit, SearchKind, SearchSnippet } from '../../contract/model/search.ts';
import { foldDocument, type DocumentText, type DocumentTexts, type FoldedDocument } from './document-texts.ts';
import { matchesAlternative, meetsAll, type ItemFacts } from './item-matcher.ts';
import type { IndexedReport } from './report-index.ts';
import { anyOf, matchOf, phrasesOf, type Alternative, type ParsedSearch } from './search-query.ts';
import { snippetOf } from './snippets.ts';

/** A story, report, model or note without its texts, which are read only when they have changed or are shown. */
export interface DocumentEntry {
  id: string;
  /** Another value means that the texts may differ. */
  version: string;
  facts: Pick<ItemFacts, 'key' | 'endKey' | 'unread' | 'starred' | 'withdrawn' | 'hasNote'>;
  /** By which the newest come first, in ms since 1970. */
  at: number;
  /** Its own fields of a hit. */
  hit: Pick<SearchHit, 'at' | 'source' | 'unread' | 'starred' | 'report' | 'model'>;
}

/** The documents of one kind. */
export interface Documents {
  kind: SearchKind;
  entries(): DocumentEntry[];
  /** Null if it can't be read. */
  textsOf(id: string): DocumentTexts | null;
  /** An index of their texts, which may be behind; without one, they are looked through. */
  index?: {
    entries(): ReadonlyMap<string, IndexedReport>;
    rows(match: string): ReadonlySet<number>;
  };
  /** Changes whenever the entries may. */
  version(): string;
}

/** A document with what its texts are compared with: its folded texts, or its row in the index. */
type Searched = FoldedDocument & { version: string; row?: number };

interface Cached {
  version: string;
  documents: { entry: DocumentEntry; searched: Searched }[];
}

/** An alternative of a query, and the rows of the index that have its words; null for those without words. */
interface Asked extends Alternative {
  rows: ReadonlySet<number> | null;
  /** Only for those without words: the rows with a word that is excluded. */
  without: ReadonlySet<number> | null;
}

interface Ranked {
  entry: DocumentEntry;
  rank: number;
}

/** The properties that only items have. */
const NO_ITEM = { sourceName: null, category: null, score: null, selected: false, muted: false, hasStory: false };
const LONGEST_TITLE = 240;
const LONGEST_SNIPPET = 160;

/**
 * Searches the documents of one kind. There are a thousand of them, of notes at most ten thousand: what is compared is kept in
 * memory until something is written, and looked through with the rules of the index of items. Long texts have an index.
 */
export class DocumentSearch {
  readonly #documents: Documents;
  #cached: Cached = { version: '', documents: [] };

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Reads what is compared, so that the next search has it. */
  prepare(): void {
    this.#all();
  }

  /** `since` is in ms since 1970: what is older, or has no time, is left out. */
  find(search: ParsedSearch, limit: number, since?: number): SearchGroup {
    const { kind } = this.#documents;
    const found = search.blank || search.alternatives.length === 0 ? [] : this.#matching(search, since);
    const best = found.sort(byRank).slice(0, limit);
    const hits = best.flatMap(({ entry }) => this.#hit(entry, search) ?? []);
    return { kind, count: found.length, atLeast: false, hits };
  }

  #matching({ alternatives }: ParsedSearch, since: number | undefined): Ranked[] {
    const documents = this.#all();
    const asked = alternatives.map((alternative) => this.#asked(alternative));
    const found: Ranked[] = [];
    for (const { entry, searched } of documents) {
      if (since !== undefined && (instant(entry.hit.at) ?? -Infinity) < since) continue;
      const facts: ItemFacts = { ...NO_ITEM, ...entry.facts, text: searched.text, otherSources: searched.sources };
      const matching = asked.filter((alternative) => isMatch(alternative, searched, facts));
      if (matching.length > 0) found.push({ entry, rank: rankOf(matching, searched, facts) });
    }
    return found;
  }

  #asked(alternative: Alternative): Asked {
    const { index } = this.#documents;
    const match = matchOf(alternative);
    const { excluded } = alternative;
    return {
      ...alternative,
      rows: index && match !== null ? index.rows(match) : null,
      without: index && match === null && excluded.length > 0 ? index.rows(anyOf(excluded)) : null,
    };
  }

  #all(): Cached['documents'] {
    const version = this.#documents.version();
    if (this.#cached.version === version) return this.#cached.documents;
    const known = new Map(this.#cached.documents.map(({ entry, searched }) => [entry.id, searched]));
    const indexed = this.#documents.index?.entries();
    const documents: Cached['documents'] = [];
    for (const entry of this.#documents.entries()) {
      const searched = this.#searched(entry, indexed?.get(entry.id), known.get(entry.id));
      if (searched) documents.push({ entry, searched });
    }
    this.#cached = { version, documents };
    return documents;
  }

  #searched({ id, version }: DocumentEntry, indexed?: IndexedReport, known?: Searched): Searched | null {
    if (indexed?.version === version) return { ...indexed, text: '' };
    // The row of an index that has gone on.
    if (known?.version === version && known.row === undefined) return known;
    const read = this.#documents.textsOf(id);
    return read && { ...foldDocument(read), version };
  }

  #hit({ id, hit }: DocumentEntry, search: ParsedSearch): SearchHit | null {
    const read = this.#documents.textsOf(id);
    if (!read) return null;
    const phrases = phrasesOf(search);
    const title = read.isTitleSearched === false ? null : snippetOf(read.title, phrases, LONGEST_TITLE);
    return {
      ...hit,
      kind: this.#documents.kind,
      id,
      category: null,
      title: title?.text ?? read.title,
      titleRanges: title?.ranges ?? [],
      snippet: this.#snippet(read.texts, phrases),
    };
  }

  #snippet(texts: readonly DocumentText[], phrases: Parameters<typeof snippetOf>[1]): SearchSnippet | null {
    for (const { field, text } of texts) {
      const found = text === null || field === 'title' ? null : snippetOf(text, phrases, LONGEST_SNIPPET);
      if (found && field !== 'title') return { field, ...found };
    }
    return null;
  }
}

/** Only what is in the index has a row there. */
function isMatch(asked: Asked, { row }: Searched, facts: ItemFacts): boolean {
  if (row === undefined) return matchesAlternative(asked, facts);
  const { rows, without, conditions } = asked;
  return (rows?.has(row) ?? true) && !without?.has(row) && meetsAll(conditions, facts);
}

/** 0: its name or id is just what was searched for; 1: both have the words; 2: they are in its other texts. */
function rankOf(matching: readonly Alternative[], folded: FoldedDocument, facts: ItemFacts): number {
  const isNamed = matching.some(({ wanted }) => folded.names.has(wanted.flatMap(({ tokens }) => tokens).join(' ')));
  if (isNamed) return 0;
  const inTitle = matching.some((alternative) => matchesAlternative(alternative, { ...facts, text: folded.title }));
  return inTitle ? 1 : 2;
}

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || b.entry.at - a.entry.at || (a.entry.id < b.entry.id ? -1 : 1);
}
