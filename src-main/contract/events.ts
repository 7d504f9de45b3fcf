import type { ReportKind } from './model/report.ts';
import type { Gateway, Workload } from './model/model.ts';
import type { Counts } from './model/item.ts';
import type { ModelListName } from './model/resource.ts';
import type { SyncStatus } from './model/sync-status.ts';
import type { RuleProgress } from './model/search.ts';
import type { Settings } from './settings.ts';
import type { NoteKey } from './model/note.ts';
import type { NewNotification, NotificationGroup } from './model/notification.ts';
import type { SinceLastVisit } from './model/today.ts';

export type AppCommand =
  | 'feed'
  | 'hotTopics'
  | 'archive'
  | 'models'
  | 'sources'
  | 'search'
  | 'palette'
  | 'back'
  | 'forward'
  | 'export'
  | 'shortcuts'
  | 'dataHealth';

type Nothing = Record<string, never>;

interface EventRow<Payload> {
  readonly payload?: Payload;
}

const event = <Payload>(): EventRow<Payload> => ({});

/** Events may be missed, so each contains enough to catch up. */
const EVENTS = {
  /** Reload everything: another news service, a restored backup, a rebuilt mirror, an import. */
  'data.replaced': event<Nothing>(),
  /** `ids` lists items that may look different now; null if there are too many. */
  'items.changed': event<{ added: number; revised: number; withdrawn: number; ids: string[] | null }>(),
  'marks.changed': event<{ ids: string[] | null }>(),
  'counts.changed': event<Counts>(),
  'rules.changed': event<{ progress: RuleProgress | null }>(),
  'sync.changed': event<SyncStatus>(),
  'settings.changed': event<Settings>(),
  'hotTopics.changed': event<Nothing>(),
  'stories.changed': event<{ publicIds: string[] }>(),
  'reports.changed': event<{ kind: ReportKind; labels: string[] }>(),
  'visits.changed': event<SinceLastVisit>(),
  'notes.changed': event<NoteKey & { noted: boolean }>(),
  'models.changed': event<{ modelLists: ModelListName[] }>(),
  'workloads.changed': event<{ workloads: Workload[] }>(),
  'gateway.changed': event<Gateway>(),
  'notifications.raised': event<NotificationGroup>(),
  'notifications.found': event<{ notifications: NewNotification[] }>(),
  'notifications.changed': event<Nothing>(),
  /** The active window should call `app.takeTarget`. */
  'app.goTo': event<Nothing>(),
  /** While it is stopped, nothing is fetched and no change is saved. */
  'engine.changed': event<{ running: boolean }>(),
  'app.command': event<{ command: AppCommand }>(),
};

export type EventName = keyof typeof EVENTS;
export type Events = { [E in EventName]: Exclude<(typeof EVENTS)[E]['payload'], undefined> };
export type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];
