import { m } from '../messages.ts';

export const noteKinds = {
  item: m.note_kind_item,
  story: m.note_kind_story,
  report: m.note_kind_report,
};
