import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { app } from 'electron';
import { dataFolderOf } from '../core/files/data-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Creates the command line's data folder if possible; if not, the core reports the error later. */
export function chooseDataFolder(environment: NodeJS.ProcessEnv): string {
  const folder = dataFolderOf(undefined, environment);
  createFolder(folder);
  return folder;
}

/**
 * Moves Electron's files to this computer's own disk: its lock needs symbolic links and sockets, which FAT and many
 * network disks lack. Must run before the app is ready and before the single-instance lock.
 */
export function useLocalFolder(dataFolder: string, environment: NodeJS.ProcessEnv): string | null {
  const folder = localFolderOf(dataFolder, environment);
  const browserFolder = join(folder, 'chromium');
  if (!createFolder(browserFolder)) return null;
  app.setPath('userData', folder);
  app.setPath('sessionData', browserFolder);
  return folder;
}

export function localFolderOf(
  dataFolder: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
  homeVariable: string = homedir(),
): string {
  const key = createHash('sha256').update(realPathOf(dataFolder)).digest('hex').slice(0, 16);
  // An empty HOME would result in the current folder.
  return join(localBase(environment, platform, homeVariable || userInfo().homedir), key);
}

function localBase(environment: Environment, platform: NodeJS.Platform, home: string): string {
  // Named after the app's id, because the default data folder has the app's name.
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'app.broadsheet');
  // Not APPDATA, which organizations move to a network disk.
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Broadsheet');
  // XDG specification: relative paths are ignored.
  const state = environment['XDG_STATE_HOME'] ?? '';
  return join(isAbsolute(state) ? state : join(home, '.local', 'state'), 'broadsheet');
}

export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function createFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}
