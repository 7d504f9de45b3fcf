import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { dataFolderOf } from '../core/files/data-folder.ts';

/**
 * Tells Electron where everything is kept: in the folder that the command line uses too. Must run before the app is
 * ready and before it asks for the single-instance lock, which is kept for each data folder by itself.
 *
 * A folder that cannot be made is left to the core, which says what is wrong with it.
 */
export function chooseDataFolder(app: Pick<App, 'setPath'>, environment: NodeJS.ProcessEnv): string {
  const folder = dataFolderOf(undefined, environment);
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
