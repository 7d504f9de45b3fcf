import type { Notice, NoticeKind } from '../../contract/model/notification.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Target } from '../../contract/targets.ts';
import type { NoticeState } from '../../store/notifications/notifications-table.ts';
import { quietUntil } from '../schedule/quiet-hours.ts';

/** A notice that is not settled: of this round, or held back by quiet hours. */
export interface OpenNotice {
  id: number;
  kind: NoticeKind;
  /** Whether it waits from a round before. */
  held: boolean;
  /** The reader has seen it meanwhile, or it is gone. */
  moot: boolean;
  /** A newer one of its kind was known before: it belongs into the history, and is no news. */
  late: boolean;
}

/** What is to become of open notices. */
export interface Ruling {
  states: Map<number, NoticeState>;
  /** Whether what is told makes up for quiet hours. */
  catchUp: boolean;
}

export type NoticeSettings = Pick<Settings, 'notify' | 'quietHours'>;

/** A moment on the reader's clock: ms since 1970, and the IANA name of the zone. */
export interface LocalMoment {
  now: number;
  zone: string;
}

/** Which notices are told now, in one notification; which wait; which only go into the history (docs/decisions/019). */
export function rule(open: readonly OpenNotice[], settings: NoticeSettings, { now, zone }: LocalMoment): Ruling {
  const quiet = quietUntil(settings.quietHours, now, zone) !== null;
  const states = new Map(open.map((notice) => [notice.id, stateOf(notice, settings, quiet)]));
  const catchUp = open.some(({ id, held }) => held && states.get(id) === 'told');
  return { states, catchUp };
}

function stateOf({ kind, moot, late }: OpenNotice, { notify }: NoticeSettings, quiet: boolean): NoticeState {
  // What is silent stays so: a switch that is set again later tells nothing of what came while it was off.
  if (!notify[kind] || moot || late) return 'silent';
  return quiet ? 'held' : 'told';
}

const EDITIONS: readonly NoticeKind[] = ['daily', 'weekly', 'monthly'];

/**
 * Where a click on a notification leads. One notice: to the thing itself. Several editions of one kind: to the newest, for the
 * others are older news. Models alone: to what changed. Anything else: to the history. `notices` are newest first.
 */
export function targetOf(notices: readonly Pick<Notice, 'kind' | 'target'>[]): Target {
  const kinds = new Set(notices.map(({ kind }) => kind));
  const [newest] = notices;
  if (!newest || kinds.size > 1) return { view: 'notices' };
  if (notices.length === 1 || EDITIONS.includes(newest.kind)) return newest.target;
  return { view: newest.kind === 'models' ? 'modelChanges' : 'notices' };
}
