import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import type { Rows } from '../../api/pages.ts';

export type RemovalReason = 'withdrawn' | 'leftSelection';

/** A list of items: the feed's own, or one over it. */
export interface ListedItems extends Rows<ItemRow> {
  readonly count: number;
  indexOf(id: string): number;
  /** Returns the row at an index, loaded if need be; null if there is none. */
  row(index: number): Promise<ItemRow | null>;
  /** Returns the first unread row after an index, loaded if need be; null if there is none. */
  unreadAfter(index: number): Promise<ItemRow | null>;
  /** Takes the visible rows. */
  see(first: number, last: number): void;
  /** Why rows no longer belong to the list, by item id. */
  readonly removalReasons: ReadonlyMap<string, RemovalReason>;
}
