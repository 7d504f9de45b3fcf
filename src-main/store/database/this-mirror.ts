/** The name of the mirrored service, as an SQL expression: statuses of user.db belong to one service each. */
export const THIS_MIRROR = `(SELECT value FROM main.property WHERE name = 'source')`;

/** Adds the columns of `user.item_status` to a statement that reads `item`; null for an item without a status. */
export const STATUS_JOIN = `LEFT JOIN user.item_status ON item_status.mirror = ${THIS_MIRROR} AND item_status.item_id = item.id`;
