import type { ReportKind } from './model/report.ts';
import type { Gateway, Workload } from './model/model.ts';
import type { Counts } from './model/item.ts';
import type { ModelListName } from './model/resource.ts';
import type { SyncStatus } from './model/sync-status.ts';
import type { RuleProgress } from './model/search.ts';
import type { Settings } from './settings.ts';
import type { NoteKey } from './model/note.ts';
import type { NotificationGroup } from './model/notification.ts';
import type { SinceLastVisit } from './model/today.ts';

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

/** Events may be missed, so each contains enough to catch up. */
export interface Events {
  /**
   * Reload everything: another news service, a restored backup, a rebuilt mirror, an import. Only `settings.changed`
   * follows.
   */
  'data.replaced': Record<string, never>;
  /** `ids` lists items that may look different now; null if there are too many. */
  'items.changed': { added: number; revised: number; withdrawn: number; ids: string[] | null };
  'marks.changed': { ids: string[] | null };
  'counts.changed': Counts;
  /** `progress` is null once all saved items are matched. */
  'rules.changed': { progress: RuleProgress | null };
  'sync.changed': SyncStatus;
  'settings.changed': Settings;
  'hotTopics.changed': Record<string, never>;
  'stories.changed': { publicIds: string[] };
  'reports.changed': { kind: ReportKind; labels: string[] };
  'visits.changed': SinceLastVisit;
  'notes.changed': NoteKey & { noted: boolean };
  'models.changed': { modelLists: ModelListName[] };
  'workloads.changed': { workloads: Workload[] };
  'gateway.changed': Gateway;
  'notifications.raised': NotificationGroup;
  'notifications.changed': Record<string, never>;
  /** The active window should call `app.takeTarget`. */
  'app.goTo': Record<string, never>;
  /** While it is stopped, nothing is fetched and no change is saved. */
  'engine.changed': { running: boolean };
  'app.command': { command: AppCommand };
}

export type EventName = keyof Events;

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
