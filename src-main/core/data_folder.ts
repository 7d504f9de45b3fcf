import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The data folder of this run, the same for every host: what was named, else `BROADSHEET_DATA` (an empty one counts as not
 * set), else the usual place of this platform.
 */
export function dataFolderOf(named: string | undefined, environment: Environment): string {
  return resolve(named ?? (environment['BROADSHEET_DATA'] || defaultDataFolder(environment)));
}

/** Where an app keeps its data on this platform. */
export function defaultDataFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
  homeVariable: string = homedir(),
): string {
  // An empty HOME would make the current folder the place.
  const home = homeVariable || userInfo().homedir;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Broadsheet');
  if (platform === 'win32') return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Broadsheet');
  // The XDG rules: a relative path there counts as not set.
  const data = environment['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), 'broadsheet');
}
