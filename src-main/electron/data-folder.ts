import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { dataFolderOf } from '../core/files/data-folder.ts';

/**
 * Makes Electron use the data folder of the command line. Must run before the app is ready and before the single-instance
 * lock, which is separate for each data folder.
 *
 * If the folder cannot be created, the core reports the error later.
 */
export function chooseDataFolder(app: Pick<App, 'setPath'>, environment: NodeJS.ProcessEnv): string {
  const folder = dataFolderOf(undefined, environment);
  // A separate folder, so that backups of the data folder can exclude Chromium's caches.
  const browserFolder = join(folder, 'chromium');
  try {
    mkdirSync(browserFolder, { recursive: true, mode: 0o700 });
  } catch {
    return folder;
  }
  app.setPath('userData', folder);
  app.setPath('sessionData', browserFolder);
  return folder;
}
