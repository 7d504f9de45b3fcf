import { m } from '../messages.ts';

export const viewNames = {
  today: m.views_today,
  selected: m.views_selected,
  everything: m.views_everything,
  unread: m.views_unread,
  starred: m.views_starred,
  muted: m.views_muted,
  hotTopics: m.views_hot_topics,
  stories: m.views_stories,
  archive: m.views_archive,
  models: m.views_models,
  notes: m.views_notes,
  sources: m.views_sources,
  statistics: m.views_statistics,
};
