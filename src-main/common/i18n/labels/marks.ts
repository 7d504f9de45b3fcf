import type { MarksRefusal } from '../../../contract/model/marks-folder.ts';
import { m } from '../messages.ts';

export const marksDone = {
  read: m.done_read,
  unread: m.done_unread,
  star: m.done_star,
  unstar: m.done_unstar,
};

export const severalDone = {
  read: m.list_marked_read,
  unread: m.list_marked_unread,
  star: m.list_marked_star,
  unstar: m.list_marked_unstar,
};

/** Why something in the folder of marks is not believed, with how often. */
export const marksRefused = {
  irregular: m.settings_marks_refused_irregular,
  too_large: m.settings_marks_refused_too_large,
  too_many: m.settings_marks_refused_too_many,
  implausible: m.settings_marks_refused_implausible,
  no_room: m.settings_marks_refused_no_room,
} as const satisfies Record<MarksRefusal, unknown>;
