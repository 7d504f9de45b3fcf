import type { Counts } from '../../contract/model/item.ts';
import type { SyncStatus } from '../../contract/model/sync-status.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Wire } from '../../contract/wire.ts';

export interface TrayModel {
  settings: Settings;
  counts: Counts | null;
  sync: SyncStatus | null;
  /** The core could not be opened. */
  broken: boolean;
}

export function initialTrayModel(settings: Settings): TrayModel {
  return { settings, counts: null, sync: null, broken: false };
}

export function watchTrayModel(wire: Wire, settings: Settings, show: (trayModel: TrayModel) => void): void {
  let trayModel = initialTrayModel(settings);
  const change = (members: Partial<TrayModel>): void => {
    trayModel = { ...trayModel, ...members };
    show(trayModel);
  };
  wire.on('settings.changed', (changed) => change({ settings: changed }));
  wire.on('counts.changed', (counts) => change({ counts }));
  wire.on('sync.changed', (sync) => change({ sync }));
  wire.on('data.replaced', () => void read(() => true));
  change({});
  // Values from an event in the meantime are newer.
  void read((name) => trayModel[name] === null);

  async function read(isWanted: (name: 'counts' | 'sync') => boolean): Promise<void> {
    const [counts, sync] = await Promise.all([wire.call('counts.get', {}), wire.call('sync.status', {})]);
    if (counts.ok && isWanted('counts')) change({ counts: counts.value });
    if (sync.ok && isWanted('sync')) change({ sync: sync.value });
    if (!counts.ok && !sync.ok) change({ broken: true });
  }
}

export function unreadOf({ counts, sync }: Pick<TrayModel, 'counts' | 'sync'>): number {
  return sync?.selectedComplete ? (counts?.selected.unread ?? 0) : 0;
}
