import { app, BrowserWindow, ipcMain, Menu, nativeTheme, protocol, session } from 'electron';
import type { Log, SettingsStore } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import type { Core } from '../core/core.ts';
import { settingsIn } from '../core/settings.ts';
import { systemClock } from '../core/system_clock.ts';
import { createCommands } from './commands.ts';
import { layDesk } from './desk.ts';
import { carryWire } from './ipc.ts';
import { lateWire } from './late_wire.ts';
import { menuTemplate } from './menu.ts';
import { openCore, wireOf } from './open_core.ts';
import { servePage } from './page.ts';
import { PAGE_FOLDER } from './places.ts';
import { closeBeforeQuit, watchLeaving } from './quit.ts';
import { denyPermissions, stayOffNetwork } from './security.ts';
import { createSources } from './source.ts';
import { closesToTray, endsWithWindows, HIDDEN_ARGUMENT, startsHidden, type Desk } from './startup_rules.ts';
import { openFile } from './stored_file.ts';
import { MainWindow } from './window.ts';

/** The start-up from the moment that Electron is ready, in order. */
export function start(dataFolder: string, log: Log): void {
  denyPermissions(session.defaultSession);
  stayOffNetwork(session.defaultSession);
  servePage(protocol, PAGE_FOLDER, log);
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, !app.isPackaged)));

  // The core opens last of all, so that nothing is read or fetched before the window is on its way.
  const opening = Promise.withResolvers<Core>();
  const core = opening.promise;
  const wire = lateWire(wireOf(core, log));
  const settings = settingsIn(openFile(dataFolder, 'settings', log));

  const isLeaving = watchLeaving(app);
  const main = new MainWindow({
    bounds: openFile(dataFolder, 'window', log),
    hides: () => !isLeaving() && closesToTray(settings.get(), desk),
    onSessionEnd: () => app.quit(),
  });
  const commands = createCommands({
    wire,
    show: () => main.show(),
    goTo: (target) => void core.then((open) => open.goTo(target)).catch(() => undefined),
    quit: () => app.quit(),
    clock: systemClock,
    log,
  });
  // The tray looks at the desktop's theme, which the app's own hides from then on.
  const offers = layDesk({ settings, wire, commands, log });
  const desk: Desk = { platform: process.platform, tray: offers.tray };
  followTheme(settings, wire);
  carryWire(ipcMain, wire, () => BrowserWindow.getAllWindows().map((window) => window.webContents));

  if (!startsHidden(settings.get(), desk, howStarted())) main.show();
  followApp(main, () => endsWithWindows(settings.get(), desk));

  const sources = createSources(process.env, systemClock);
  opening.resolve(openCore({ dataFolder, log, settings, sources, offers }));
  closeBeforeQuit(app, log, async () => {
    await core.then((open) => open.close()).catch(() => undefined);
    await sources.close();
  });
  void core.then((open) => open.start()).catch(() => undefined);
}

/** Shows the window to whoever starts the app again or clicks it in the dock, and ends with the last one where it is to. */
function followApp(main: MainWindow, endsWithWindows: () => boolean): void {
  app.on('second-instance', (_event, argv) => {
    // A login item may come after a start by hand.
    if (!argv.includes(HIDDEN_ARGUMENT)) main.show();
  });
  app.on('activate', () => main.show());
  app.on('window-all-closed', () => {
    if (endsWithWindows()) app.quit();
  });
}

function howStarted() {
  return {
    hiddenArgument: process.argv.includes(HIDDEN_ARGUMENT),
    openedAtLogin: process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin,
  };
}

/** The system's own parts of the window, and the page's `prefers-color-scheme`, follow the reader's choice. */
function followTheme(settings: SettingsStore, wire: Wire): void {
  nativeTheme.themeSource = settings.get().theme;
  wire.on('settings.changed', ({ theme }) => (nativeTheme.themeSource = theme));
}
