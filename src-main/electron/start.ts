import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  nativeTheme,
  net,
  powerMonitor,
  protocol,
  session,
  type WebContents,
} from 'electron';
import { followLocale, localeOf } from '../common/i18n/locale.ts';
import type { EventName } from '../contract/events.ts';
import type { Log, SettingsStore } from '../contract/ports.ts';
import type { Target, WindowTarget } from '../contract/targets.ts';
import type { Wire } from '../contract/wire.ts';
import type { Core } from '../core/types.ts';
import type { HostLog } from '../core/log/host-log.ts';
import { settingsIn } from '../core/settings/settings.ts';
import { systemClock } from '../core/system-clock.ts';
import { createCommands } from './commands.ts';
import { guardPages, offerRestart, type Defects } from './crash.ts';
import { relaunchOptions } from './crash-rules.ts';
import type { OpenedLinks } from './activation/deep-links.ts';
import { createDesktopIntegration } from './desktop/desktop-integration.ts';
import { handleActivation, isSeen } from './activation/activation.ts';
import { carryWire } from './ipc.ts';
import { deferredIpc } from './deferred-ipc.ts';
import { layMenus } from './menus/menus.ts';
import { openCore, systemLanguage, wireOf } from './open-core.ts';
import { servePage } from './page.ts';
import { keepInReach } from './windows/page-window.ts';
import { PAGE_FOLDER } from './paths.ts';
import { watchPower } from './desktop/power-monitor.ts';
import { closeBeforeQuit, watchLeaving } from './quit.ts';
import { ArticleWindows } from './windows/article-windows.ts';
import { denyPermissions, stayOffNetwork } from './security/security.ts';
import { createSources, type Sources } from './source.ts';
import { launchArguments, type LaunchArguments } from './activation/launch-arguments.ts';
import { closesToTray, endsWithWindows, startsHidden, type Desk } from './startup-rules.ts';
import { openFile } from './json-file.ts';
import { MainWindow } from './windows/main-window.ts';

/** What was there before Electron was ready. */
interface Early {
  dataFolder: string;
  hostLog: HostLog;
  defects: Defects;
  links: OpenedLinks;
}

/** The start-up from the moment that Electron is ready, in order. */
export function start({ dataFolder, hostLog, defects, links }: Early): void {
  const { log } = hostLog;
  log('info', 'Broadsheet starts', { version: app.getVersion(), platform: process.platform });
  denyPermissions(session.defaultSession);
  stayOffNetwork(session.defaultSession);
  servePage(protocol, PAGE_FOLDER, log);

  // The core opens last of all, so that nothing is read or fetched before the window is on its way.
  const opening = Promise.withResolvers<Core>();
  const core = opening.promise;
  const wire = deferredIpc(wireOf(core, log));
  const settings = settingsIn(openFile(dataFolder, 'settings', log));
  followLocale(() => localeOf(settings.get().language, systemLanguage()));

  const isLeaving = watchLeaving(app);
  guardWindows(defects, isLeaving, log);
  const bounds = openFile(dataFolder, 'window', log);
  const readers = new ArticleWindows(bounds);
  const hides = () => !isLeaving() && closesToTray(settings.get(), desk);
  const main = new MainWindow({ bounds, hides, onSessionEnd: quit });

  const goTo = (target: Target) => void core.then((open) => open.goTo(target)).catch(() => undefined);
  const commands = createCommands({ wire, show: () => main.show(), goTo, quit, clock: systemClock, log });
  // The tray looks at the desktop's theme, which the app's own hides from then on.
  const offers = createDesktopIntegration({ settings, wire, commands, log });
  const desk: Desk = { platform: process.platform, tray: offers.tray };
  followTheme(settings, wire);
  layMenus({ settings, wire, commands, main, log });
  carryWire(ipcMain, wire, (event) => audienceOf(event, main));

  const request = launchArguments(process.argv.slice(1));
  if (!startsHidden(settings.get(), desk, howStarted(request)) || isSeen(request)) main.show();
  handleActivation(request, commands, links, log);
  followMachine(wire);
  app.on('window-all-closed', () => {
    if (endsWithWindows(settings.get(), desk)) quit();
  });

  const sources = createSources(process.env, systemClock);
  const desktop = {
    openWindow: (target: WindowTarget) => readers.open(target),
    offerRestart: () => void offerRestart({ dialog, window: main.window, restart }),
  };
  opening.resolve(openCore({ dataFolder, hostLog, settings, sources, offers, desktop }));
  closeBeforeQuit(app, log, () => closeAll(core, sources));
  void core.then((open) => letRun(open, defects)).catch(() => undefined);
}

function letRun(core: Core, defects: Defects): void {
  defects.tellTo((error) => core.reportProblem(error));
  core.start();
}

/** Requests are aborted, transactions end, files are closed. */
async function closeAll(core: Promise<Core>, sources: Sources): Promise<void> {
  await core.then((open) => open.close()).catch(() => undefined);
  await sources.close();
}

function guardWindows(defects: Defects, isLeaving: () => boolean, log: Log): void {
  guardPages({
    app,
    dialog,
    windowOf: (contents) => BrowserWindow.fromWebContents(contents),
    clock: systemClock,
    log,
    report: defects.report,
    isLeaving,
    restart,
    quit,
  });
}

/** Sleep, network, shutdown and screens. */
function followMachine(wire: Wire): void {
  const catchUp = () => void wire.call('sync.run', { urgency: 'due' });
  watchPower({ monitor: powerMonitor, net, clock: systemClock, catchUp, quit });
  keepInReach();
}

/** Where one of the windows is to go concerns the one that is worked in; everything else concerns all of them. */
function audienceOf(event: EventName, main: MainWindow): WebContents[] {
  const windows = event === 'app.goTo' ? [main.window] : BrowserWindow.getAllWindows();
  return windows.flatMap((window) => (window && !window.isDestroyed() ? [window.webContents] : []));
}

function restart(): void {
  app.relaunch(relaunchOptions(process.env, process.argv));
  quit();
}

function quit(): void {
  app.quit();
}

function howStarted({ hidden }: LaunchArguments) {
  return {
    hiddenArgument: hidden,
    openedAtLogin: process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin,
  };
}

/** The system's own parts of the window, and the page's `prefers-color-scheme`, follow the reader's choice. */
function followTheme(settings: SettingsStore, wire: Wire): void {
  nativeTheme.themeSource = settings.get().theme;
  wire.on('settings.changed', ({ theme }) => (nativeTheme.themeSource = theme));
}
