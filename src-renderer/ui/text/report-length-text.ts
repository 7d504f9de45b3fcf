import { m } from '../../../src-main/common/i18n/messages.ts';
import type { ReportLength } from '../../../src-main/contract/model/today.ts';

/** Formats `29 stories, 7 minutes`. */
export function reportLengthText({ stories, minutes }: Pick<ReportLength, 'stories' | 'minutes'>): string {
  const count = m.report_citations({ count: stories });
  return minutes === 0 ? count : m.report_length({ stories: count, minutes: m.report_minutes({ count: minutes }) });
}
