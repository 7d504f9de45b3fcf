import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import type { Rows } from '../../../src-renderer/api/pages.ts';

/** The rows of a list; undefined for those that are not loaded, null for those that are gone. */
export function listed(rows: Rows<ItemRow>): (ItemRow | null | undefined)[] {
  return Array.from({ length: rows.count ?? 0 }, (_, index) => rows.at(index));
}
