import {
  notificationDetail,
  notificationMany,
  notificationNames,
  notificationOpenKind,
  notificationUntitled,
} from '../../common/i18n/labels.ts';
import { getLocale } from '../../common/i18n/locale.ts';
import { m } from '../../common/i18n/messages.ts';
import {
  NOTIFICATION_KINDS,
  type StoredNotification,
  type NotificationGroup,
} from '../../contract/model/notification.ts';
import type { Target } from '../../contract/targets.ts';

export interface NotificationText {
  title: string;
  body: string;
  /** `target` is null for a button that only dismisses the notification. */
  buttons: { text: string; target: Target | null }[];
}

const MOST_LINES = 3;
const MOST_BUTTONS = 2;
const LONGEST_TITLE = 80;
const LONGEST_LINE = 120;

/** The text of a notification in the interface language: the name of a single thing, or counts with a line for each. */
export function notificationText(notification: NotificationGroup): NotificationText {
  const { notifications, catchUp } = notification;
  const [only] = notifications.length === 1 ? notifications : [];
  const what = only ? nameOf(only) : listOf(notifications);
  return {
    title: catchUp ? m.notification_catch_up({ what }) : what,
    body: only ? detailOf(only) : linesOf(notifications),
    buttons: buttonsOf(notification),
  };
}

/** A text on one line, without control characters, text direction marks and line breaks. */
export function plainLine(text: string, longest: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .normalize('NFC');
  const characters = Array.from(line);
  if (characters.length <= longest) return line;
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`;
}

function nameOf({ kind, label, title }: StoredNotification): string {
  const text = plainLine(title, LONGEST_TITLE);
  // Reports are named by their label, not their headline.
  return kind === 'story' || kind === 'models'
    ? text || notificationUntitled[kind]()
    : notificationNames[kind]({ label: label ?? '' }).trim();
}

/** A report's headline, or what changed in numbers. */
function detailOf({ kind, title, count }: StoredNotification): string {
  const headline = kind === 'story' || kind === 'models' ? '' : plainLine(title, LONGEST_LINE);
  return headline || notificationDetail[kind]({ count });
}

/** `a new daily and news of 2 stories`. */
function listOf(notifications: readonly StoredNotification[]): string {
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

function linesOf(notifications: readonly StoredNotification[]): string {
  const lines = notifications
    .slice(0, MOST_LINES)
    .map((notification) =>
      plainLine(m.notification_line({ name: nameOf(notification), detail: detailOf(notification) }), LONGEST_LINE),
    );
  const left = notifications.length - lines.length;
  return [...lines, ...(left > 0 ? [m.notification_more({ count: left })] : [])].join('\n');
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
