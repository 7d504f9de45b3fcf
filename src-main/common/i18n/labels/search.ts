import { m } from '../messages.ts';

export const onlineSearchOrders = {
  timeline: m.online_search_orders_timeline,
  published: m.online_search_orders_published,
};

export const paletteGroupTitles = {
  recent: m.palette_recent,
  views: m.palette_views,
  sources: m.palette_sources,
  saved: m.palette_saved,
  categories: m.palette_categories,
  commands: m.palette_commands,
  settings: m.palette_settings,
};

export const searchKinds = {
  items: m.search_kinds_items,
  stories: m.search_kinds_stories,
  reports: m.search_kinds_reports,
  models: m.search_kinds_models,
  notes: m.search_kinds_notes,
};

export const searchOperators = {
  'source:': m.search_operator_source,
  'category:': m.search_operator_category,
  'is:': m.search_operator_is,
  'has:': m.search_operator_has,
  'before:': m.search_operator_before,
  'after:': m.search_operator_after,
  'score:': m.search_operator_score,
};
