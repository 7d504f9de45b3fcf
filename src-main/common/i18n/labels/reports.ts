import { m } from '../messages.ts';

export const archiveReportOf = {
  daily: m.archive_report_of_daily,
  weekly: m.archive_report_of_weekly,
  monthly: m.archive_report_of_monthly,
};

export const archiveLatest = {
  daily: m.archive_latest_daily,
  weekly: m.archive_latest_weekly,
  monthly: m.archive_latest_monthly,
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
  withdrawn: m.report_correction_kinds_withdrawn,
  added: m.report_correction_kinds_added,
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
  edited: m.exported_report_correction_edited,
  withdrawn: m.exported_report_correction_withdrawn,
  added: m.exported_report_correction_added,
  reordered: m.exported_report_correction_reordered,
};

export const exportedReportKind = {
  daily: m.exported_report_kind_daily,
  weekly: m.exported_report_kind_weekly,
  monthly: m.exported_report_kind_monthly,
};
