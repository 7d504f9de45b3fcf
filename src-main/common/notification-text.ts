import { NOTIFICATION_KINDS, type NotificationGroup, type StoredNotification } from '../contract/model/notification.ts';
import { notificationMany } from './i18n/labels.ts';
import { getLocale } from './i18n/locale.ts';
import { m } from './i18n/messages.ts';

const MAX_LINES = 3;

interface Writer {
  name(notification: StoredNotification): string;
  detail(notification: StoredNotification): string;
  line(notification: StoredNotification): string;
}

export function groupText({ notifications, catchUp }: NotificationGroup, by: Writer): { title: string; body: string } {
  const [only] = notifications.length === 1 ? notifications : [];
  const what = only ? by.name(only) : countsOf(notifications);
  return {
    title: catchUp ? m.notification_catch_up({ what }) : what,
    body: only ? by.detail(only) : linesOf(notifications, by),
  };
}

export function savedSearchText({ label, count }: Pick<StoredNotification, 'label' | 'count'>): string {
  return label === null ? m.notifications_saved_removed({ count }) : m.notifications_saved({ count, name: label });
}

function countsOf(notifications: readonly StoredNotification[]): string {
  const locale = getLocale();
  const parts = NOTIFICATION_KINDS.flatMap((kind) => {
    const ofKind = notifications.filter((notification) => notification.kind === kind);
    if (ofKind.length === 0) return [];
    const models = ofKind.reduce((sum, { count }) => sum + count, 0);
    return [notificationMany[kind]({ count: kind === 'models' ? models : ofKind.length })];
  });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts);
  return list.charAt(0).toLocaleUpperCase(locale) + list.slice(1);
}

function linesOf(notifications: readonly StoredNotification[], by: Writer): string {
  const lines = notifications.slice(0, MAX_LINES).map((notification) => by.line(notification));
  const left = notifications.length - lines.length;
  return [...lines, ...(left > 0 ? [m.notification_more({ count: left })] : [])].join('\n');
}
