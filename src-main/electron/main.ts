import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  protocol,
  safeStorage,
  session,
  shell,
} from 'electron';
import { toFailure } from '../contract/errors.ts';
import type { Capabilities } from '../contract/model.ts';
import type { KeyStore, SettingsStore } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import { createCore, type Core } from '../core/core.ts';
import { settingsIn } from '../core/settings.ts';
import { systemClock } from '../core/system_clock.ts';
import { chooseDataFolder } from './data_folder.ts';
import { carryWire, failingWire } from './ipc.ts';
import { Keychain } from './keychain.ts';
import { openLink } from './links.ts';
import { createLog } from './log.ts';
import { menuTemplate } from './menu.ts';
import { registerPageScheme, servePage } from './page.ts';
import { ENGINE_MODULE, PAGE_FOLDER } from './places.ts';
import { closeBeforeQuit } from './quit.ts';
import { savePdf } from './save_pdf.ts';
import { confine, denyPermissions } from './security.ts';
import { createSources, givenKey, type Sources } from './source.ts';
import { openFile } from './stored_file.ts';
import { showWindow } from './window.ts';

// The start-up, in order. What stands before `whenReady` has to: Electron takes it only then.
const log = createLog(Boolean(process.env['BROADSHEET_DEBUG']));
const dataFolder = chooseDataFolder(app, process.env);
registerPageScheme(protocol);
app.enableSandbox();
app.on('web-contents-created', (_event, contents) => confine(contents, leave));

if (app.requestSingleInstanceLock()) {
  // Not awaited here: Electron is ready only after this module has run to its end.
  void app.whenReady().then(start).catch(giveUp);
} else {
  // The first instance hears of this one and shows its window.
  app.quit();
}

/** A defect on the way to the window: an app that stays with nothing to show could not even be quit. */
function giveUp(error: unknown): void {
  log('error', 'Broadsheet could not start', { reason: String(error) });
  app.exit(1);
}

function start(): void {
  denyPermissions(session.defaultSession);
  servePage(protocol, PAGE_FOLDER, log);
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, !app.isPackaged)));

  const settings = settingsIn(openFile(dataFolder, 'settings', log));
  const sources = createSources(process.env, systemClock);
  const core = openCore(settings, sources);
  const wire = wireOf(core);
  carryWire(ipcMain, wire, () => BrowserWindow.getAllWindows().map((window) => window.webContents));
  followTheme(settings, wire);

  const bounds = openFile(dataFolder, 'window', log);
  showWindow(bounds);
  app.on('second-instance', () => showWindow(bounds));
  app.on('activate', () => showWindow(bounds));
  app.on('window-all-closed', () => {
    // On macOS an app without windows stays, ready to be clicked in the dock.
    if (process.platform !== 'darwin') app.quit();
  });
  closeBeforeQuit(app, async () => {
    await core.then((open) => open.close()).catch(() => undefined);
    await sources.close();
  });
  // Last, so that nothing is fetched before the window is on its way.
  void core.then((open) => open.start()).catch(() => undefined);
}

function openCore(settings: SettingsStore, sources: Sources): Promise<Core> {
  const keys = openKeychain(settings);
  return createCore({
    dataFolder,
    engineModule: ENGINE_MODULE,
    clock: systemClock,
    log,
    settings,
    capabilities: capabilities(keys),
    source: (current) => sources.choose(current),
    gateway: (current, news) => sources.gateway(current, news),
    keys,
    openExternal: (url) => openLink(shell, url),
    savePdf: (name) => savePdf(BrowserWindow, dialog, name),
  });
}

function openKeychain(settings: SettingsStore): Keychain {
  return new Keychain({
    vault: safeStorage,
    platform: process.platform,
    file: openFile(dataFolder, 'key', log),
    log,
    given: givenKey(process.env, settings.get(), log),
  });
}

/** The core's wire; where the core did not open, one that answers every call with the reason. */
function wireOf(opening: Promise<Core>): Promise<Wire> {
  return opening.then(
    (core) => core.wire,
    (error: unknown) => {
      log('error', 'Broadsheet could not open its store', { reason: String(error) });
      return failingWire(toFailure(error));
    },
  );
}

function capabilities({ keeping }: KeyStore): Capabilities {
  return {
    host: 'electron',
    version: app.getVersion(),
    platform: process.platform,
    locale: app.getPreferredSystemLanguages()[0] ?? app.getLocale(),
    tray: false,
    notifications: false,
    keychain: keeping === 'keychain',
    opensLinks: true,
    pdf: true,
    windows: false,
    launchAtLogin: false,
    dataFolder: false,
    updates: false,
  };
}

/** The system's own parts of the window, and the page's `prefers-color-scheme`, follow the reader's choice. */
function followTheme(settings: SettingsStore, opening: Promise<Wire>): void {
  nativeTheme.themeSource = settings.get().theme;
  void opening.then((wire) => wire.on('settings.changed', ({ theme }) => (nativeTheme.themeSource = theme)));
}

function leave(address: string): void {
  openLink(shell, address).catch(() => log('warn', 'A link was refused'));
}
