import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { BroadsheetError } from '../contract/errors.ts';
import type { SettingsStore } from '../contract/ports.ts';

export type Updater = Pick<AppUpdater, 'autoDownload' | 'autoInstallOnAppQuit' | 'allowDowngrade' | 'checkForUpdates'>;

interface UpdatePorts {
  isPackaged: boolean;
  resourcesPath: string | undefined;
  settings: Pick<SettingsStore, 'get'>;
  /** Loaded on first use, so that no updater code runs while the setting is off. */
  load(): Promise<Updater>;
}

/** Checks without downloading. Undefined without an update address. */
export function updateCheck(ports: UpdatePorts): (() => Promise<string | null>) | undefined {
  const { isPackaged, resourcesPath, settings } = ports;
  if (!isPackaged || resourcesPath === undefined || !existsSync(join(resourcesPath, 'app-update.yml')))
    return undefined;
  return async () => {
    if (!settings.get().updates)
      throw new BroadsheetError('not_supported', 'Checking for updates is turned off. Turn it on in Settings.');
    const found = await check(await ports.load());
    return found?.isUpdateAvailable ? found.updateInfo.version : null;
  };
}

export async function loadUpdater(): Promise<Updater> {
  // A getter of a CommonJS module, so a named import does not work.
  const { default: updaters } = await import('electron-updater');
  return updaters.autoUpdater;
}

async function check(updater: Updater) {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  try {
    return await updater.checkForUpdates();
  } catch (error) {
    throw new BroadsheetError('unreachable', 'Could not check for updates. Check the connection and try again later.', {
      retryable: true,
      cause: error,
    });
  }
}
