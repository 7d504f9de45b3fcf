import type { ReportKind } from './model/report.ts';
import type { Gateway } from './model/gateway.ts';
import type { Counts } from './model/counts.ts';
import type { ModelListName } from './model/resource.ts';
import type { SyncStatus } from './model/sync-status.ts';
import type { Settings } from './settings.ts';
import type { Workload } from './model/model.ts';
import type { NotificationGroup } from './model/notification.ts';
import type { SinceLastVisit } from './model/visit.ts';

/** A command of the desktop's menu: show a view, or do what one of the page's buttons does. */
export type AppCommand =
  'feed' | 'hotTopics' | 'stories' | 'archive' | 'models' | 'search' | 'back' | 'export' | 'shortcuts' | 'dataHealth';

/** What the core announces. Events have no reply and may be missed: each says enough to catch up. */
export interface Events {
  /**
   * Everything may be different: another news service, a restore, a rebuilt mirror, an import. Read again whatever is shown or
   * kept: no other event says what changed. Changed settings have their own event as well.
   */
  'data.replaced': Record<string, never>;
  /** Rows changed. `ids` names what may look different now (revised, withdrawn, or taken into the selected set), or is null
   * when they are too many to name. */
  'items.changed': { added: number; revised: number; withdrawn: number; ids: string[] | null };
  /** Read or starred states changed. `ids` as above. */
  'marks.changed': { ids: string[] | null };
  'counts.changed': Counts;
  'sync.changed': SyncStatus;
  'settings.changed': Settings;
  /** Something of these was saved again: read again what of it is shown. */
  'hotTopics.changed': Record<string, never>;
  'stories.changed': { publicIds: string[] };
  'reports.changed': { kind: ReportKind; labels: string[] };
  'visits.changed': SinceLastVisit;
  /** Models of these model lists, or what the reader did with them. */
  'models.changed': { modelLists: ModelListName[] };
  'workloads.changed': { workloads: Workload[] };
  'gateway.changed': Gateway;
  /** To be shown once: as a desktop notification, or by the page as a browser notification. */
  'notifications.raised': NotificationGroup;
  /** The history grew. */
  'notifications.changed': Record<string, never>;
  /** The active window is to go somewhere: it calls `app.takeTarget`. */
  'app.goTo': Record<string, never>;
  /** A command of the desktop's menu, for the active window only. */
  'app.command': { command: AppCommand };
}

export type EventName = keyof Events;

/** Sends an event to whoever listens. */
export type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

export const EVENT_NAMES = [
  'data.replaced',
  'items.changed',
  'marks.changed',
  'counts.changed',
  'sync.changed',
  'settings.changed',
  'hotTopics.changed',
  'stories.changed',
  'reports.changed',
  'visits.changed',
  'models.changed',
  'workloads.changed',
  'gateway.changed',
  'notifications.raised',
  'notifications.changed',
  'app.goTo',
  'app.command',
] as const satisfies readonly EventName[];
