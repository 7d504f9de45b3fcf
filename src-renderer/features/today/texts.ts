import { sectionName } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { FrontDaily } from '../../../src-main/contract/model/today.ts';
import type { TodayState } from './today.svelte.ts';

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
    about: section === null ? m.report_flashes() : sectionName(section),
    title,
    open: () => state.open({ view: 'report', kind, label }, key),
  }));
}
