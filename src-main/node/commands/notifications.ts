import { counted } from '../../common/numbers.ts';
import type { StoredNotification } from '../../contract/model/notification.ts';
import type { Invocation } from '../invocation.ts';
import { call } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { bold, dim, line, type Text } from '../styled-text.ts';
import { localTime } from '../terminal.ts';
import { notificationAsJson } from './json-names.ts';
import { writeList } from './reading.ts';

/** The length of the history. */
const MOST = 500;

/** Prints the notification history, newest first. */
export function listNotifications(invocation: Invocation, { limit }: { limit?: number }): Promise<ExitCode> {
  return writeList(invocation, {
    ...(limit !== undefined && { limit }),
    read: async (wire) =>
      (await call(wire, 'notifications.list', { limit: Math.min(limit ?? MOST, MOST) })).notifications,
    asJson: notificationAsJson,
    format: notificationText,
    empty: 'No notifications yet.',
  });
}

function notificationText(notification: StoredNotification): Text {
  const { at, title, toldAt } = notification;
  const silent = toldAt === null ? ' (not shown)' : '';
  return line`${dim(localTime(at))} ${whatHappened(notification)}${title === '' ? '' : line`: ${bold(title)}`}${silent}`;
}

function whatHappened({ kind, label, count }: StoredNotification): string {
  if (kind === 'models') return `${counted(count, 'model')} changed`;
  if (kind === 'story') return count === 0 ? 'a followed story was updated' : `${counted(count, 'report')} on a story`;
  if (kind === 'saved') return `${String(count)} new in ${label ?? 'a saved search that was removed'}`;
  return `${kind} ${label ?? ''}`;
}
