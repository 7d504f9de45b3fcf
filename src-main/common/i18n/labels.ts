import type { ErrorCode } from '../../contract/errors.ts';
import type { FolderRefusal } from '../../contract/model/devices.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import { addDays, dayMs, mondayOf } from '../time.ts';
import { categoryOf } from '../query.ts';
import { oneLine } from '../text.ts';
import { calendarDay, calendarRange, longDay, noonOf } from '../time-text.ts';
import type { InLocale } from './locale.ts';
import { m } from './messages.ts';

export type Message = (inputs?: object, options?: Partial<InLocale>) => string;

/** Null for a value that a newer service or core has added. */
export function messageFor(messages: Readonly<Record<string, Message>>, value: string, by?: InLocale): string | null {
  return Object.hasOwn(messages, value) ? (messages[value]?.({}, by) ?? null) : null;
}

export const errorMessages = {
  invalid_argument: m.error_invalid_argument,
  unknown_method: m.error_unknown_method,
  not_found: m.error_not_found,
  forbidden_sender: m.error_forbidden_sender,
  link_refused: m.error_link_refused,
  file_refused: m.error_file_refused,
  not_supported: m.error_not_supported,
  invalid_request: m.error_invalid_request,
  invalid_cursor: m.error_invalid_cursor,
  snapshot_required: m.error_snapshot_required,
  unauthorized: m.error_unauthorized,
  forbidden: m.error_forbidden,
  method_not_allowed: m.error_method_not_allowed,
  rate_limited: m.error_rate_limited,
  temporarily_unavailable: m.error_temporarily_unavailable,
  service_error: m.error_service_error,
  unreachable: m.error_unreachable,
  timeout: m.error_timeout,
  too_large: m.error_too_large,
  wrong_content_type: m.error_wrong_content_type,
  invalid_body: m.error_invalid_body,
  cut_short: m.error_cut_short,
  redirect_refused: m.error_redirect_refused,
  too_many_redirects: m.error_too_many_redirects,
  aborted: m.error_aborted,
  key_not_sent: m.error_key_not_sent,
  data_in_use: m.error_data_in_use,
  data_newer: m.error_data_newer,
  data_unreadable: m.error_data_unreadable,
  data_read_only: m.error_data_read_only,
  disk_full: m.error_disk_full,
  too_many_open_files: m.error_too_many_open_files,
  closed: m.error_closed,
  internal: m.error_internal,
};

export const failureReasons = {
  name_not_found: m.failure_reason_name_not_found,
  refused: m.failure_reason_refused,
  not_secure: m.failure_reason_not_secure,
  no_route: m.failure_reason_no_route,
  proxy: m.failure_reason_proxy,
  web_page: m.failure_reason_web_page,
  rule_not_understood: m.failure_reason_rule_not_understood,
  rule_empty: m.failure_reason_rule_empty,
  rule_too_many_alternatives: m.failure_reason_rule_too_many_alternatives,
  rule_changing_term: m.failure_reason_rule_changing_term,
  rule_only_excludes: m.failure_reason_rule_only_excludes,
  rule_too_many: m.failure_reason_rule_too_many,
  rule_name_taken: m.failure_reason_rule_name_taken,
  devices_no_folder: m.failure_reason_devices_no_folder,
  devices_in_data_folder: m.failure_reason_devices_in_data_folder,
  devices_folder_unreadable: m.failure_reason_devices_folder_unreadable,
  devices_folder_unwritable: m.failure_reason_devices_folder_unwritable,
  devices_folder_replaced: m.failure_reason_devices_folder_replaced,
  devices_wrong_passphrase: m.failure_reason_devices_wrong_passphrase,
  devices_passphrase_needed: m.failure_reason_devices_passphrase_needed,
  devices_incomplete: m.failure_reason_devices_incomplete,
};

const gatewayErrorMessages = {
  unauthorized: m.gateway_failures_unauthorized,
  forbidden: m.key_may_not_list,
  not_found: m.gateway_failures_not_found,
  unreachable: m.gateway_failures_unreachable,
};

export const missingMessages = {
  item: m.missing_item,
  story: m.missing_story,
  report: m.missing_report,
  saved: m.missing_saved,
  model: m.missing_model,
};

export const categories = {
  'ai-models': m.categories_ai_models,
  'ai-products': m.categories_ai_products,
  industry: m.categories_industry,
  paper: m.categories_paper,
  tip: m.categories_tip,
  opinion: m.categories_opinion,
};

export const filtersWindows = {
  '24h': m.filters_windows_24h,
  '7d': m.filters_windows_7d,
  '30d': m.filters_windows_30d,
};

export const itemRemovalReasons = {
  withdrawn: m.list_withdrawn,
  leftSelection: m.list_left_selection,
};

export const revisionsFields = {
  title: m.report_fields_title,
  originalTitle: m.article_original_title,
  summary: m.report_fields_summary,
  'source.name': m.filters_source,
  'links.original': m.revisions_fields_links_original,
  attribution: m.revisions_fields_attribution,
};

export const settingsKeyboardCommands = {
  next: m.article_next,
  previous: m.article_previous,
  open: m.article_open_original,
  star: m.settings_keyboard_commands_star,
  toggleRead: m.settings_keyboard_commands_toggle_read,
  markAllRead: m.list_mark_all_read,
  markAbove: m.list_mark_above,
  markBelow: m.list_mark_below,
  note: m.note_placeholder,
  nextUnread: m.settings_keyboard_commands_next_unread,
  back: m.settings_keyboard_commands_back,
  historyBack: m.settings_keyboard_commands_history_back,
  historyForward: m.forward,
  undo: m.undo,
  paneLeft: m.settings_keyboard_commands_pane_left,
  paneRight: m.settings_keyboard_commands_pane_right,
  search: m.search,
  palette: m.palette_title,
  copyId: m.settings_keyboard_commands_copy_id,
  help: m.settings_keyboard_commands_help,
  go: m.keys_go_to,
  goFront: m.views_today,
  goSelected: m.views_selected,
  goEverything: m.views_everything,
  goUnread: m.views_unread,
  goStarred: m.views_starred,
  goDaily: m.settings_keyboard_commands_go_daily,
  goHotTopics: m.views_hot_topics,
  goStories: m.views_stories,
  goArchive: m.views_archive,
  goModels: m.views_models,
  goNotes: m.views_notes,
  goSources: m.views_sources,
  goStatistics: m.views_statistics,
};

/** By the system, as `navigator.userAgent` names it; the last one is for all others. */
export const missingVoices = {
  Windows: m.listen_no_voice_windows,
  Mac: m.listen_no_voice_macos,
  Linux: m.listen_no_voice_linux,
};

export const shortcutGroups = {
  move: m.help_groups_move,
  item: m.help_groups_item,
  find: m.help_groups_find,
  go: m.help_groups_go,
};

export const shortcutRefusals = {
  modifier: m.settings_keyboard_modifier,
  reserved: m.settings_keyboard_reserved,
};

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

export const marksDone = {
  read: m.done_read,
  unread: m.done_unread,
  star: m.list_starred,
  unstar: m.done_unstar,
};

export const severalDone = {
  read: m.list_marked_read,
  unread: m.list_marked_unread,
  star: m.list_marked_star,
  unstar: m.list_marked_unstar,
};

export const folderRefusals = {
  irregular: m.settings_devices_refused_irregular,
  too_large: m.settings_devices_refused_too_large,
  too_many: m.settings_devices_refused_too_many,
  implausible: m.settings_devices_refused_implausible,
  no_room: m.settings_devices_refused_no_room,
} as const satisfies Record<FolderRefusal, unknown>;

export const noteKinds = {
  item: m.note_kind_item,
  story: m.kind_topic,
  report: m.kind_report,
};

export const notificationDetail = {
  daily: m.notification_detail_daily,
  weekly: m.notification_detail_weekly,
  monthly: m.notification_detail_monthly,
  story: m.notification_detail_story,
  saved: m.notification_detail_saved,
  models: m.notification_detail_models,
};

export const notificationMany = {
  daily: m.notification_many_daily,
  weekly: m.notification_many_weekly,
  monthly: m.notification_many_monthly,
  story: m.notification_many_story,
  saved: m.notification_many_saved,
  models: m.notification_many_models,
};

export const notificationOpenKind = {
  daily: m.notification_open_kind_daily,
  weekly: m.notification_open_kind_weekly,
  monthly: m.notification_open_kind_monthly,
  story: m.notification_open_kind_story,
  saved: m.notification_open_kind_saved,
  models: m.notification_open_kind_models,
};

export const notificationUntitled = {
  models: m.views_models,
  story: m.notification_untitled_story,
};

export const notificationReports = {
  daily: m.notifications_reports_daily,
  weekly: m.notifications_reports_weekly,
  monthly: m.notifications_reports_monthly,
};

export const reportKinds = {
  daily: m.report_kind_daily,
  weekly: m.report_kind_weekly,
  monthly: m.report_kind_monthly,
};

/** As titles. */
export const theReport = {
  daily: m.today_daily,
  weekly: m.today_weekly,
  monthly: m.today_monthly,
};

export const readReports = {
  daily: m.today_read_daily,
  weekly: m.today_read_weekly,
  monthly: m.today_read_monthly,
};

export const listenReports = {
  daily: m.listen_daily,
  weekly: m.listen_weekly,
  monthly: m.listen_monthly,
};

export const archiveKinds = {
  daily: m.archive_kinds_daily,
  weekly: m.archive_kinds_weekly,
  monthly: m.archive_kinds_monthly,
};

export const reportAbsences = {
  none: m.archive_none,
  awaited: m.archive_awaited,
  gap: m.archive_gap,
};

export const reportCorrectionKinds = {
  edited: m.report_correction_kinds_edited,
  withdrawn: m.list_withdrawn,
  added: m.change_log_kinds_added,
  reordered: m.report_correction_kinds_reordered,
};

export const reportCorrectionTexts = {
  edited: m.report_correction_texts_edited,
  withdrawn: m.report_correction_texts_withdrawn,
  added: m.report_correction_texts_added,
  reordered: m.report_correction_texts_reordered,
};

export const reportFields = {
  title: m.report_fields_title,
  summary: m.report_fields_summary,
  headline: m.report_fields_headline,
  overview: m.report_fields_overview,
  label: m.report_fields_label,
};

export const exportedReportCorrection = {
  edited: m.report_correction_kinds_edited,
  withdrawn: m.exported_report_correction_withdrawn,
  added: m.exported_report_correction_added,
  reordered: m.exported_report_correction_reordered,
};

export const onlineSearchOrders = {
  timeline: m.online_search_orders_timeline,
  published: m.online_search_orders_published,
};

export const paletteGroupTitles = {
  recent: m.palette_recent,
  views: m.sidebar_label,
  sources: m.views_sources,
  saved: m.rules_saved,
  categories: m.palette_categories,
  commands: m.palette_commands,
  settings: m.settings_title,
};

export const searchKinds = {
  items: m.search_kinds_items,
  stories: m.views_topics,
  reports: m.views_archive,
  models: m.views_models,
  notes: m.views_notes,
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

export const queryStates = {
  unread: m.views_unread,
  read: m.statistics_read,
  starred: m.list_starred,
  selected: m.views_selected,
  withdrawn: m.list_withdrawn,
  muted: m.views_muted,
};

export const queryParts = {
  story: m.search_part_story,
  note: m.search_part_note,
};

export const shareFormatNames = {
  link: m.share_formats_link,
  titleAndLink: m.share_formats_title_and_link,
  markdown: m.share_formats_markdown,
  citation: m.share_formats_citation,
  text: m.share_formats_text,
};

export const sinceLastVisitCounts = {
  added: m.since_last_visit_counts_added,
  older: m.since_last_visit_counts_older,
  revised: m.since_last_visit_counts_revised,
  withdrawn: m.since_last_visit_counts_withdrawn,
};

export const sinceLastVisitTitles = {
  added: m.since_last_visit_titles_added,
  older: m.since_last_visit_titles_older,
  revised: m.since_last_visit_titles_revised,
  withdrawn: m.list_withdrawn,
};

export const sourceSorts = {
  unread: m.sources_sorts_unread,
  frequency: m.sources_sorts_frequency,
  selected: m.sources_sorts_selected,
  first: m.sources_sorts_first,
  name: m.name,
};

export const storiesLists = {
  followed: m.stories_lists_followed,
  starred: m.views_starred,
  all: m.stories_lists_all,
};

const storiesStatuses = {
  active: m.stories_statuses_active,
  settled: m.stories_statuses_settled,
};

const storiesRelations = {
  earlier: m.stories_relations_earlier,
  later: m.stories_relations_later,
  // The heading says so.
  related: () => '',
};

export const storiesEmptyTexts = {
  followed: m.stories_empty_texts_followed,
  starred: m.stories_empty_texts_starred,
  all: m.stories_empty_texts_all,
};

export const storiesEmptyTitles = {
  followed: m.stories_empty_titles_followed,
  starred: m.stories_empty_titles_starred,
  all: m.stories_empty_titles_all,
};

export const resourceNames = {
  items: m.sync_status_names_items,
  selected: m.views_selected,
  hotTopics: m.views_hot_topics,
  stories: m.views_topics,
  dailies: m.archive_kinds_daily,
  weeklies: m.archive_kinds_weekly,
  monthlies: m.archive_kinds_monthly,
  models: m.views_models,
  embeddings: m.models_lists_embeddings,
} satisfies Record<ResourceName, () => string>;

export const syncStates = {
  running: m.sync_status_running,
  waiting: m.sync_never,
  asleep: m.sync_status_asleep,
  failing: m.sync_status_failing,
  confirming: m.sync_status_incomplete,
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

export function categoryName(category: string | null, by?: InLocale): string {
  return category === null ? m.no_category({}, by) : (messageFor(categories, category, by) ?? category);
}

/** A section of a report named like a category, in any language, has the reader's name of it. */
export function sectionName(label: string): string {
  return messageFor(categories, categoryOf(label)) ?? label;
}

export function gatewayFailure(code: ErrorCode): string {
  const own: Partial<Record<ErrorCode, Message>> = gatewayErrorMessages;
  return (own[code] ?? errorMessages[code])();
}

export function resourceName(name: string): string {
  return messageFor(resourceNames, name) ?? name;
}

export function storyStatus(status: string | null): string | null {
  if (status === null) return null;
  return messageFor(storiesStatuses, status) ?? (oneLine(status, 60) || null);
}

/** Says how a topic is related to the open one; an unknown relation is said as the service does. */
export function storyRelation(relation: string | null): string {
  return relation === null ? '' : (messageFor(storiesRelations, relation) ?? oneLine(relation, 60));
}

/** `full` is for headings, `long` for lists. */
export function reportName(kind: ReportKind, label: string, locale: string, style: 'full' | 'long'): string {
  switch (kind) {
    case 'daily':
      return calendarDay(dayMs(label), locale, style);
    case 'weekly':
      return calendarRange(...weekOfLabel(label), locale);
    case 'monthly':
      return calendarDay(dayMs(`${label}-01`), locale, 'month');
  }
}

/** Names the days of a report as people say them now: "Saturday, 21 November", "9–15 November", "October 2026". */
export function reportPeriod(kind: ReportKind, label: string, now: number, locale: string): string {
  if (kind === 'daily') return longDay(noonOf(label), now, locale);
  return kind === 'weekly'
    ? calendarRange(...weekOfLabel(label), locale, now)
    : reportName(kind, label, locale, 'long');
}

/** The tooltip of a weekly has its ISO week. */
export function weekName(kind: ReportKind, label: string): string | undefined {
  if (kind !== 'weekly') return undefined;
  return m.archive_week_name({ week: Number(label.slice(6)), year: Number(label.slice(0, 4)) });
}

function weekOfLabel(label: string): [monday: number, sunday: number] {
  const monday = mondayOf(label);
  return [dayMs(monday), dayMs(addDays(monday, 6))];
}
