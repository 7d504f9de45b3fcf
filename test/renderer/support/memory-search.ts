import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import type { SearchResults, SearchSuggestion } from '../../../src-main/contract/model/search.ts';
import { answer, madeUpHit } from './made-up-hits.ts';

/** The answers of a search in memory. Tests put other ones in their place. */
export class MemorySearch {
  find: (text: string, limit: number) => SearchResults;
  suggest: (text: string, at: number) => SearchSuggestion[] = () => [];

  /** @param rows the saved items */
  constructor(rows: () => readonly ItemRow[]) {
    this.find = (text, limit) => {
      const hits = rows()
        .filter(({ title }) => text.trim() !== '' && title.includes(text.trim()))
        .map(({ id, title }) => madeUpHit({ id, title, titleRanges: [[title.indexOf(text.trim()), title.length]] }));
      return answer({ items: hits }, limit);
    };
  }
}
