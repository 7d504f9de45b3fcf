import type { Counts } from '../../contract/model/counts.ts';
import type { SyncStatus } from '../../contract/model/sync-status.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Wire } from '../../contract/wire.ts';

/** What tray, dock and taskbar tell at a tray model. */
export interface TrayModel {
  settings: Settings;
  /** Null until they were read. */
  counts: Counts | null;
  sync: SyncStatus | null;
  /** Whether the core could not be opened. */
  broken: boolean;
}

/** While nothing is known yet. */
export function initialTrayModel(settings: Settings): TrayModel {
  return { settings, counts: null, sync: null, broken: false };
}

/** Tells the first tray model at once, and every later one. */
export function watchTrayModel(wire: Wire, settings: Settings, tell: (trayModel: TrayModel) => void): void {
  let trayModel = initialTrayModel(settings);
  const change = (members: Partial<TrayModel>): void => {
    trayModel = { ...trayModel, ...members };
    tell(trayModel);
  };
  wire.on('settings.changed', (changed) => change({ settings: changed }));
  wire.on('counts.changed', (counts) => change({ counts }));
  wire.on('sync.changed', (sync) => change({ sync }));
  wire.on('data.replaced', () => void read(() => true));
  change({});
  // What an event brought meanwhile is newer.
  void read((name) => trayModel[name] === null);

  async function read(isWanted: (name: 'counts' | 'sync') => boolean): Promise<void> {
    const [counts, sync] = await Promise.all([wire.call('counts.get', {}), wire.call('sync.status', {})]);
    if (counts.ok && isWanted('counts')) change({ counts: counts.value });
    if (sync.ok && isWanted('sync')) change({ sync: sync.value });
    if (!counts.ok && !sync.ok) change({ broken: true });
  }
}

/** How much of the selected set is unread; 0 while nobody knows, and until the set is there to its last item. */
export function unreadOf({ counts, sync }: Pick<TrayModel, 'counts' | 'sync'>): number {
  return sync?.selectedComplete ? (counts?.selected.unread ?? 0) : 0;
}
