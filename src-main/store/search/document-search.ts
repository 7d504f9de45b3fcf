import type { SearchGroup, SearchHit, SearchKind, SearchSnippet } from '../../contract/model/search.ts';
import { matchesAlternative, searchedFields, type ItemFacts } from './item-matcher.ts';
import { phrasesOf, type Alternative, type ParsedSearch } from './search-query.ts';
import { indexText } from './search-text.ts';
import { snippetOf } from './snippets.ts';

/** A story, report or model without its texts, which are read only when they have changed or are shown. */
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

/** `field` is that of a snippet; the title is none. */
export interface DocumentText {
  field: SearchSnippet['field'] | 'title';
  text: string | null;
}

export interface DocumentTexts {
  title: string;
  /** In the order in which a match is looked for to be shown. */
  texts: DocumentText[];
  /** Whole names that come first if exactly they were searched for. */
  names: string[];
  /** The sources of its reports. */
  sources: readonly (string | null)[];
}

/** The documents of one kind. */
export interface Documents {
  kind: SearchKind;
  entries(): DocumentEntry[];
  /** Null if it can't be read. */
  textsOf(id: string): DocumentTexts | null;
}

interface Folded {
  version: string;
  text: string;
  /** What ranks before a match in any other text. */
  title: string;
  names: ReadonlySet<string>;
  sources: readonly string[];
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
 * Searches the documents of one kind. There are hundreds of them, not a hundred thousand: their folded texts are kept in
 * memory and looked through, with the rules of the index of items.
 */
export class DocumentSearch {
  readonly #documents: Documents;
  #folded = new Map<string, Folded>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  find(search: ParsedSearch, limit: number): SearchGroup {
    const { kind } = this.#documents;
    const found = search.blank || search.alternatives.length === 0 ? [] : this.#matching(search);
    const best = found.sort(byRank).slice(0, limit);
    const hits = best.flatMap(({ entry }) => this.#hit(entry, search) ?? []);
    return { kind, count: found.length, atLeast: false, hits };
  }

  #matching({ alternatives }: ParsedSearch): Ranked[] {
    const kept = new Map<string, Folded>();
    const found: Ranked[] = [];
    for (const entry of this.#documents.entries()) {
      const folded = this.#foldedOf(entry);
      if (!folded) continue;
      kept.set(entry.id, folded);
      const facts: ItemFacts = { ...NO_ITEM, ...entry.facts, text: folded.text, otherSources: folded.sources };
      const matching = alternatives.filter((alternative) => matchesAlternative(alternative, facts));
      if (matching.length > 0) found.push({ entry, rank: rankOf(matching, folded, facts) });
    }
    this.#folded = kept;
    return found;
  }

  #foldedOf({ id, version }: DocumentEntry): Folded | null {
    const known = this.#folded.get(id);
    if (known?.version === version) return known;
    const read = this.#documents.textsOf(id);
    if (!read) return null;
    return {
      version,
      text: searchedFields([read.title, ...read.texts.map(({ text }) => text)]),
      title: searchedFields([read.title, ...read.names]),
      names: new Set(read.names.map(indexText)),
      sources: [...new Set(read.sources.filter((name) => name !== null))],
    };
  }

  #hit({ id, hit }: DocumentEntry, search: ParsedSearch): SearchHit | null {
    const read = this.#documents.textsOf(id);
    if (!read) return null;
    const phrases = phrasesOf(search);
    const title = snippetOf(read.title, phrases, LONGEST_TITLE);
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

/** 0: its name or id is just what was searched for; 1: both have the words; 2: they are in its other texts. */
function rankOf(matching: readonly Alternative[], folded: Folded, facts: ItemFacts): number {
  const isNamed = matching.some(({ wanted }) => folded.names.has(wanted.flatMap(({ tokens }) => tokens).join(' ')));
  if (isNamed) return 0;
  const inTitle = matching.some((alternative) => matchesAlternative(alternative, { ...facts, text: folded.title }));
  return inTitle ? 1 : 2;
}

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || b.entry.at - a.entry.at || (a.entry.id < b.entry.id ? -1 : 1);
}
