import { notificationReports, notificationsMany, notificationsUntitled } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import {
  NOTIFICATION_KINDS,
  type StoredNotification,
  type NotificationGroup as Raised,
} from '../../../src-main/contract/model/notification.ts';
import { reportName, type language } from '../../i18n/language.svelte.ts';
import { instant } from '../../ui/text/times.ts';
import { oneLine } from '../../ui/text/plain-text.ts';

/** The page's language, as far as notifications need it. */
type Spoken = Pick<typeof language, 'locale' | 'dateLocale'>;

const MOST_LINES = 3;
const LONGEST_TITLE = 300;
const LONGEST_LINE = 120;

/** What happened, in the page's words. */
export function notificationName({ kind, label, count }: StoredNotification, { dateLocale }: Spoken): string {
  if (kind === 'story') return m.notifications_reports({ count });
  if (kind === 'models') return m.notifications_models({ count });
  return notificationReports[kind]({ name: label === null ? '' : reportName(kind, label, dateLocale, 'full') });
}

/** What it happened to, in the service's words where it has any; empty for a report without a headline. */
export function notificationTitle({ kind, title }: StoredNotification): string {
  const text = oneLine(title, LONGEST_TITLE);
  if (text !== '') return text;
  return kind === 'story' || kind === 'models' ? notificationsUntitled[kind]() : '';
}

/** A notification as a browser shows it: one thing by its name, several by their number, with a line for each. */
export function notificationText({ notifications, catchUp }: Raised, spoken: Spoken): { title: string; body: string } {
  const [only] = notifications.length === 1 ? notifications : [];
  const what = only ? notificationName(only, spoken) : listOf(notifications, spoken);
  const body = only ? notificationTitle(only) : linesOf(notifications, spoken);
  return { title: catchUp ? m.notifications_catch_up({ what }) : what, body };
}

/** `A new daily and news of 2 stories`. */
function listOf(notifications: readonly StoredNotification[], { locale }: Spoken): string {
  const parts = NOTIFICATION_KINDS.flatMap((kind) => {
    const ofKind = notifications.filter((notification) => notification.kind === kind);
    if (ofKind.length === 0) return [];
    const models = ofKind.reduce((sum, { count }) => sum + count, 0);
    return [notificationsMany[kind]({ count: kind === 'models' ? models : ofKind.length })];
  });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts);
  return list.charAt(0).toLocaleUpperCase(locale) + list.slice(1);
}

function linesOf(notifications: readonly StoredNotification[], spoken: Spoken): string {
  const lines = notifications.slice(0, MOST_LINES).map((notification) => {
    const [name, title] = [notificationName(notification, spoken), notificationTitle(notification)];
    return oneLine(title === '' ? name : m.notifications_line({ name, title }), LONGEST_LINE);
  });
  const left = notifications.length - lines.length;
  return [...lines, ...(left > 0 ? [m.notifications_more({ count: left })] : [])].join('\n');
}

export interface NotificationDay {
  /** ms since 1970: of the newest notification of this day. */
  at: number;
  notifications: StoredNotification[];
}

/** Notifications, newest first, by the days of the app's zone. */
export function notificationsByDay(notifications: readonly StoredNotification[]): NotificationDay[] {
  const days: NotificationDay[] = [];
  for (const notification of notifications) {
    const at = instant(notification.at) ?? 0;
    const day = days.at(-1);
    if (day && sameDay(day.at, at)) day.notifications.push(notification);
    else days.push({ at, notifications: [notification] });
  }
  return days;
}

/** Whether two times (ms since 1970) are of one day of the app's zone. */
export function sameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** How many days of the app's zone ago a time was: 0 today, 1 yesterday. Both in ms since 1970. */
export function daysAgo(at: number, now: number): number {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  // A day with a change of the clocks has 23 or 25 hours.
  return Math.round((midnight(now) - midnight(at)) / 86_400_000);
}
