import type { StoredNotification } from '../../contract/model/notification.ts';
import type { Invocation } from '../invocation.ts';
import { ask } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { counted, localTime, oneLine } from '../terminal.ts';
import { notificationAsJson } from './json-names.ts';
import { writeList } from './reading.ts';

/** As long as the history is. */
const MOST = 500;

/** The history of notifications, newest first. */
export function listNotifications(invocation: Invocation, { limit }: { limit?: number }): Promise<ExitCode> {
  return writeList(invocation, {
    ...(limit !== undefined && { limit }),
    read: async (wire) =>
      (await ask(wire, 'notifications.list', { limit: Math.min(limit ?? MOST, MOST) })).notifications,
    asJson: notificationAsJson,
    words: notificationInWords,
    empty: 'There is nothing that was worth telling yet.',
  });
}

function notificationInWords(notification: StoredNotification): string {
  const { at, title, toldAt } = notification;
  const silent = toldAt === null ? ' (not told)' : '';
  return oneLine(`${localTime(at)} ${happeningInWords(notification)}${title === '' ? '' : `: ${title}`}${silent}`);
}

function happeningInWords({ kind, label, count }: StoredNotification): string {
  if (kind === 'models') return `${counted(count, 'model')} changed`;
  if (kind === 'story')
    return count === 0 ? 'a followed story was rewritten' : `${counted(count, 'report')} to a story`;
  return `${kind} ${label ?? ''}`;
}
