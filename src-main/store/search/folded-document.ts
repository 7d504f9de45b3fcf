import type { SearchSnippet } from '../../contract/model/search.ts';
import { searchedFields } from './item-matcher.ts';
import { indexText } from './search-text.ts';

/** `field` is that of a snippet; the title is none. */
export interface DocumentText {
  field: SearchSnippet['field'] | 'title';
  text: string | null;
}

/** The texts of a story, report, model or note. */
export interface DocumentTexts {
  title: string;
  /** Left out if it is: whether words of the title are found, too. */
  isTitleSearched?: false;
  /** In the order in which a match is looked for to be shown. */
  texts: DocumentText[];
  /** Whole names that come first if exactly they were searched for. */
  names: string[];
  /** The sources of its reports. */
  sources: readonly (string | null)[];
}

/** The same in the form in which it is searched. */
export interface FoldedDocument {
  text: string;
  /** What ranks before a match in any other text. */
  title: string;
  names: ReadonlySet<string>;
  sources: readonly string[];
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
