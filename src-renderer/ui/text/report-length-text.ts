import { m } from '../../../src-main/common/i18n/messages.ts';
import type { ReportLength } from '../../../src-main/contract/model/today.ts';

/** Formats `29 stories · 6 min · 14 of 29 read`. */
export function reportLengthText({ stories, minutes, read }: ReportLength): string {
  const parts = [m.report_citations({ count: stories })];
  if (minutes > 0) parts.push(m.report_minutes({ count: minutes }));
  if (read > 0) parts.push(m.report_progress({ read, all: stories }));
  return parts.join(' · ');
}
