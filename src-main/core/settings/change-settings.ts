import type { SettingsStore } from '../../contract/ports.ts';
import { lockDataFolder } from '../../store/index.ts';

/**
 * Does `work` while no other process uses the data folder, without opening its databases. Creates a missing folder.
 * Errors: `data_in_use`, those of opening the folder, and those of `work`.
 */
export function inLockedFolder<T>(folder: string, work: () => T): T {
  const lock = lockDataFolder(folder);
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** {@link inLockedFolder} for the folder's settings, which are read only once it is locked. */
export function withSettings<T>(folder: string, open: () => SettingsStore, work: (store: SettingsStore) => T): T {
  return inLockedFolder(folder, () => work(open()));
}
