/** Only these texts, over the records of an item, decide what is read, unread or starred. */
import { joinRecord } from '../records.ts';

/** In the mirror: the key below which its index counts unmarked items as read. */
export const STARTS_READ_BELOW = 'starts_read_below';

/** Adds `read` and `star` to `item`. */
export const STATUS_JOIN = `${joinRecord('read', 'item.id')} ${joinRecord('star', 'item.id')}`;

/** After {@link STATUS_JOIN}. Negative values are times of marks as unread. */
export const READ_AT = 'CASE WHEN read.value >= 0 THEN read.value END';
export const STARRED_AT = `star.value ->> '$.at'`;
export const IS_UNREAD = `CASE WHEN read.value >= 0 THEN 0 WHEN read.value < 0 THEN 1
  ELSE item_index.key >= coalesce((SELECT CAST(value AS INTEGER) FROM main.property WHERE name = '${STARTS_READ_BELOW}'), 0) END`;
export const IS_STARRED = '(star.value IS NOT NULL)';
