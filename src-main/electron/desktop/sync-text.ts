import type { TrayModel } from './tray-model.ts';
import { isModelList } from '../../contract/model/item.ts';
import { shortTime, type TimeStyle } from '../../words/times.ts';
import type { HostWords } from '../../words/words.ts';

/** The sync status in one line. `now` is ms since 1970. */
export function syncLine(
  { sync, broken }: Pick<TrayModel, 'sync' | 'broken'>,
  now: number,
  words: HostWords['sync'],
  style: TimeStyle,
): string {
  if (broken) return words.broken;
  if (!sync) return words.starting;
  if (sync.resources.some(({ running }) => running)) return words.running;
  const time = (at: string): string => shortTime(Date.parse(at), now, style);
  const { pause, lastSuccessAt } = sync;
  if (pause && isPaused(sync, now)) return pause.until === null ? words.paused : words.pausedUntil(time(pause.until));
  if (sync.reachable === false) return lastSuccessAt === null ? words.offline : words.offlineSince(time(lastSuccessAt));
  // Gateway errors do not count: the models view shows them.
  if (sync.resources.some(({ name, error }) => error !== null && !isModelList(name))) return words.failed;
  return lastSuccessAt === null ? words.never : words.upToDate(time(lastSuccessAt));
}

/** No event reports the end of a pause. */
function isOver({ until }: { until: string | null }, now: number): boolean {
  return until !== null && Date.parse(until) <= now;
}

/** Whether the user has paused polling. */
export function isPaused(sync: TrayModel['sync'], now: number): boolean {
  const pause = sync?.pause ?? null;
  return pause !== null && !isOver(pause, now);
}
