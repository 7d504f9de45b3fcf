import {
  NOTICE_KINDS,
  type Notice,
  type Notification as Raised,
} from '../../../src-main/contract/model/notification.ts';
import { editionName, type language } from '../../i18n/language.svelte.ts';
import { instant } from '../../ui/text/times.ts';
import { oneLine } from '../../ui/text/plain-text.ts';

/** The page's language, as far as notices need it. */
type Spoken = Pick<typeof language, 'words' | 'locale' | 'dateLocale'>;

const MOST_LINES = 3;
const LONGEST_TITLE = 300;
const LONGEST_LINE = 120;

/** What happened, in the page's words. */
export function noticeName({ kind, label, count }: Notice, { words, dateLocale }: Spoken): string {
  if (kind === 'story') return words.notices.reports(count);
  if (kind === 'models') return words.notices.models(count);
  return words.notices.editions[kind](label === null ? '' : editionName(words, kind, label, dateLocale, 'full'));
}

/** What it happened to, in the service's words where it has any; empty for an edition without a headline. */
export function noticeTitle({ kind, title }: Notice, { words }: Pick<Spoken, 'words'>): string {
  const text = oneLine(title, LONGEST_TITLE);
  if (text !== '') return text;
  return kind === 'story' || kind === 'models' ? words.notices.untitled[kind] : '';
}

/** A notification as a browser shows it: one thing by its name, several by their number, with a line for each. */
export function notificationText({ notices, catchUp }: Raised, spoken: Spoken): { title: string; body: string } {
  const { notices: words } = spoken.words;
  const [only] = notices.length === 1 ? notices : [];
  const what = only ? noticeName(only, spoken) : listOf(notices, spoken);
  const body = only ? noticeTitle(only, spoken) : linesOf(notices, spoken);
  return { title: catchUp ? words.catchUp(what) : what, body };
}

/** `A new daily and news of 2 stories`. */
function listOf(notices: readonly Notice[], { words, locale }: Spoken): string {
  const parts = NOTICE_KINDS.flatMap((kind) => {
    const ofKind = notices.filter((notice) => notice.kind === kind);
    if (ofKind.length === 0) return [];
    const models = ofKind.reduce((sum, { count }) => sum + count, 0);
    return [words.notices.many[kind](kind === 'models' ? models : ofKind.length)];
  });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts);
  return list.charAt(0).toLocaleUpperCase(locale) + list.slice(1);
}

function linesOf(notices: readonly Notice[], spoken: Spoken): string {
  const { line, more } = spoken.words.notices;
  const lines = notices.slice(0, MOST_LINES).map((notice) => {
    const [name, title] = [noticeName(notice, spoken), noticeTitle(notice, spoken)];
    return oneLine(title === '' ? name : line(name, title), LONGEST_LINE);
  });
  const left = notices.length - lines.length;
  return [...lines, ...(left > 0 ? [more(left)] : [])].join('\n');
}

export interface NoticeDay {
  /** ms since 1970: of the newest notice of this day. */
  at: number;
  notices: Notice[];
}

/** Notices, newest first, by the days of the reader's zone. */
export function noticesByDay(notices: readonly Notice[]): NoticeDay[] {
  const days: NoticeDay[] = [];
  for (const notice of notices) {
    const at = instant(notice.at) ?? 0;
    const day = days.at(-1);
    if (day && sameDay(day.at, at)) day.notices.push(notice);
    else days.push({ at, notices: [notice] });
  }
  return days;
}

/** Whether two times (ms since 1970) are of one day of the reader's zone. */
export function sameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** How many days of the reader's zone ago a time was: 0 today, 1 yesterday. Both in ms since 1970. */
export function daysAgo(at: number, now: number): number {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  // A day with a change of the clocks has 23 or 25 hours.
  return Math.round((midnight(now) - midnight(at)) / 86_400_000);
}
