import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { ReportKind } from '../../../src-main/contract/model/report.ts';

export type ReadPlace =
  /** With the list that it was opened from. */
  | { view: 'feed'; id: string; query: ItemsQuery }
  | { view: 'hotTopics'; id: string }
  | { view: 'stories'; id: string }
  | { view: 'archive'; id: string; kind: ReportKind };

const MOST = 200;

/** The history of what was read. Opening something after going back replaces what followed. */
export class ReadHistory {
  #places: ReadPlace[] = [];
  #at = -1;

  visit(place: ReadPlace): void {
    if (isSame(this.#places[this.#at], place)) return;
    this.#places = [...this.#places.slice(0, this.#at + 1), place].slice(-MOST);
    this.#at = this.#places.length - 1;
  }

  /** Returns the entry before; null at the first. */
  back(): ReadPlace | null {
    const place = this.#places[this.#at - 1];
    if (!place) return null;
    this.#at -= 1;
    return place;
  }
}

function isSame(a: ReadPlace | undefined, b: ReadPlace): boolean {
  return a?.view === b.view && a.id === b.id && (a.view !== 'archive' || b.view !== 'archive' || a.kind === b.kind);
}
