/** Items shown under a newer report of their story (decision 072): of several stories, the one with the first id. */
import type { ItemsQuery } from '../../contract/model/item.ts';
import { rows, run, value, values, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';

/** The bits of lists in which a newer report of the same story stands for an item. */
const FOLDED_IN = { all: 1, selected: 2 } as const;
/** A list of a category folds only its own items. */
const IN_CATEGORY = 4;

export function foldBit({ scope, category }: Pick<ItemsQuery, 'scope' | 'category'>): number {
  return FOLDED_IN[scope] * (category === undefined ? 1 : IN_CATEGORY);
}

/** Filtered lists show every item, because a folded row would hide a match. */
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

/** Folds the stories of `tx.refold` again, at the end of the transaction that changed them. */
export function saveFolds({ db, refold }: Tx): void {
  if (refold.size === 0) return;
  const stories = new Set<string>();
  for (const key of refold) {
    const story = value<string>(db, 'SELECT story FROM fold WHERE key = ?', key);
    if (story !== undefined) stories.add(story);
    for (const one of values<string>(db, 'SELECT story FROM coverage WHERE key = ?', key)) stories.add(one);
  }
  refold.clear();
  const changed = [...stories].flatMap((story) => {
    const before = rows<Fold>(db, 'SELECT key, bits FROM fold WHERE story = ? ORDER BY key DESC', story);
    const wanted = foldsOf(membersOf(db, story));
    return JSON.stringify(before) === JSON.stringify(wanted) ? [] : [{ story, before, wanted }];
  });
  // An item may go from one story to another: all leave before any enters.
  for (const { before } of changed) for (const { key } of before) run(db, 'DELETE FROM fold WHERE key = ?', key);
  for (const { story, wanted } of changed)
    for (const { key, bits } of wanted)
      run(db, 'INSERT INTO fold (key, story, bits) VALUES (?, ?, ?)', key, story, bits);
}

function membersOf(db: Db, story: string): Member[] {
  return rows<Member>(
    db,
    `SELECT DISTINCT key, category, generation > 0 AS selected FROM coverage CROSS JOIN item_index USING (key)
     WHERE story = ? AND muted = 0 AND NOT EXISTS (SELECT 1 FROM coverage AS other WHERE other.key = coverage.key AND other.story < ?)
     ORDER BY key DESC`,
    story,
    story,
  );
}

function foldsOf(newestFirst: readonly Member[]): Fold[] {
  if (newestFirst.length < 2) return [];
  const seen = new Set<string>();
  const isLater = (list: string): boolean => seen.has(list) || !seen.add(list);
  return newestFirst.map(({ key, category, selected }) => {
    let bits = 0;
    for (const scope of selected ? (['all', 'selected'] as const) : (['all'] as const)) {
      if (isLater(scope)) bits |= foldBit({ scope });
      if (category !== null && isLater(`${scope} ${category}`)) bits |= foldBit({ scope, category });
    }
    return { key, bits };
  });
}
