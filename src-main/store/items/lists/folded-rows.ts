import type { Database } from 'better-sqlite3';
import type { FoldedReports, ItemsQuery } from '../../../contract/model/item.ts';
import { foldBit, foldsStories } from '../../stories/folds-table.ts';
import { windowStart } from './list-filter.ts';
import type { SelectedSet } from '../selected-set.ts';
import { keyAt } from '../time-key.ts';

interface FoldRow {
  key: number;
  story: string;
  title: string;
}

interface MemberRow {
  key: number;
  category: string | null;
  generation: number;
  unread: number;
}

/** Reads what is folded into the rows of a list. */
export class FoldedRows {
  readonly #selectedSet: SelectedSet;
  readonly #folds;
  readonly #members;
  readonly #counts;

  constructor(database: Database, selectedSet: SelectedSet) {
    this.#selectedSet = selectedSet;
    this.#folds = database.prepare<[string], FoldRow>(
      `SELECT fold.key, fold.story, story.title FROM json_each(?) AS wanted CROSS JOIN fold ON fold.key = wanted.value
       CROSS JOIN story ON story.public_id = fold.story`,
    );
    this.#members = database.prepare<[string, number], MemberRow>(
      `SELECT key, category, generation, unread FROM fold CROSS JOIN item_index USING (key)
       WHERE fold.story = ? AND fold.key >= ? ORDER BY fold.key DESC`,
    );
    this.#counts = {
      any: database.prepare<[number, number], number>('SELECT count(*) FROM fold WHERE bits & ? AND key >= ?').pluck(),
      category: database
        .prepare<[number, number, string], number>(
          `SELECT count(*) FROM fold CROSS JOIN item_index USING (key) WHERE bits & ? AND fold.key >= ? AND category = ?`,
        )
        .pluck(),
    };
  }

  /** What each of these rows stands for beside itself, by key. */
  of(keys: readonly number[], query: ItemsQuery, now: number): Map<number, FoldedReports> {
    const found = new Map<number, FoldedReports>();
    if (!this.#isFolding(query) || keys.length === 0) return found;
    for (const { key, story, title } of this.#folds.all(JSON.stringify(keys))) {
      const others = this.#in(story, query, now).filter((member) => member.key < key);
      const unread = others.filter((member) => member.unread === 1).length;
      if (others.length > 0) found.set(key, { story, title, count: others.length, unread });
    }
    return found;
  }

  /** The keys of the items for which a row stands, newest first. */
  keysUnder(key: number, query: ItemsQuery, now: number): number[] {
    const [fold] = this.#folds.all(JSON.stringify([key]));
    return fold ? this.#in(fold.story, query, now).map((member) => member.key) : [];
  }

  /** The number of items that a list folds into others. */
  count(query: ItemsQuery, now: number): number {
    if (!this.#isFolding(query)) return 0;
    const bound = [foldBit(query), startOf(query, now)] as const;
    const count =
      query.category === undefined
        ? this.#counts.any.get(...bound)
        : this.#counts.category.get(...bound, query.category);
    return count ?? 0;
  }

  /** Nothing is folded in what Selected shows before its first snapshot is complete. */
  #isFolding(query: ItemsQuery): boolean {
    return foldsStories(query) && (query.scope === 'all' || this.#selectedSet.complete);
  }

  #in(story: string, query: ItemsQuery, now: number): MemberRow[] {
    return this.#members
      .all(story, startOf(query, now))
      .filter(({ generation }) => query.scope === 'all' || generation > 0)
      .filter(({ category }) => query.category === undefined || category === query.category);
  }
}

function startOf(query: ItemsQuery, now: number): number {
  return query.window === 'any' ? 0 : keyAt(windowStart(query, now));
}
