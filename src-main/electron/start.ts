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
import type { EventName } from '../contract/events.ts';
import type { SettingsStore } from '../contract/ports.ts';
import { targetOfLink, type Target, type WindowTarget } from '../contract/targets.ts';
import type { Wire } from '../contract/wire.ts';
import type { Core } from '../core/core.ts';
import type { HostLog } from '../core/host_log.ts';
import { settingsIn } from '../core/settings.ts';
import { systemClock } from '../core/system_clock.ts';
import { wordsFor } from '../words/words.ts';
import { createCommands, type Commands } from './commands.ts';
import { guardPages, type Defects } from './crash.ts';
import { relaunchOptions } from './crash_rules.ts';
import { claimLinks, type OpenedLinks } from './deep_links.ts';
import { layDesk } from './desk.ts';
import { carryWire } from './ipc.ts';
import { lateWire } from './late_wire.ts';
import { layMenus } from './menus.ts';
import { openCore, systemLanguage, wireOf } from './open_core.ts';
import { servePage } from './page.ts';
import { keepInReach } from './page_window.ts';
import { PAGE_FOLDER } from './places.ts';
import { followPower } from './power.ts';
import { closeBeforeQuit, watchLeaving } from './quit.ts';
import { denyPermissions, stayOffNetwork } from './security.ts';
import { ReaderWindows } from './reader_windows.ts';
import { createSources } from './source.ts';
import { startRequest, type StartRequest } from './start_request.ts';
import { closesToTray, endsWithWindows, startsHidden, type Desk } from './startup_rules.ts';
import { openFile } from './stored_file.ts';
import { MainWindow } from './window.ts';

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
  denyPermissions(session.defaultSession);
  stayOffNetwork(session.defaultSession);
  servePage(protocol, PAGE_FOLDER, log);

  // The core opens last of all, so that nothing is read or fetched before the window is on its way.
  const opening = Promise.withResolvers<Core>();
  const core = opening.promise;
  const wire = lateWire(wireOf(core, log));
  const settings = settingsIn(openFile(dataFolder, 'settings', log));

  const words = () => wordsFor(settings.get().language, systemLanguage());

  const isLeaving = watchLeaving(app);
  guardPages({
    app,
    dialog,
    windowOf: (contents) => BrowserWindow.fromWebContents(contents),
    clock: systemClock,
    words,
    log,
    report: defects.report,
    isLeaving,
    restart,
    quit: () => app.quit(),
  });
  const bounds = openFile(dataFolder, 'window', log);
  const readers = new ReaderWindows(bounds);
  const main = new MainWindow({
    bounds,
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
  carryWire(ipcMain, wire, (event) => audienceOf(event, main));
  layMenus({ settings, wire, commands, main, words, log });
  keepInReach();

  const request = startRequest(process.argv.slice(1));
  if (!startsHidden(settings.get(), desk, howStarted(request)) || isSeen(request)) main.show();
  follow(request, commands);
  followApp(commands, () => endsWithWindows(settings.get(), desk));
  links.deliverTo((link) => openTarget(targetOfLink(link), commands));
  claimLinks({ app, isBare: process.defaultApp, executable: process.execPath, argv: process.argv, log });
  followPower({
    monitor: powerMonitor,
    net,
    clock: systemClock,
    catchUp: () => void wire.call('sync.run', { urgency: 'due' }),
    quit: () => app.quit(),
  });

  const sources = createSources(process.env, systemClock);
  const desktop = { openWindow: (target: WindowTarget) => readers.open(target) };
  opening.resolve(openCore({ dataFolder, hostLog, settings, sources, offers, desktop }));
  closeBeforeQuit(app, log, async () => {
    await core.then((open) => open.close()).catch(() => undefined);
    await sources.close();
  });
  void core
    .then((open) => {
      defects.tellTo((error) => open.reportProblem(error));
      open.start();
    })
    .catch(() => undefined);
}

/** Does what a start asks for besides a window. */
function follow({ target, task }: StartRequest, commands: Commands): void {
  if (target) commands.goTo(target);
  if (task === 'latestDaily') commands.openLatestDaily();
  if (task === 'refresh') commands.refresh();
}

/** Whether a start asks for something that is there to be seen. */
function isSeen({ target, task }: StartRequest): boolean {
  return target !== null || task === 'latestDaily';
}

/** A link that leads nowhere shows the window, and says nothing worse. */
function openTarget(target: Target | null, commands: Commands): void {
  if (target) commands.goTo(target);
  else commands.open();
}

/** Does what whoever starts the app again, or clicks it in the dock, wants of it; ends with the last window where it is to. */
function followApp(commands: Commands, endsWithWindows: () => boolean): void {
  app.on('second-instance', (_event, argv) => {
    const request = startRequest(argv.slice(1));
    // A login item may come after a start by hand, and what the taskbar's list has refreshed needs no window.
    if (!request.hidden && request.target === null && request.task === null) commands.open();
    follow(request, commands);
  });
  app.on('activate', () => commands.open());
  app.on('window-all-closed', () => {
    if (endsWithWindows()) app.quit();
  });
}

/** Where one of the windows is to go concerns the one that is worked in; everything else concerns all of them. */
function audienceOf(event: EventName, main: MainWindow): WebContents[] {
  const windows = event === 'app.goTo' ? [main.window] : BrowserWindow.getAllWindows();
  return windows.flatMap((window) => (window && !window.isDestroyed() ? [window.webContents] : []));
}

function restart(): void {
  app.relaunch(relaunchOptions(process.env, process.argv));
  app.quit();
}

function howStarted({ hidden }: StartRequest) {
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
