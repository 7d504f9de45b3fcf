import type { Database } from 'better-sqlite3';
import type { ItemsQuery } from '../../contract/model/item.ts';

/** In which lists a newer report of the same story stands for an item. A list of a category folds only its own items. */
const FOLDED_IN = { all: 1, selected: 2 } as const;
const IN_CATEGORY = 4;

/** The bit of a list. */
export function foldBit({ scope, category }: Pick<ItemsQuery, 'scope' | 'category'>): number {
  return FOLDED_IN[scope] * (category === undefined ? 1 : IN_CATEGORY);
}

/**
 * Whether a list folds stories, if it is asked to: unread, starred and hidden items, those of a source and the results of a
 * search, saved or not, are always shown one by one, because a folded row would hide a match.
 */
export function foldsStories({ foldStories, state, source, text, saved, muted }: ItemsQuery): boolean {
  if (state !== 'any' || source !== undefined || saved !== undefined || muted) return false;
  return foldStories === true && !text?.trim();
}

interface Member {
  key: number;
  category: string | null;
  selected: number;
}

interface Fold {
  key: number;
  bits: number;
}

/**
 * The table `fold`: which items are shown under a newer report of their story (decision 072). An item of several stories
 * belongs to the one with the first id. Changes of a transaction are noted, and written at its end.
 */
export class FoldsTable {
  readonly #storiesOf;
  readonly #storyOf;
  readonly #members;
  readonly #folds;
  readonly #remove;
  readonly #put;
  /** Items whose story or list may have changed. */
  readonly #touched = new Set<number>();

  constructor(database: Database) {
    this.#storiesOf = database.prepare<[number], string>('SELECT story FROM coverage WHERE key = ?').pluck();
    this.#storyOf = database.prepare<[number], string>('SELECT story FROM fold WHERE key = ?').pluck();
    this.#members = database.prepare<[string, string], Member>(
      `SELECT DISTINCT key, category, generation > 0 AS selected FROM coverage CROSS JOIN item_index USING (key)
       WHERE story = ? AND muted = 0 AND NOT EXISTS (SELECT 1 FROM coverage AS other WHERE other.key = coverage.key AND other.story < ?)
       ORDER BY key DESC`,
    );
    this.#folds = database.prepare<[string], Fold>('SELECT key, bits FROM fold WHERE story = ? ORDER BY key DESC');
    this.#remove = database.prepare<[number]>('DELETE FROM fold WHERE key = ?');
    this.#put = database.prepare<[number, string, number]>('INSERT INTO fold (key, story, bits) VALUES (?, ?, ?)');
  }

  /** The story, the category or the lists of an item may have changed. */
  touch(key: number): void {
    this.#touched.add(key);
  }

  /** Within the transaction that made the changes, at its end. */
  flush(): void {
    if (this.#touched.size === 0) return;
    const stories = new Set<string>();
    for (const key of this.#touched) {
      const story = this.#storyOf.get(key);
      if (story !== undefined) stories.add(story);
      for (const one of this.#storiesOf.all(key)) stories.add(one);
    }
    this.#touched.clear();
    const changed = [...stories].flatMap((story) => {
      const before = this.#folds.all(story);
      const wanted = foldsOf(this.#members.all(story, story));
      return JSON.stringify(before) === JSON.stringify(wanted) ? [] : [{ story, before, wanted }];
    });
    // An item may go from one story to another: all leave before any enters.
    for (const { before } of changed) for (const { key } of before) this.#remove.run(key);
    for (const { story, wanted } of changed) for (const { key, bits } of wanted) this.#put.run(key, story, bits);
  }

  /** Discards what was noted, after a rollback. */
  drop(): void {
    this.#touched.clear();
  }
}

/** @param members newest first */
function foldsOf(members: readonly Member[]): Fold[] {
  if (members.length < 2) return [];
  const seen = new Set<string>();
  const isLater = (list: string): boolean => seen.has(list) || !seen.add(list);
  return members.map(({ key, category, selected }) => {
    let bits = 0;
    for (const scope of selected ? (['all', 'selected'] as const) : (['all'] as const)) {
      if (isLater(scope)) bits |= foldBit({ scope });
      if (category !== null && isLater(`${scope} ${category}`)) bits |= foldBit({ scope, category });
    }
    return { key, bits };
  });
}
