import {
  notificationDetail,
  notificationReports,
  notificationUntitled,
  reportName,
} from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { groupText, savedSearchText } from '../../../src-main/common/notification-text.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import { instant, sameDay } from '../../../src-main/common/time.ts';
import type { StoredNotification, NotificationGroup } from '../../../src-main/contract/model/notification.ts';
import type { language } from '../../ui/language.svelte.ts';

type Language = Pick<typeof language, 'dateLocale'>;

const LONGEST_TITLE = 300;
const LONGEST_LINE = 120;

export function notificationName(notification: StoredNotification, { dateLocale }: Language): string {
  const { kind, label, count } = notification;
  if (kind === 'saved') return savedSearchText(notification);
  if (kind === 'story') return m.notifications_reports({ count });
  if (kind === 'models') return notificationDetail.models({ count });
  return notificationReports[kind]({ name: label === null ? '' : reportName(kind, label, dateLocale, 'full') });
}

/** Returns the headline of the news source; empty for a report without one. */
export function notificationTitle({ kind, title }: StoredNotification): string {
  const text = oneLine(title, LONGEST_TITLE);
  if (text !== '') return text;
  return kind === 'story' || kind === 'models' ? notificationUntitled[kind]() : '';
}

/** Formats notifications for the browser: a single one by its name, several by their numbers with a line for each. */
export function notificationText(group: NotificationGroup, by: Language): { title: string; body: string } {
  return groupText(group, {
    name: (notification) => notificationName(notification, by),
    detail: notificationTitle,
    line: (notification) => {
      const [name, detail] = [notificationName(notification, by), notificationTitle(notification)];
      return oneLine(detail === '' ? name : m.notification_line({ name, detail }), LONGEST_LINE);
    },
  });
}

export interface NotificationDay {
  /** The time of its newest notification, ms since 1970. */
  at: number;
  notifications: StoredNotification[];
}

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
