import { countOf } from '../../common/numbers.ts';
import type { StoredNotification } from '../../contract/model/notification.ts';
import type { Target } from '../../contract/refs.ts';
import { listCommand } from '../command.ts';
import { bold, dim, line, type Text, localTime } from '../terminal-text.ts';
import { listOptions } from './list-options.ts';

/** The length of the history. */
const MAX_NOTIFICATIONS = 500;

export const NOTIFICATION_COMMANDS = {
  'list notices': listCommand({
    needs: 'reads',
    options: listOptions(),
    async *run({ limit = MAX_NOTIFICATIONS }, { call }) {
      yield* (await call('notifications.list', { limit: Math.min(limit, MAX_NOTIFICATIONS) })).notifications;
    },
    text: notificationText,
    json: notificationAsJson,
    empty: 'No notifications yet.',
  }),
};

export function notificationAsJson({ target, ...notification }: StoredNotification): object {
  return { ...notification, target: targetAsJson(target) };
}

function targetAsJson(target: Target): object {
  switch (target.view) {
    case 'report':
      return { ...target, view: 'edition' };
    case 'notifications':
      return { view: 'notices' };
    case 'model':
      return { view: target.view, listing: target.modelList, id: target.id };
    default:
      return target;
  }
}

function notificationText(notification: StoredNotification): Text {
  const { at, title, toldAt } = notification;
  const silent = toldAt === null ? ' (not shown)' : '';
  return line`${dim(localTime(at))} ${whatHappened(notification)}${title === '' ? '' : line`: ${bold(title)}`}${silent}`;
}

function whatHappened({ kind, label, count }: StoredNotification): string {
  if (kind === 'models') return `${countOf(count, 'model')} changed`;
  if (kind === 'story') return count === 0 ? 'a followed story was updated' : `${countOf(count, 'report')} on a story`;
  if (kind === 'saved') return `${String(count)} new in ${label ?? 'a saved search that was removed'}`;
  return `${kind} ${label ?? ''}`;
}
