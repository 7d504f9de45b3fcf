import { ipcMain } from 'electron';
import Store from 'electron-store';
import type { Log, SettingsStore } from '../contract/ports.ts';
import { openJsonFile, type StoredFile } from '../core/files/json-file.ts';
import { openSettings } from '../core/settings/settings-file.ts';
import { systemClock } from '../core/system-clock.ts';

export function openFile(folder: string, name: string, log: Log): StoredFile {
  return openJsonFile({ folder, name, clock: systemClock, log, openWriter: () => openStore(folder, name) });
}

export function openSettingsFile(folder: string, log: Log): SettingsStore {
  return openSettings({ folder, clock: systemClock, log, openWriter: () => openStore(folder, 'settings') });
}

function openStore(folder: string, name: string): Store {
  // 0600: settings are private.
  const store = new Store({ cwd: folder, name, configFileMode: 0o600 });
  // electron-store sends the path of the data folder to any frame on this channel; the page does not need it.
  ipcMain.removeAllListeners('electron-store-get-data');
  return store;
}
