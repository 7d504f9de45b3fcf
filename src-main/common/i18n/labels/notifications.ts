import { m } from '../messages.ts';

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

export const notificationNames = {
  daily: m.notification_name_daily,
  weekly: m.notification_name_weekly,
  monthly: m.notification_name_monthly,
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
  models: m.notification_untitled_models,
  story: m.notification_untitled_story,
};

export const notificationReports = {
  daily: m.notifications_reports_daily,
  weekly: m.notifications_reports_weekly,
  monthly: m.notifications_reports_monthly,
};
