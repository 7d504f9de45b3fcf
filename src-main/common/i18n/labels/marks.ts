import { m } from '../messages.ts';

export const marksDone = {
  read: m.done_read,
  unread: m.done_unread,
  star: m.done_star,
  unstar: m.done_unstar,
};

/** What was done to several items, with their number. */
export const severalDone = {
  read: m.list_marked_read,
  unread: m.list_marked_unread,
  star: m.list_marked_star,
  unstar: m.list_marked_unstar,
};
