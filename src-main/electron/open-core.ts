import { app, BrowserWindow, dialog, safeStorage, shell } from 'electron';
import { toFailure } from '../contract/errors.ts';
import type { Capabilities } from '../contract/model/capabilities.ts';
import type { Desktop, KeyStore, Log, SettingsStore } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import { createCore } from '../core/core.ts';
import type { Core } from '../core/types.ts';
import { folderProblem } from '../core/files/data-folder.ts';
import type { HostLog } from '../core/log/host-log.ts';
import { systemClock } from '../core/system-clock.ts';
import { folderChooser } from './choose-folder.ts';
import { caller, failingWire } from './ipc.ts';
import { Keychain, MarksKeychain } from './security/keychain.ts';
import { openLink } from './security/links.ts';
import { isUnsandboxed } from './security/sandbox.ts';
import type { OpenWindow } from './windows/page-window.ts';
import { COMMAND_FILE, ENGINE_MODULE } from './paths.ts';
import { savePdf } from './windows/save-pdf.ts';
import { environmentKey, type Sources } from './source.ts';
import { openFile } from './json-file.ts';
import { loadUpdater, updateCheck } from './updates.ts';

/** The features that this desktop supports. */
export type Offers = Pick<Capabilities, 'tray' | 'notifications' | 'launchAtLogin'>;

interface CorePorts {
  dataFolder: string;
  hostLog: HostLog;
  settings: SettingsStore;
  sources: Sources;
  offers: Offers;
  desktop: Desktop;
}

/** Creates the core with Electron's ports. Errors: those of {@link createCore}. */
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
  const marksKeys = new MarksKeychain({
    vault: safeStorage,
    platform: process.platform,
    file: openFile(dataFolder, 'marks-key', log),
    log,
  });
  hostLog.hide(keys);
  const folders = folderChooser({
    dialog,
    shell,
    window: callingWindow,
    dataFolder,
    environment: process.env,
  });
  const { isPackaged } = app;
  const { resourcesPath } = process;
  const checkForUpdates = updateCheck({ isPackaged, resourcesPath, settings, load: loadUpdater });
  return createCore({
    dataFolder,
    engineModule: ENGINE_MODULE,
    clock: systemClock,
    log,
    settings,
    capabilities: { ...capabilities(keys, offers), updates: checkForUpdates !== undefined },
    source: (current) => sources.choose(current),
    gateway: (current, news) => sources.gateway(current, news),
    keepsService: true,
    keys,
    marksKeys,
    // Electron itself can't run it: it is no Node, and has no stdin on Windows.
    ...(!isPackaged && { commandLine: ['node', COMMAND_FILE] as const }),
    openExternal: (url) => openLink(shell, url),
    desktop: { ...desktop, ...folders, ...(checkForUpdates && { checkForUpdates }) },
    savePdf: (name) => savePdf(callingWindow(), dialog, { name, dataFolder }),
  });
}

function callingWindow(): OpenWindow | null {
  const contents = caller();
  return contents ? BrowserWindow.fromWebContents(contents) : null;
}

/** The core's wire, or one that fails every call if the core could not be opened. */
export function wireOf(opening: Promise<Core>, log: Log): Promise<Wire> {
  return opening.then(
    (core) => core.wire,
    (error: unknown) => {
      log('error', 'Could not open the store', { reason: String(error) });
      return failingWire(toFailure(error));
    },
  );
}

/** The operating system's preferred language, as a BCP 47 tag. */
export function systemLanguage(): string {
  return app.getPreferredSystemLanguages()[0] ?? app.getLocale();
}

function capabilities({ keeping }: KeyStore, offers: Offers): Omit<Capabilities, 'updates'> {
  return {
    host: 'electron',
    version: app.getVersion(),
    platform: process.platform,
    locale: systemLanguage(),
    unsandboxed: isUnsandboxed(app.commandLine),
    ...offers,
    keychain: keeping === 'keychain',
    opensLinks: true,
    pdf: true,
    windows: true,
    dataFolder: true,
  };
}
