import type { Database } from 'better-sqlite3';
import { begunAt, fixedSuggestions, operatorText, type Begun } from '../../common/query/suggest.ts';
import { CATEGORY_NAMES } from '../../common/query/values.ts';
import { searchKey } from '../../common/text.ts';
import type { Counts } from '../../contract/model/counts.ts';
import type { SearchSuggestion } from '../../contract/model/search.ts';
import { changeMark } from './change-mark.ts';

interface SourceRow {
  name: string;
  count: number;
}

/** The sources with the most items first, as of a state of the mirror. */
interface HeldSources {
  mark: string;
  sources: (SourceRow & { folded: string })[];
}

const MOST_SUGGESTED = 12;

/** What could be typed next in a query, with the number of saved items that it finds. */
export class Suggestions {
  readonly #counts: () => Counts;
  readonly #sources;
  readonly #mark: () => string;
  #held: HeldSources = { mark: '', sources: [] };

  constructor(database: Database, counts: () => Counts) {
    this.#counts = counts;
    this.#sources = database.prepare<[], SourceRow>(
      // Each part reads an index alone: those of a source, and the few that are hidden.
      `SELECT name, found.count - coalesce(hidden.count, 0) AS count
       FROM (SELECT source, count(*) AS count FROM item_index GROUP BY source) AS found
       CROSS JOIN source ON source.id = found.source
       LEFT JOIN (SELECT source, count(*) AS count FROM item_index WHERE muted = 1 GROUP BY source) AS hidden
         ON hidden.source = found.source
       WHERE found.count > coalesce(hidden.count, 0) ORDER BY 2 DESC, name`,
    );
    this.#mark = changeMark(database, ['main']);
  }

  at(text: string, at: number): SearchSuggestion[] {
    const begun = begunAt(text, at);
    if (!begun) return [];
    if (begun.operator === 'source') return this.#ofSources(begun);
    if (begun.operator === 'category') return this.#ofCategories(begun);
    return fixedSuggestions(begun).map((one) => this.#counted(one));
  }

  #ofSources({ from, to, value }: Begun): SearchSuggestion[] {
    const wanted = searchKey(value);
    return this.#allSources()
      .filter(({ folded }) => folded.includes(wanted))
      .slice(0, MOST_SUGGESTED)
      .map(({ name, count }) => ({ insert: operatorText('source', name, true), from, to, label: name, count }));
  }

  /** Read once, until something is written: they are asked for with each key of a name. */
  #allSources(): HeldSources['sources'] {
    const mark = this.#mark();
    if (this.#held.mark !== mark) {
      const sources = this.#sources.all().map((source) => ({ ...source, folded: searchKey(source.name) }));
      this.#held = { mark, sources };
    }
    return this.#held.sources;
  }

  #ofCategories({ from, to, value }: Begun): SearchSuggestion[] {
    const wanted = searchKey(value);
    return this.#counts()
      .categories.flatMap(({ category, all }) => (category === null ? [] : [{ category, count: all.total }]))
      .filter(({ category }) => namesOf(category).some((name) => searchKey(name).startsWith(wanted)))
      .slice(0, MOST_SUGGESTED)
      .map(({ category, count }) => ({ insert: operatorText('category', category), from, to, label: category, count }));
  }

  #counted(suggestion: SearchSuggestion): SearchSuggestion {
    const { all, starred, selected } = this.#counts();
    const counts: Readonly<Record<string, number>> = {
      unread: all.unread,
      read: all.total - all.unread,
      starred: starred.total,
      selected: selected.total,
    };
    const count = counts[suggestion.label];
    return count === undefined ? suggestion : { ...suggestion, count };
  }
}

function namesOf(category: string): readonly string[] {
  const shown: Readonly<Record<string, readonly string[]>> = CATEGORY_NAMES;
  return [category, ...(Object.hasOwn(shown, category) ? (shown[category] ?? []) : [])];
}
