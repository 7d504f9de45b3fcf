import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App } from 'electron';

/**
 * Where everything is kept: `BROADSHEET_DATA`, else the system's folder for the app. Must run before the app is ready
 * and before it asks for the single-instance lock, which is kept for each data folder by itself.
 *
 * A folder that cannot be made is left to the core, which says what is wrong with it.
 */
export function chooseDataFolder(app: Pick<App, 'getPath' | 'setPath'>, environment: NodeJS.ProcessEnv): string {
  const chosen = environment['BROADSHEET_DATA'];
  const folder = chosen ? resolve(chosen) : app.getPath('userData');
  // Chromium's caches in a folder of their own, so that a backup of the data folder can leave them out.
  const browserFolder = join(folder, 'chromium');
  try {
    mkdirSync(browserFolder, { recursive: true });
  } catch {
    return folder;
  }
  app.setPath('userData', folder);
  app.setPath('sessionData', browserFolder);
  return folder;
}
