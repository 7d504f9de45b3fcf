import { app } from 'electron';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, isAbsolute, relative } from 'node:path';
import { isRunning } from '../core/files/atomic-write.ts';
import { realPathOf } from './data-folder.ts';

/** The installers must register the same names, or notifications and badges do not work. */
export const APP_ID = 'app.broadsheet';
export const DESKTOP_FILE = 'broadsheet.desktop';
/** The uninstaller removes it. */
export const TOAST_ACTIVATOR = '{DFF08C9D-64C4-4B7C-AC44-AA118B5CBD12}';

/** Electron writes these into the Start menu at the first notification; `npm start` must not use the app's own. */
const ON_WINDOWS = {
  installed: { appId: APP_ID, activator: TOAST_ACTIVATOR },
  development: { appId: `${APP_ID}.development`, activator: '{570B3145-0895-4B43-A18A-4D2605CF90D8}' },
} as const;
const DEVELOPMENT_NAME = 'Broadsheet (development)';

/** Must run before the app is ready. */
export function identify(platform: NodeJS.Platform): void {
  if (platform === 'linux') app.setDesktopName(DESKTOP_FILE);
  if (platform !== 'win32') return;
  const { appId, activator } = app.isPackaged ? ON_WINDOWS.installed : ON_WINDOWS.development;
  if (!app.isPackaged) app.setName(DEVELOPMENT_NAME);
  app.setAppUserModelId(appId);
  // Fixed, so that a click after the app has quit still finds it. By default it is random in every run.
  app.setToastActivatorCLSID(activator);
}

/** `unlocked`: the lock failed although no other instance holds it. Electron reports that like `second`. */
type Instance = 'first' | 'second' | 'unlocked';

const MARK = 'instance.json';

/** It only saves a second window, since the core's own lock guards the data, so the app also starts without it. */
export function claimInstance(folder: string | null): Instance {
  if (folder === null) return 'unlocked';
  const file = join(folder, MARK);
  if (!app.requestSingleInstanceLock()) return isHeld(file) ? 'second' : 'unlocked';
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
  } catch {
    // A second start then opens a window that says that the data is in use.
  }
  return 'first';
}

/** Network homes are shared by several computers, so the file names one. */
function isHeld(file: string): boolean {
  try {
    const { pid, host } = JSON.parse(readFileSync(file, 'utf8')) as { pid?: unknown; host?: unknown };
    if (host !== hostname() || typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return false;
    return pid !== process.pid && isRunning(pid);
  } catch {
    return false;
  }
}

/** Removes another program's variables, inherited from a terminal in it: a restart would start that program. */
export function forgetForeignAppImage(environment: NodeJS.ProcessEnv, executable: string): void {
  const { APPIMAGE, APPDIR } = environment;
  if (APPIMAGE === undefined || (APPDIR && isInside(executable, APPDIR))) return;
  delete environment['APPIMAGE'];
  delete environment['APPDIR'];
  delete environment['ARGV0'];
  delete environment['OWD'];
}

function isInside(file: string, folder: string): boolean {
  const path = relative(realPathOf(folder), realPathOf(file));
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
}
