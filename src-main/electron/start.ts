import { app, BrowserWindow, ipcMain, nativeTheme, protocol, session, type WebContents } from 'electron';
import { followLocale, localeOf } from '../common/i18n/locale.ts';
import type { EventName } from '../contract/events.ts';
import type { Log, SettingsStore } from '../contract/ports.ts';
import type { Target, WindowTarget } from '../contract/refs.ts';
import type { Wire } from '../contract/wire.ts';
import type { Core } from '../core/types.ts';
import { HookRunner } from '../core/hook.ts';
import type { HostLog } from '../core/log.ts';
import { systemClock } from '../core/system-clock.ts';
import { createCommands } from './commands.ts';
import { guardPages, offerRestart, type Defects, relaunchOptions } from './crash.ts';
import {
  type OpenedLinks,
  handleActivation,
  needsWindow,
  launchArguments,
  type LaunchArguments,
} from './activation.ts';
import { createDesktopIntegration } from './desktop/desktop-integration.ts';
import { caller, connectWire, deferredIpc } from './ipc.ts';
import { installMenus } from './menus/menus.ts';
import {
  openCore,
  systemLanguage,
  wireOf,
  createSources,
  type Sources,
  openFile,
  openSettingsFile,
} from './open-core.ts';
import { servePage } from './page.ts';
import { PAGE_FOLDER } from './paths.ts';
import { watchPower } from './desktop/power-monitor.ts';
import { closeBeforeQuit, killOnPurpose, watchLeaving } from './quit.ts';
import { ArticleWindows, keepWindowsOnScreen, MainWindow, showFirst } from './windows/windows.ts';
import { isUnsandboxed, denyPermissions, blockNetwork } from './security/security.ts';
import { closesToTray, endsWithWindows, startsHidden, type DesktopSupport } from './startup-rules.ts';

interface Early {
  dataFolder: string;
  hostLog: HostLog;
  defects: Defects;
  links: OpenedLinks;
}

/** Runs once Electron is ready. The order of the steps matters. */
export function start({ dataFolder, hostLog, defects, links }: Early): void {
  const { log } = hostLog;
  log('info', 'Broadsheet is starting', { version: app.getVersion(), platform: process.platform });
  if (isUnsandboxed(app.commandLine)) log('warn', 'Broadsheet runs without a sandbox');
  denyPermissions(session.defaultSession);
  blockNetwork(session.defaultSession);
  servePage(protocol, PAGE_FOLDER, log);

  // The core opens last, so that no reading or downloading delays the window.
  const opening = Promise.withResolvers<Core>();
  const core = opening.promise;
  const wire = deferredIpc(wireOf(core, log));
  const settings = openSettingsFile(dataFolder, log);
  followLocale(() => localeOf(settings.get().language, systemLanguage()));

  const isLeaving = watchLeaving();
  guardWindows(defects, isLeaving, log);
  const bounds = openFile(dataFolder, 'window', log);
  const articleWindows = new ArticleWindows(bounds);
  const hidesOnClose = () => !isLeaving() && closesToTray(settings.get(), desktopSupport);
  const main = new MainWindow(bounds, hidesOnClose);

  const goTo = (target: Target) => void core.then((open) => open.goTo(target)).catch(() => undefined);
  const commands = createCommands({ wire, show: () => main.show(), goTo, quit, clock: systemClock, log });
  // Before followTheme: afterwards the desktop's theme can no longer be read.
  const integration = createDesktopIntegration({ settings, file: bounds, wire, commands, log });
  const { offers } = integration;
  const desktopSupport: DesktopSupport = { platform: process.platform, tray: offers.tray };
  followTheme(settings, wire);
  installMenus({ settings, wire, commands, main, log, dataFolder });
  connectWire(ipcMain, wire, (event) => audienceOf(event, main));

  const request = launchArguments(process.argv.slice(1));
  if (!startsHidden(settings.get(), desktopSupport, launchInfo(request)) || needsWindow(request)) main.show();
  handleActivation(request, commands, links, log);
  integration.followOldNotifications();
  watchMachine(wire);
  app.on('window-all-closed', () => {
    if (endsWithWindows(settings.get(), desktopSupport)) quit();
  });

  const sources = createSources(process.env, systemClock);
  const desktop = {
    ...integration.desktop,
    painted: showCaller,
    openWindow: (target: WindowTarget) => articleWindows.open(target),
    show: () => main.show(),
    offerRestart: () => void offerRestart(main.window, restart),
  };
  const hook = new HookRunner({ folder: dataFolder, environment: process.env, clock: systemClock, log });
  wire.on('notifications.found', ({ notifications }) => hook.take(notifications));
  opening.resolve(openCore({ dataFolder, hostLog, settings, sources, offers, desktop }));
  closeBeforeQuit(
    log,
    () => Promise.all([hook.stop(), closeAll(core, sources)]),
    () => killOnPurpose(process.env, process),
  );
  void core.then((open) => startCore(open, defects)).catch(() => undefined);
}

function startCore(core: Core, defects: Defects): void {
  defects.forwardTo((error) => core.reportProblem(error));
  core.start();
}

async function closeAll(core: Promise<Core>, sources: Sources): Promise<void> {
  await core.then((open) => open.close()).catch(() => undefined);
  await sources.close();
}

function guardWindows(defects: Defects, isLeaving: () => boolean, log: Log): void {
  // Windows only: the user logs off or the system shuts down. Only windows are told, and any may be the only one.
  app.on('browser-window-created', (_event, window) => window.on('session-end', quit));
  guardPages({ clock: systemClock, log, report: defects.report, isLeaving, restart, quit });
}

function watchMachine(wire: Wire): void {
  const catchUp = () => void wire.call('sync.run', { urgency: 'due' });
  watchPower({ clock: systemClock, catchUp, quit });
  keepWindowsOnScreen();
}

function audienceOf(event: EventName, main: MainWindow): WebContents[] {
  const windows = event === 'app.goTo' ? [main.window] : BrowserWindow.getAllWindows();
  return windows.flatMap((window) => (window && !window.isDestroyed() ? [window.webContents] : []));
}

function showCaller(): void {
  const contents = caller();
  if (contents) showFirst(contents);
}

function restart(): void {
  app.relaunch(relaunchOptions(process.env, process.argv));
  quit();
}

function quit(): void {
  app.quit();
}

function launchInfo({ hidden }: LaunchArguments) {
  return {
    hiddenArgument: hidden,
    openedAtLogin: process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin,
  };
}

function followTheme(settings: SettingsStore, wire: Wire): void {
  nativeTheme.themeSource = settings.get().theme;
  wire.on('settings.changed', ({ theme }) => (nativeTheme.themeSource = theme));
}
