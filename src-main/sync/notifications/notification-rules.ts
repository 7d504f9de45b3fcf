import type { StoredNotification, NotificationKind } from '../../contract/model/notification.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Target } from '../../contract/targets.ts';
import type { NotificationState } from '../../store/index.ts';
import { quietUntil } from '../schedule/quiet-hours.ts';

/** A notification that is not settled: of this round, or held back by quiet hours. */
export interface OpenNotification {
  id: number;
  kind: NotificationKind;
  /** Whether it waits from a round before. */
  held: boolean;
  /** The reader has seen it meanwhile, or it is gone. */
  moot: boolean;
  /** A newer one of its kind was known before: it belongs into the history, and is no news. */
  late: boolean;
}

/** What is to become of open notifications. */
export interface Ruling {
  states: Map<number, NotificationState>;
  /** Whether what is told makes up for quiet hours. */
  catchUp: boolean;
}

export type NotificationSettings = Pick<Settings, 'notify' | 'quietHours'>;

/** A moment on the reader's clock: ms since 1970, and the IANA name of the zone. */
export interface LocalMoment {
  now: number;
  zone: string;
}

/** Which notifications are told now, in one notification; which wait; which only go into the history (docs/decisions/019). */
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
  // What is silent stays so: a switch that is set again later tells nothing of what came while it was off.
  if (!notify[kind] || moot || late) return 'silent';
  return quiet ? 'held' : 'shown';
}

const REPORTS: readonly NotificationKind[] = ['daily', 'weekly', 'monthly'];

/**
 * Where a click on a notification leads. One notification: to the thing itself. Several reports of one kind: to the newest, for the
 * others are older news. Models alone: to what changed. Anything else: to the history. `notifications` are newest first.
 */
export function targetOf(notifications: readonly Pick<StoredNotification, 'kind' | 'target'>[]): Target {
  const kinds = new Set(notifications.map(({ kind }) => kind));
  const [newest] = notifications;
  if (!newest || kinds.size > 1) return { view: 'notifications' };
  if (notifications.length === 1 || REPORTS.includes(newest.kind)) return newest.target;
  return { view: newest.kind === 'models' ? 'modelChanges' : 'notifications' };
}
