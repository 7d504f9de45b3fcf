import type { App } from 'electron';

/** The installers must register the same names, or notifications and badges do not work. */
export const APP_ID = 'app.broadsheet';
export const DESKTOP_FILE = 'broadsheet.desktop';

/** Must run before the app is ready. */
export function identify(app: Pick<App, 'setAppUserModelId' | 'setDesktopName'>, platform: NodeJS.Platform): void {
  if (platform === 'win32') app.setAppUserModelId(APP_ID);
  if (platform === 'linux') app.setDesktopName(DESKTOP_FILE);
}
