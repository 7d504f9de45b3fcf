import { ipcMain } from 'electron';
import Store from 'electron-store';
import type { Log } from '../contract/ports.ts';
import { openJsonFile, type StoredFile } from '../core/files/json-file.ts';
import { systemClock } from '../core/system-clock.ts';

/** A small JSON file of the data folder, written by electron-store. Errors and rules: {@link openJsonFile}. */
export function openFile(folder: string, name: string, log: Log): StoredFile {
  return openJsonFile({ folder, name, clock: systemClock, log, openWriter: () => openStore(folder, name) });
}

function openStore(folder: string, name: string): Store {
  // 0600: what the reader configured is nobody else's business.
  const store = new Store({ cwd: folder, name, configFileMode: 0o600 });
  // electron-store tells the data folder to any frame that asks on this channel; ours need not know.
  ipcMain.removeAllListeners('electron-store-get-data');
  return store;
}
