import { reportName, sectionName } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { calendarRange } from '../../../src-main/common/time-text.ts';
import { addDays, dayMs, mondayOf } from '../../../src-main/common/time.ts';
import type { FrontDaily, FrontReport } from '../../../src-main/contract/model/today.ts';
import { language } from '../../ui/language.svelte.ts';
import type { TodayState } from './today.svelte.ts';

/** A headline, and what is said about it above. */
export interface Entry {
  id: string;
  about: string;
  title: string | null;
  open: () => void;
}

/** The days of a weekly, else the name of the day or month. */
export function periodOf({ kind, label }: Pick<FrontReport, 'kind' | 'label'>, now: number): string {
  if (kind !== 'weekly') return reportName(kind, label, language.dateLocale, 'long');
  const monday = mondayOf(label);
  return calendarRange(dayMs(monday), dayMs(addDays(monday, 6)), language.dateLocale, now);
}

export function storyEntries({ kind, label, toGo }: FrontDaily, state: Pick<TodayState, 'open'>): Entry[] {
  return toGo.map(({ section, title, key }) => ({
    id: key ?? title,
    about: section === null ? m.report_flashes() : sectionName(section),
    title,
    open: () => state.open({ view: 'report', kind, label }, key),
  }));
}
