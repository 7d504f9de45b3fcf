import { value, type Db } from '../sql.ts';

/** The name of the mirrored service, as an SQL expression: statuses of user.db belong to one service each. */
export const THIS_MIRROR = `(SELECT value FROM main.property WHERE name = 'source')`;

/** After {@link STATUS_JOIN}: adds `unread_mark.marked_at`. */
export const UNREAD_MARK_JOIN = `LEFT JOIN user.unread_mark
  ON unread_mark.mirror = item_status.mirror AND unread_mark.item_id = item_status.item_id`;

/** Adds the columns of `user.item_status` to a statement that reads `item`; null for an item without a status. */
export const STATUS_JOIN = `LEFT JOIN user.item_status ON item_status.mirror = ${THIS_MIRROR} AND item_status.item_id = item.id`;

/** Returns the name of the mirrored service. */
export function thisMirror(db: Db): string {
  return value<string>(db, "SELECT value FROM main.property WHERE name = 'source'") ?? '';
}
