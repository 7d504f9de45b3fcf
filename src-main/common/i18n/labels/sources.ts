import { m } from '../messages.ts';

export const sourceSorts = {
  unread: m.sources_sorts_unread,
  frequency: m.sources_sorts_frequency,
  selected: m.sources_sorts_selected,
  first: m.sources_sorts_first,
  name: m.sources_sorts_name,
};
