import {
  notificationDetail,
  notificationNames,
  notificationOpenKind,
  notificationUntitled,
} from '../../common/i18n/labels/notifications.ts';
import { m } from '../../common/i18n/messages.ts';
import { groupText, savedNews } from '../../common/notification-text.ts';
import { bareLine } from '../../common/text.ts';
import type { NotificationGroup, StoredNotification } from '../../contract/model/notification.ts';
import type { Target } from '../../contract/targets.ts';

export interface NotificationText {
  title: string;
  body: string;
  /** `target` is null for a button that only dismisses the notification. */
  buttons: { text: string; target: Target | null }[];
}

const MOST_BUTTONS = 2;
const LONGEST_TITLE = 80;
const LONGEST_LINE = 120;

/** A notification in the app's language: a single one by its name, several by their numbers with a line for each. */
export function notificationText(notification: NotificationGroup): NotificationText {
  const text = groupText(notification, { name: nameOf, detail: detailOf, line: lineOf });
  return { ...text, buttons: buttonsOf(notification) };
}

function nameOf(notification: StoredNotification): string {
  const { kind, label, title } = notification;
  if (kind === 'saved') return bareLine(savedNews(notification), LONGEST_TITLE);
  const text = bareLine(title, LONGEST_TITLE);
  // A report is known by its label, whatever its headline.
  return kind === 'story' || kind === 'models'
    ? text || notificationUntitled[kind]()
    : notificationNames[kind]({ label: label ?? '' }).trim();
}

/** A report's headline, or what changed in numbers. */
function detailOf({ kind, title, count }: StoredNotification): string {
  const headline = kind === 'story' || kind === 'models' ? '' : bareLine(title, LONGEST_LINE);
  return headline || notificationDetail[kind]({ count });
}

function lineOf(notification: StoredNotification): string {
  return bareLine(m.notification_line({ name: nameOf(notification), detail: detailOf(notification) }), LONGEST_LINE);
}

/** A button for each thing that is the only one of its kind; otherwise one button with the target of a click. */
function buttonsOf({ notifications, target }: NotificationGroup): NotificationText['buttons'] {
  const single = notifications.filter(({ kind }) => notifications.filter((other) => other.kind === kind).length === 1);
  if (notifications.length > 1 && single.length > 0) {
    return single
      .slice(0, MOST_BUTTONS)
      .map((notification) => ({ text: notificationOpenKind[notification.kind](), target: notification.target }));
  }
  return [
    { text: m.notification_open(), target },
    { text: m.notification_later(), target: null },
  ];
}
