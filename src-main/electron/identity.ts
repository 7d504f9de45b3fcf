import type { App } from 'electron';

/** The installers must register the same names, or notifications and badges do not work. */
export const APP_ID = 'app.broadsheet';
export const DESKTOP_FILE = 'broadsheet.desktop';

/**
 * What Windows knows the app by. Electron writes all three into an entry of the Start menu when it first notifies, so
 * plain Electron, as used by `npm start`, must not use those of the installed app.
 */
const ON_WINDOWS = {
  installed: { appId: APP_ID, activator: '{DFF08C9D-64C4-4B7C-AC44-AA118B5CBD12}' },
  development: { appId: `${APP_ID}.development`, activator: '{570B3145-0895-4B43-A18A-4D2605CF90D8}' },
} as const;
const DEVELOPMENT_NAME = 'Broadsheet (development)';

type Identified = Pick<
  App,
  'isPackaged' | 'setName' | 'setAppUserModelId' | 'setDesktopName' | 'setToastActivatorCLSID'
>;

/** Must run before the app is ready. */
export function identify(app: Identified, platform: NodeJS.Platform): void {
  if (platform === 'linux') app.setDesktopName(DESKTOP_FILE);
  if (platform !== 'win32') return;
  const { appId, activator } = app.isPackaged ? ON_WINDOWS.installed : ON_WINDOWS.development;
  if (!app.isPackaged) app.setName(DEVELOPMENT_NAME);
  app.setAppUserModelId(appId);
  // Fixed, so that a click after the app has quit still finds it. By default it is random in every run.
  app.setToastActivatorCLSID(activator);
}
