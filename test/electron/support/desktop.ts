import { RESOURCES } from '../../../src-main/contract/model/resource.ts';
import type { Counts } from '../../../src-main/contract/model/item.ts';
import type { ResourceStatus, SyncStatus } from '../../../src-main/contract/model/sync-status.ts';
import type { StoredNotification, NotificationGroup } from '../../../src-main/contract/model/notification.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import type { Commands } from '../../../src-main/electron/commands.ts';
import type { MenuActions } from '../../../src-main/electron/menus/menu-template.ts';
import type { TrayModel } from '../../../src-main/electron/desktop/tray.ts';

export function statusOf(
  members: Partial<SyncStatus> = {},
  resource: (name: ResourceStatus['name']) => Partial<ResourceStatus> = () => ({}),
): SyncStatus {
  return {
    source: { address: 'http://127.0.0.1:9', demo: false, from: 'settings' },
    gateway: null,
    resources: RESOURCES.map((name) => ({
      name,
      running: false,
      progress: null,
      lastTryAt: null,
      lastSuccessAt: null,
      nextDueAt: null,
      failures: 0,
      confirming: null,
      error: null,
      rows: 0,
      ...resource(name),
    })),
    selectedComplete: true,
    lastSuccessAt: null,
    reachable: null,
    pause: null,
    polling: 'usual',
    storageWarnings: [],
    ...members,
  };
}

export function countsOf(unread: number): Counts {
  const view = { total: 40, unread };
  return {
    selected: view,
    all: { total: 90, unread: 80 },
    starred: { total: 0, unread: 0 },
    muted: { total: 0, unread: 0 },
    saved: [],
    categories: [],
  };
}

export function trayModelOf(members: Partial<TrayModel> = {}, settings: Partial<Settings> = {}): TrayModel {
  return { settings: { ...DEFAULT_SETTINGS, ...settings }, counts: null, sync: null, broken: false, ...members };
}

let lastId = 0;

export const DAILY: StoredNotification = {
  id: 1,
  kind: 'daily',
  at: '2026-03-18T00:01:00Z',
  title: 'Chips and contracts',
  label: '2026-03-18',
  count: 1,
  target: { view: 'report', kind: 'daily', label: '2026-03-18' },
  toldAt: null,
};

export function storyNotification(title: string, count = 2): StoredNotification {
  lastId += 1;
  const target = { view: 'story', publicId: `story-${lastId}` } as const;
  return { id: 100 + lastId, kind: 'story', at: DAILY.at, title, label: null, count, target, toldAt: null };
}

export function modelsNotification(count: number): StoredNotification {
  return {
    id: 50,
    kind: 'models',
    at: DAILY.at,
    title: '',
    label: null,
    count,
    target: { view: 'modelChanges' },
    toldAt: null,
  };
}

export function raised(notifications: StoredNotification[], catchUp = false): NotificationGroup {
  const [only] = notifications.length === 1 ? notifications : [];
  return { notifications, catchUp, target: only ? only.target : { view: 'notifications' } };
}

/** The commands of menus and tray, which only record their calls. */
export function recordCalls(): { calls: unknown[][]; recorder: Commands & MenuActions } {
  const calls: unknown[][] = [];
  const note =
    (_target: object, name: string | symbol) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args]);
  return { calls, recorder: new Proxy({}, { get: note }) as Commands & MenuActions };
}
