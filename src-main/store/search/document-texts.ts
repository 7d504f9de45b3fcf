import type { SearchSnippet } from '../../contract/model/search.ts';
import { sql, value, type Db } from '../sql.ts';
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
  /** A match here ranks before one in any other text. */
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

const DATA_VERSIONS = {
  main: sql`PRAGMA main.data_version`,
  user: sql`PRAGMA user.data_version`,
  models: sql`PRAGMA models.data_version`,
  search: sql`PRAGMA search.data_version`,
};

/**
 * Returns a value that changes with every commit to these schemas, by whatever connection; cheap enough for each key that is
 * typed. It may change without one, too.
 */
export function versionOf(db: Db, schemas: readonly (keyof typeof DATA_VERSIONS)[]): string {
  // Commits of other connections, and rows that this one has written.
  const versions = schemas.map((schema) => value<number>(db, DATA_VERSIONS[schema]));
  return [...versions, value<number>(db, 'SELECT total_changes()')].join(' ');
}
