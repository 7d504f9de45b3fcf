import type { StoredNotification, NotificationKind } from '../../contract/model/notification.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Target } from '../../contract/targets.ts';
import type { NotificationState } from '../../store/index.ts';
import { quietUntil } from '../schedule/quiet-hours.ts';

/** An open notification: found in this sync, or held back by quiet hours. */
export interface OpenNotification {
  id: number;
  kind: NotificationKind;
  /** Held back by an earlier sync. */
  held: boolean;
  /** The user has already seen it, or its target is gone. */
  moot: boolean;
  /** A newer one of its kind is already known: it only goes into the history. */
  late: boolean;
}

/** Decisions about open notifications. */
export interface Ruling {
  states: Map<number, NotificationState>;
  /** The shown notifications were held back by quiet hours. */
  catchUp: boolean;
}

export type NotificationSettings = Pick<Settings, 'notify' | 'quietHours'>;

/** A moment in the user's time zone: ms since 1970, and the zone's IANA name. */
export interface LocalMoment {
  now: number;
  zone: string;
}

/**
 * Decides which open notifications are shown now (as one), which wait, and which only go into the history
 * (docs/decisions/019).
 */
export function rule(
  open: readonly OpenNotification[],
  settings: NotificationSettings,
  { now, zone }: LocalMoment,
): Ruling {
  const quiet = quietUntil(settings.quietHours, now, zone) !== null;
  const states = new Map(open.map((notification) => [notification.id, stateOf(notification, settings, quiet)]));
  const catchUp = open.some(({ id, held }) => held && states.get(id) === 'shown');
  return { states, catchUp };
}

function stateOf(
  { kind, moot, late }: OpenNotification,
  { notify }: NotificationSettings,
  quiet: boolean,
): NotificationState {
  // Muted notifications stay muted, even if their kind is enabled again later.
  if (!notify[kind] || moot || late) return 'silent';
  return quiet ? 'held' : 'shown';
}

const REPORTS: readonly NotificationKind[] = ['daily', 'weekly', 'monthly'];

/**
 * Target of a click. For one notification, its own target. For several reports of one kind, the newest. For models
 * only, the change list. Otherwise the history. `notifications` are newest first.
 */
export function targetOf(notifications: readonly Pick<StoredNotification, 'kind' | 'target'>[]): Target {
  const kinds = new Set(notifications.map(({ kind }) => kind));
  const [newest] = notifications;
  if (!newest || kinds.size > 1) return { view: 'notifications' };
  if (notifications.length === 1 || REPORTS.includes(newest.kind)) return newest.target;
  return { view: newest.kind === 'models' ? 'modelChanges' : 'notifications' };
}
