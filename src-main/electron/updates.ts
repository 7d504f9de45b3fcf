import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { BroadsheetError } from '../contract/errors.ts';
import type { SettingsStore } from '../contract/ports.ts';

export type Updater = Pick<AppUpdater, 'autoDownload' | 'autoInstallOnAppQuit' | 'allowDowngrade' | 'checkForUpdates'>;

export interface UpdatePorts {
  isPackaged: boolean;
  /** Electron's own; it has none where the app is run from its sources. */
  resourcesPath: string | undefined;
  settings: Pick<SettingsStore, 'get'>;
  /** Read when it is first needed: without the reader's wish nothing of it runs. */
  load(): Promise<Updater>;
}

/**
 * Looks for a newer version; undefined where the installer came without an address to ask. It only tells: nothing is
 * downloaded, let alone installed. Errors: `not_supported` while the setting is off, `unreachable`.
 */
export function updateCheck(ports: UpdatePorts): (() => Promise<string | null>) | undefined {
  const { isPackaged, resourcesPath, settings } = ports;
  if (!isPackaged || resourcesPath === undefined || !existsSync(join(resourcesPath, 'app-update.yml')))
    return undefined;
  return async () => {
    if (!settings.get().updates)
      throw new BroadsheetError('not_supported', 'Looking for newer versions is turned off.');
    const found = await ask(await ports.load());
    return found?.isUpdateAvailable ? found.updateInfo.version : null;
  };
}

/** The updater that electron-builder's installers go with. */
export async function loadUpdater(): Promise<Updater> {
  // A getter of a CommonJS module, which no named import finds.
  const { default: updaters } = await import('electron-updater');
  return updaters.autoUpdater;
}

async function ask(updater: Updater) {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  try {
    return await updater.checkForUpdates();
  } catch (error) {
    throw new BroadsheetError('unreachable', 'The list of versions could not be read. Try again later.', {
      retryable: true,
      cause: error,
    });
  }
}
