import type { StoredNotification } from '../../../src-main/contract/model/notification.ts';

/** Returns a daily that became known at a time (ms since 1970), with an immediate notification. */
export function madeUpNotification(
  id: number,
  at: number,
  changes: Partial<StoredNotification> = {},
): StoredNotification {
  const time = new Date(at).toISOString();
  return {
    id,
    kind: 'daily',
    at: time,
    title: 'A headline',
    label: '2026-11-20',
    count: 1,
    target: { view: 'report', kind: 'daily', label: '2026-11-20' },
    toldAt: time,
    ...changes,
  };
}
