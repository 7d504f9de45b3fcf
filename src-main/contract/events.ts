import type { EditionKind } from './model/report.ts';
import type { Gateway } from './model/gateway.ts';
import type { Counts, Listing, SyncStatus } from './model/item.ts';
import type { Settings } from './settings.ts';
import type { Workload } from './model/model.ts';
import type { Notification } from './model/notification.ts';
import type { CaughtUp } from './model/visit.ts';

/** What the desktop's menu asks of a page: to show one of its views, or to do what its own buttons do. */
export type AppCommand =
  'feed' | 'hotTopics' | 'stories' | 'archive' | 'models' | 'search' | 'back' | 'export' | 'shortcuts' | 'dataHealth';

/** What the core tells whoever listens. Events carry no answer and may be missed: every one says enough to catch up. */
export interface Events {
  /** Rows changed. `ids` names what may look different now (revised, withdrawn, or taken into the selected set), or is null
   * when they are too many to name. */
  'items.changed': { added: number; revised: number; withdrawn: number; ids: string[] | null };
  /** The reader's marks changed. `ids` as above. */
  'marks.changed': { ids: string[] | null };
  'counts.changed': Counts;
  'sync.changed': SyncStatus;
  'settings.changed': Settings;
  /** Something of these is stored anew: read again what of it is shown. No ids, no labels: anything may have changed. */
  'hotTopics.changed': Record<string, never>;
  'stories.changed': { publicIds: string[] };
  'editions.changed': { kind: EditionKind; labels: string[] };
  'visits.changed': CaughtUp;
  /** Models of these listings, or what the reader did with them. */
  'models.changed': { listings: Listing[] };
  'workloads.changed': { workloads: Workload[] };
  'gateway.changed': Gateway;
  /** To be shown once, by the host that can: the desktop's own, or the page by its browser's. */
  'notices.raised': Notification;
  /** The history grew, or is of other services now. */
  'notices.changed': Record<string, never>;
  /** The window that is worked in is to go somewhere: it asks for `app.takeTarget`. */
  'app.goTo': Record<string, never>;
  /** The desktop's menu wants something of the page; told to the window in front alone. */
  'app.command': { command: AppCommand };
}

export type EventName = keyof Events;

export const EVENT_NAMES = [
  'items.changed',
  'marks.changed',
  'counts.changed',
  'sync.changed',
  'settings.changed',
  'hotTopics.changed',
  'stories.changed',
  'editions.changed',
  'visits.changed',
  'models.changed',
  'workloads.changed',
  'gateway.changed',
  'notices.raised',
  'notices.changed',
  'app.goTo',
  'app.command',
] as const satisfies readonly EventName[];
