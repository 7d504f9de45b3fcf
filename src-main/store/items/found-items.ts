import type { Database } from 'better-sqlite3';
import type { Item } from '../../contract/model/item.ts';
import type { OnlineResult } from '../../contract/model/visit.ts';
import { asTime } from './item-rows.ts';

interface Known {
  generation: number;
  revised_at: number | null;
}

/** What is stored of items that the service tells of: the reader's marks, which an item need not be stored for, and its place. */
export class FoundItems {
  readonly #known;
  readonly #mark;

  constructor(database: Database) {
    this.#known = database.prepare<[string], Known>(
      'SELECT generation, revised_at FROM item JOIN item_index USING (key) WHERE id = ?',
    );
    this.#mark = database.prepare<[string], { read_at: number | null; starred_at: number | null }>(
      'SELECT read_at, starred_at FROM user.item_status WHERE item_id = ?',
    );
  }

  /** The texts stay the service's: they are what it found. */
  of(item: Item): OnlineResult {
    const known = this.#known.get(item.id);
    const mark = this.#mark.get(item.id);
    return {
      ...item,
      stored: known !== undefined,
      inSelectedSet: known !== undefined && known.generation > 0,
      revisedAt: asTime(known?.revised_at ?? null),
      state: { readAt: asTime(mark?.read_at ?? null), starredAt: asTime(mark?.starred_at ?? null) },
      // Found when items are written, and these are not.
      models: [],
    };
  }
}
