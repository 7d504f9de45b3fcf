import type { ReportKind } from './model/report.ts';
import type { Gateway } from './model/gateway.ts';
import type { Counts } from './model/counts.ts';
import type { ModelListName } from './model/resource.ts';
import type { SyncStatus } from './model/sync-status.ts';
import type { RuleProgress } from './model/rules.ts';
import type { Settings } from './settings.ts';
import type { Workload } from './model/model.ts';
import type { NoteKey } from './model/note.ts';
import type { NotificationGroup } from './model/notification.ts';
import type { SinceLastVisit } from './model/visit.ts';

/** A command of the desktop menu: shows a view, or does what a button of the page does. */
export type AppCommand =
  | 'feed'
  | 'hotTopics'
  | 'stories'
  | 'archive'
  | 'models'
  | 'sources'
  | 'statistics'
  | 'search'
  | 'palette'
  | 'back'
  | 'forward'
  | 'export'
  | 'shortcuts'
  | 'dataHealth';

/** Events that the core sends. They have no reply and may be missed, so each contains enough to catch up. */
export interface Events {
  /**
   * Everything may have changed: another news service, a restored backup, a rebuilt mirror, an import. Reload
   * everything that is shown or cached; no other event follows, except `settings.changed` if settings changed as well.
   */
  'data.replaced': Record<string, never>;
  /**
   * Items changed. `ids` lists those that may look different now (revised, withdrawn, or added to the selected set);
   * null if there are too many to list.
   */
  'items.changed': { added: number; revised: number; withdrawn: number; ids: string[] | null };
  /** Read or starred states changed. `ids` as in `items.changed`. */
  'marks.changed': { ids: string[] | null };
  'counts.changed': Counts;
  /**
   * Saved searches or mute rules changed, or saved items were matched with them. When `progress` is null all are: lists may
   * have other items than before.
   */
  'rules.changed': { progress: RuleProgress | null };
  'sync.changed': SyncStatus;
  'settings.changed': Settings;
  /** The ranking, some stories or some reports were saved again: reload what is shown of them. */
  'hotTopics.changed': Record<string, never>;
  'stories.changed': { publicIds: string[] };
  'reports.changed': { kind: ReportKind; labels: string[] };
  'visits.changed': SinceLastVisit;
  /** The note about a thing was saved or removed. */
  'notes.changed': NoteKey & { noted: boolean };
  /** Models of these model lists changed, or what the user did with them. */
  'models.changed': { modelLists: ModelListName[] };
  'workloads.changed': { workloads: Workload[] };
  'gateway.changed': Gateway;
  /** Show once: as a desktop notification, or as a browser notification of the page. */
  'notifications.raised': NotificationGroup;
  /** The notification history changed. */
  'notifications.changed': Record<string, never>;
  /** The active window should call `app.takeTarget` and show that view. */
  'app.goTo': Record<string, never>;
  /** The engine stopped and isn't back at once, or it runs again. Until then nothing is fetched, and no change is saved. */
  'engine.changed': { running: boolean };
  /** A command of the desktop menu, sent to the active window only. */
  'app.command': { command: AppCommand };
}

export type EventName = keyof Events;

/** Sends an event to all listeners. */
export type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

export const EVENT_NAMES = [
  'data.replaced',
  'items.changed',
  'marks.changed',
  'counts.changed',
  'rules.changed',
  'sync.changed',
  'settings.changed',
  'hotTopics.changed',
  'stories.changed',
  'reports.changed',
  'visits.changed',
  'notes.changed',
  'models.changed',
  'workloads.changed',
  'gateway.changed',
  'notifications.raised',
  'notifications.changed',
  'app.goTo',
  'engine.changed',
  'app.command',
] as const satisfies readonly EventName[];
