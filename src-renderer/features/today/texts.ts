import { m } from '../../../src-main/common/i18n/messages.ts';
import type { FrontDaily, ReportLength } from '../../../src-main/contract/model/today.ts';
import type { TodayState } from './today.svelte.ts';

/** Formats `29 stories, 7 minutes`. */
export function lengthText({ stories, minutes }: ReportLength): string {
  const count = m.report_citations({ count: stories });
  return minutes === 0 ? count : m.today_length({ stories: count, minutes: m.today_minutes({ count: minutes }) });
}

/** A headline, and what is said about it above. */
export interface Entry {
  id: string;
  about: string;
  title: string | null;
  open: () => void;
}

export function storyEntries({ kind, label, toGo }: FrontDaily, state: Pick<TodayState, 'open'>): Entry[] {
  return toGo.map(({ section, title, key }) => ({
    id: key ?? title,
    about: section ?? m.report_flashes(),
    title,
    open: () => state.open({ view: 'report', kind, label }, key),
  }));
}
