import type { Notice } from '../../contract/model/notification.ts';
import type { Invocation } from '../invocation.ts';
import { ask } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { counted, localTime, oneLine } from '../terminal.ts';
import { writeList } from './reading.ts';

/** As long as the history is. */
const MOST = 500;

/** The history of notifications, newest first. */
export function listNotices(invocation: Invocation, { limit }: { limit?: number }): Promise<ExitCode> {
  return writeList(invocation, {
    ...(limit !== undefined && { limit }),
    read: async (wire) => (await ask(wire, 'notices.list', { limit: Math.min(limit ?? MOST, MOST) })).notices,
    words: noticeInWords,
    empty: 'There is nothing that was worth telling yet.',
  });
}

function noticeInWords(notice: Notice): string {
  const { at, title, toldAt } = notice;
  const silent = toldAt === null ? ' (not told)' : '';
  return oneLine(`${localTime(at)} ${happeningInWords(notice)}${title === '' ? '' : `: ${title}`}${silent}`);
}

function happeningInWords({ kind, label, count }: Notice): string {
  if (kind === 'models') return `${counted(count, 'model')} changed`;
  if (kind === 'story')
    return count === 0 ? 'a followed story was rewritten' : `${counted(count, 'report')} to a story`;
  return `${kind} ${label ?? ''}`;
}
