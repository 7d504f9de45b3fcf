import type { StoredNotification, NotificationKind } from '../../contract/model/notification.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Target } from '../../contract/refs.ts';
import type { NotificationState } from '../../store/index.ts';
import { Temporal } from 'temporal-polyfill';

export interface OpenNotification {
  id: number;
  kind: NotificationKind;
  /** By quiet hours, in an earlier decision. */
  held: boolean;
  /** The user has already seen it, or its target is gone. */
  moot: boolean;
  /** A newer one of its kind is already known: it only goes into the history. */
  late: boolean;
}

export interface Decision {
  states: Map<number, NotificationState>;
  /** Quiet hours held back what is shown. */
  catchUp: boolean;
}

export type NotificationSettings = Pick<Settings, 'notify' | 'quietHours'>;

interface LocalMoment {
  now: number;
  zone: string;
}

/** docs/decisions/019. `moment` is null in a process that shows nothing. */
export function decideStates(
  open: readonly OpenNotification[],
  settings: NotificationSettings,
  moment: LocalMoment | null,
): Decision {
  const ready =
    moment === null ? 'found' : quietUntil(settings.quietHours, moment.now, moment.zone) === null ? 'shown' : 'held';
  const states = new Map(open.map((notification) => [notification.id, stateOf(notification, settings, ready)]));
  const catchUp = open.some(({ id, held }) => held && states.get(id) === 'shown');
  return { states, catchUp };
}

function stateOf(
  { kind, held, moot, late }: OpenNotification,
  { notify }: NotificationSettings,
  ready: NotificationState,
): NotificationState {
  // Muted notifications stay muted, even if their kind is enabled again later.
  if (!notify[kind] || moot || late) return 'silent';
  return held && ready === 'found' ? 'held' : ready;
}

const REPORTS: readonly NotificationKind[] = ['daily', 'weekly', 'monthly'];

/** `notifications` are newest first. */
export function targetOf(notifications: readonly Pick<StoredNotification, 'kind' | 'target'>[]): Target {
  const kinds = new Set(notifications.map(({ kind }) => kind));
  const [newest] = notifications;
  if (!newest || kinds.size > 1) return { view: 'notifications' };
  if (notifications.length === 1 || REPORTS.includes(newest.kind)) return newest.target;
  return { view: newest.kind === 'models' ? 'modelChanges' : 'notifications' };
}

/**
 * Null outside quiet hours. A time that daylight saving skips moves an hour later; the first of a repeated one counts.
 */
export function quietUntil({ on, from, to }: Settings['quietHours'], now: number, zone: string): number | null {
  if (!on || from === to) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  // Quiet hours that began yesterday evening may last into this morning.
  for (const day of [today.subtract({ days: 1 }), today]) {
    const begin = momentOf(day, from, zone);
    const end = momentOf(to < from ? day.add({ days: 1 }) : day, to, zone);
    if (begin <= now && now < end) return end;
  }
  return null;
}

function momentOf(day: Temporal.PlainDate, time: string, zone: string): number {
  return day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;
}
