import { m } from '../messages.ts';

export const resourceNames = {
  items: m.sync_status_names_items,
  selected: m.sync_status_names_selected,
  hotTopics: m.sync_status_names_hot_topics,
  stories: m.sync_status_names_stories,
  dailies: m.sync_status_names_dailies,
  weeklies: m.sync_status_names_weeklies,
  monthlies: m.sync_status_names_monthlies,
  models: m.sync_status_names_models,
  embeddings: m.sync_status_names_embeddings,
};

export const syncStates = {
  running: m.sync_status_running,
  waiting: m.sync_status_waiting,
  asleep: m.sync_status_asleep,
  failing: m.sync_status_failing,
  confirming: m.sync_status_incomplete,
  well: m.sync_status_well,
};

export const runStatuses = {
  ok: m.sync_status_statuses_ok,
  notModified: m.sync_status_statuses_not_modified,
  notDue: m.sync_status_statuses_not_due,
  failed: m.sync_status_statuses_failed,
};

export const syncPauseSpans = {
  hour: m.sync_pause_spans_hour,
  tomorrow: m.sync_pause_spans_tomorrow,
  resumed: m.sync_pause_spans_resumed,
};

export const problemPlaces = {
  main: m.problems_places_main,
  engine: m.problems_places_engine,
  page: m.problems_places_page,
};
