import { m } from '../../common/i18n/messages.ts';
import type { TrayModel } from './tray-model.ts';
import { isModelList } from '../../contract/model/resource.ts';
import { shortTime } from '../../common/time.ts';

/** The sync status in one line. `now` is ms since 1970. */
export function syncLine(
  { sync, broken }: Pick<TrayModel, 'sync' | 'broken'>,
  now: number,
  dateLocale: string,
): string {
  if (broken) return m.tray_sync_broken();
  if (!sync) return m.tray_sync_starting();
  if (sync.resources.some(({ running }) => running)) return m.tray_sync_running();
  const time = (at: string): string => shortTime(Date.parse(at), now, dateLocale);
  const { pause, lastSuccessAt } = sync;
  if (pause && isPaused(sync, now))
    return pause.until === null ? m.tray_sync_paused() : m.tray_sync_paused_until({ when: time(pause.until) });
  if (sync.reachable === false)
    return lastSuccessAt === null ? m.tray_sync_offline() : m.tray_sync_offline_since({ when: time(lastSuccessAt) });
  // Gateway errors do not count: the models view shows them.
  if (sync.resources.some(({ name, error }) => error !== null && !isModelList(name))) return m.tray_sync_failed();
  return lastSuccessAt === null ? m.tray_sync_never() : m.tray_sync_up_to_date({ when: time(lastSuccessAt) });
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
