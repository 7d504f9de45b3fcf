import { app, BrowserWindow, dialog, ipcMain, type OpenDialogOptions, safeStorage, shell } from 'electron';
import Store from 'electron-store';
import { m } from '../common/i18n/messages.ts';
import { BroadsheetError, toFailure } from '../contract/errors.ts';
import type { Capabilities } from '../contract/model/capabilities.ts';
import { isDemoKind, type NewsSource } from '../contract/model/sync-status.ts';
import type { Clock, Credential, Desktop, Log, SettingsStore } from '../contract/ports.ts';
import type { Settings } from '../contract/settings.ts';
import type { Wire } from '../contract/wire.ts';
import { createCore } from '../core/core.ts';
import { bindKey, keyFrom } from '../core/credentials/key-stores.ts';
import { checkNewFolder, folderProblem, rememberFolder } from '../core/files/data-folder.ts';
import { openJsonFile, type StoredFile } from '../core/files/json-file.ts';
import type { HostLog } from '../core/log.ts';
import { openSettings } from '../core/settings/settings-file.ts';
import { resolveGateway, resolveNewsSource } from '../core/settings/sources.ts';
import { systemClock } from '../core/system-clock.ts';
import type { Core } from '../core/types.ts';
import { firstLanguage, localeOf } from '../common/i18n/locale.ts';
import { demoStarter } from '../demo/starter.ts';
import { caller, failingWire } from './ipc.ts';
import { COMMAND_FILE, ENGINE_MODULE } from './paths.ts';
import { Keychain, FolderKeychain } from './security/keychain.ts';
import { isUnsandboxed, openLink } from './security/security.ts';
import { loadUpdater, updateCheck } from './updates.ts';
import type { OpenWindow } from './windows/windows.ts';
import { savePdf } from './windows/save-pdf.ts';

export type Offers = Pick<Capabilities, 'tray' | 'notifications' | 'launchAtLogin'>;

interface CorePorts {
  dataFolder: string;
  hostLog: HostLog;
  settings: SettingsStore;
  sources: Sources;
  offers: Offers;
  desktop: Desktop;
}

export function openCore({ dataFolder, hostLog, settings, sources, offers, desktop }: CorePorts): Promise<Core> {
  const problem = folderProblem(undefined, process.env);
  if (problem) return Promise.reject(problem);
  const { log } = hostLog;
  const keys = new Keychain({
    vault: safeStorage,
    platform: process.platform,
    file: openFile(dataFolder, 'key', log),
    log,
    given: environmentKey(process.env, settings.get(), log),
  });
  const folderKeys = new FolderKeychain({
    vault: safeStorage,
    platform: process.platform,
    file: openFile(dataFolder, 'folder-key', log),
    log,
  });
  hostLog.hide(keys);
  const { isPackaged } = app;
  const { resourcesPath } = process;
  const checkForUpdates = updateCheck({ isPackaged, resourcesPath, settings, load: loadUpdater });
  return createCore({
    dataFolder,
    engineModule: ENGINE_MODULE,
    clock: systemClock,
    log,
    settings,
    capabilities: { ...capabilities(offers), updates: checkForUpdates !== undefined },
    source: (current) => sources.choose(current),
    gateway: (current, news) => sources.gateway(current, news),
    keepsService: true,
    keys,
    folderKeys,
    // Electron itself can't run it: it is no Node, and has no stdin on Windows.
    ...(!isPackaged && { commandLine: ['node', COMMAND_FILE] as const }),
    openExternal: (url) => openLink(shell, url),
    desktop: {
      ...desktop,
      showFolder,
      chooseFolder: () => chooseDataFolder(dataFolder),
      chooseSyncedFolder: () => askForFolder(m.dialog_choose_synced_folder()),
      ...(checkForUpdates && { checkForUpdates }),
    },
    savePdf: (name) => savePdf(callingWindow(), { name, dataFolder }),
  });
}

function callingWindow(): OpenWindow | null {
  const contents = caller();
  return contents ? BrowserWindow.fromWebContents(contents) : null;
}

export function wireOf(opening: Promise<Core>, log: Log): Promise<Wire> {
  return opening.then(
    (core) => core.wire,
    (error: unknown) => {
      log('error', 'Could not open the store', { reason: String(error) });
      return failingWire(toFailure(error));
    },
  );
}

export function systemLanguage(): string {
  return firstLanguage(app.getPreferredSystemLanguages());
}

function capabilities(offers: Offers): Omit<Capabilities, 'updates'> {
  return {
    host: 'electron',
    version: app.getVersion(),
    platform: process.platform,
    locale: systemLanguage(),
    unsandboxed: isUnsandboxed(app.commandLine),
    ...offers,
    opensLinks: true,
    pdf: true,
    windows: true,
    dataFolder: true,
  };
}

async function showFolder(folder: string): Promise<void> {
  const failure = await shell.openPath(folder);
  if (failure !== '')
    throw new BroadsheetError('data_unreadable', `Cannot show the folder ${folder}: ${failure}. Check that it exists.`);
}

async function chooseDataFolder(dataFolder: string): Promise<string | null> {
  if (process.env['BROADSHEET_DATA']) {
    const message = 'BROADSHEET_DATA sets the data folder. Change the variable, or start Broadsheet without it.';
    throw new BroadsheetError('not_supported', message);
  }
  const folder = await askForFolder(m.dialog_choose_data_folder(), dataFolder);
  if (folder === null) return null;
  checkNewFolder(folder, dataFolder);
  await rememberFolder(folder, process.env);
  return folder;
}

async function askForFolder(title: string, defaultPath?: string): Promise<string | null> {
  const window = callingWindow();
  const options: OpenDialogOptions = {
    title,
    // macOS shows no title.
    message: title,
    buttonLabel: m.dialog_choose_data_folder_button(),
    ...(defaultPath !== undefined && { defaultPath }),
    properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
  };
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options));
  const [folder] = filePaths;
  return canceled || folder === undefined ? null : folder;
}

export type Sources = ReturnType<typeof createSources>;

export function createSources(environment: NodeJS.ProcessEnv, clock: Clock) {
  const wanted = environment['BROADSHEET_DEMO'] ?? '';
  const kind = isDemoKind(wanted) ? wanted : undefined;
  const demo = demoStarter({ clock, harsh: kind === 'harsh' });
  return {
    choose: (settings: Settings) =>
      resolveNewsSource({
        demo: kind,
        environment: environment['BROADSHEET_NEWS_URL'],
        settings,
        startDemo: () => demo.start(localeOf(settings.language, systemLanguage())),
      }),
    gateway: (settings: Settings, news: NewsSource) =>
      resolveGateway({ demo: kind, environment: environment['BROADSHEET_MODELS_URL'], settings, news }),
    close: demo.close,
  };
}

function environmentKey(environment: NodeJS.ProcessEnv, settings: Settings, log: Log): Credential | null {
  try {
    return bindKey(environment['BROADSHEET_MODELS_URL'] || settings.modelsAddress, keyFrom(environment));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    log('warn', error.message);
    return null;
  }
}

export function openFile(folder: string, name: string, log: Log): StoredFile {
  return openJsonFile({ folder, name, clock: systemClock, log, openWriter: () => openStore(folder, name) });
}

export function openSettingsFile(folder: string, log: Log): SettingsStore {
  return openSettings({ folder, clock: systemClock, log, openWriter: () => openStore(folder, 'settings') });
}

function openStore(folder: string, name: string): Store {
  const store = new Store({ cwd: folder, name, configFileMode: 0o600 });
  // electron-store sends the path of the data folder to any frame on this channel; the page does not need it.
  ipcMain.removeAllListeners('electron-store-get-data');
  return store;
}
