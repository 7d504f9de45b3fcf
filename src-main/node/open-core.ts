import { normalServiceAddress } from '../contract/addresses.ts';
import { BroadsheetError } from '../contract/errors.ts';
import { NO_DESKTOP } from '../contract/model/capabilities.ts';
import type { NewsSource } from '../contract/model/sync-status.ts';
import type { KeyStore, Log, Ports, SettingsStore } from '../contract/ports.ts';
import type { Settings } from '../contract/settings.ts';
import { callOf, type Call, type Wire } from '../contract/wire.ts';
import { createCore, createReadingCore } from '../core/core.ts';
import {
  bindKey,
  KEY_VARIABLE,
  KeyFile,
  FolderKeyFile,
  readKeyFile,
  RunCredentials,
} from '../core/credentials/key-stores.ts';
import { HostLog, openLogFile } from '../core/log.ts';
import { readSettings } from '../core/settings/settings-file.ts';
import { resolveGateway, resolveNewsSource } from '../core/settings/sources.ts';
import { systemClock } from '../core/system-clock.ts';
import type { HookRunner } from '../core/hook.ts';
import type { Core } from '../core/types.ts';
import { localeOf } from '../common/i18n/locale.ts';
import { demoStarter, type DemoStarter } from '../demo/starter.ts';
import type { Invocation } from './invocation.ts';
import { appVersion, COMMAND_FILE } from './project.ts';
import { createStderrLog, printWarning } from './shell.ts';
import { warningText } from './terminal-text.ts';

export interface OpenCore {
  core: Core;
  wire: Wire;
  call: Call;
  log: Log;
  /** Closes the core, then the services that it uses. Can be called again. */
  close: () => Promise<void>;
  /** Closing doesn't end what it runs. */
  hook?: HookRunner | undefined;
}

interface PortsOptions {
  writable: boolean;
  /** If false, the demo service is not started. */
  fetches: boolean;
  engineModule?: URL | undefined;
  keepsLog?: boolean;
  /** Saves a key in the data folder's file even if there is none yet, after asking the gateway, whatever `fetches` is. */
  savesKey?: boolean;
  savesFolderKeys?: boolean;
  opensLinks?: boolean;
  gaveUp?: (error: unknown) => void;
}

/** `fetches` is false for commands that only change saved data, which must not switch the folder to another service. */
export interface WritingOptions extends Omit<PortsOptions, 'writable' | 'opensLinks'> {
  keepsService?: boolean;
  runsHook?: boolean;
}

interface ReadingOptions {
  opensLinks?: boolean;
  /** Only the service in use, even if it never sent anything. */
  current?: boolean;
}

/** Opens a core that can write. Errors: `data_in_use`, and those of opening the files. */
export async function openCore(invocation: Invocation, options: WritingOptions): Promise<OpenCore> {
  const { keepsService = false, runsHook = false } = options;
  const { ports, close } = await createNodePorts(invocation, { ...options, writable: true });
  const hook = runsHook ? await openHook(invocation, ports.log) : undefined;
  const chosen = options.fetches
    ? { ...ports, keepsService, findsNews: hook?.isSet ?? false }
    : { ...ports, ...withoutFetching(invocation, ports, options) };
  try {
    const core = await createCore(chosen);
    const opened = { ...toOpenCore(core, ports.log, close), hook };
    if (hook) opened.wire.on('notifications.found', ({ notifications }) => hook.take(notifications));
    // In every run until a file is restored or its warning dismissed.
    const { storageWarnings } = await opened.call('sync.status', {});
    for (const warning of storageWarnings) await printWarning(invocation.shell, warningText(warning));
    return opened;
  } catch (error) {
    await close();
    throw error;
  }
}

async function openHook({ dataFolder: folder, shell: { environment } }: Invocation, log: Log): Promise<HookRunner> {
  const { HookRunner } = await import('../core/hook.ts');
  return new HookRunner({ folder, environment, clock: systemClock, log });
}

/** Opens a core that only reads, even while another process writes. Undefined if nothing is saved yet. */
export async function openReadingCore(
  invocation: Invocation,
  { current = false, ...options }: ReadingOptions = {},
): Promise<OpenCore | undefined> {
  const { ports, close } = await createNodePorts(invocation, { ...options, writable: false, fetches: false });
  try {
    const core = await createReadingCore(ports, { current });
    const opened = toOpenCore(core, ports.log, close);
    if (!current) await printWhoseNews(invocation, core.insteadOf, opened.call);
    return opened;
  } catch (error) {
    if (error instanceof BroadsheetError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Opens the same core. Errors: `not_found` if nothing is saved yet. */
export async function openStored(invocation: Invocation, options: ReadingOptions = {}): Promise<OpenCore> {
  const opened = await openReadingCore(invocation, options);
  if (opened) return opened;
  throw nothingSaved(invocation);
}

export function nothingSaved({ dataFolder }: Invocation): BroadsheetError {
  return new BroadsheetError('not_found', `Nothing saved yet in ${dataFolder}: run \`broadsheet sync\`.`);
}

/** Says so if it isn't the service in use, or the one that the command names: only a sync changes to that. */
async function printWhoseNews(given: Invocation, inUse: string | null, call: Call): Promise<void> {
  const { demo, address } = await call('source.get', {});
  const shown = demo ? 'the demo' : address;
  const named = given.newsOption ?? (given.demo ? undefined : given.newsEnvironment);
  const wanted = inUse ?? (named === undefined ? given.demo && 'the demo' : normalServiceAddress(named));
  if (!wanted || wanted === shown) return;
  await given.shell.err.line(`Showing what was saved from ${shown}, until a sync from ${wanted} is complete.`);
}

function toOpenCore(core: Core, log: Log, closeHost: () => Promise<void>): OpenCore {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= core.close().then(closeHost));
  return { core, wire: core.wire, call: callOf(core.wire), log, close };
}

/** Keeps the service of the saved data. */
function withoutFetching(
  invocation: Invocation,
  ports: Ports,
  { savesKey = false }: { savesKey?: boolean },
): Partial<Ports> {
  const source = storedSourceOr(invocation, ports);
  // With a new key the core begins to fetch the model lists. That closing cancels it is not worth a warning.
  return savesKey ? { source, log: () => undefined } : { source, gateway: () => null };
}

function storedSourceOr(invocation: Invocation, ports: Ports): Ports['source'] {
  return async (settings) => {
    const reading = await openReadingCore(invocation).catch(() => undefined);
    if (!reading) return ports.source(settings);
    const stored = await reading.call('source.get', {}).finally(reading.close);
    return stored.demo ? { ...stored, address: NO_DEMO_ADDRESS } : stored;
  };
}

/** While the demo service is not started. */
const NO_DEMO_ADDRESS = 'http://127.0.0.1';
const NO_DEMO: DemoStarter = { start: () => Promise.resolve(NO_DEMO_ADDRESS), close: () => Promise.resolve() };

export async function createNodePorts(
  invocation: Invocation,
  options: PortsOptions,
): Promise<{ ports: Ports; close: () => Promise<void> }> {
  const { dataFolder: folder, shell, demo: wanted, newsOption, newsEnvironment } = invocation;
  const { engineModule, gaveUp } = options;
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  const demo = options.fetches ? demoStarter({ clock: systemClock, harsh: wanted === 'harsh' }) : NO_DEMO;
  const file = options.keepsLog ? [openLogFile({ folder, clock: systemClock })] : [];
  const hostLog = new HostLog(createStderrLog(shell), ...file);
  const { log } = hostLog;
  const settings = await openSettings(folder, log, options.writable);
  const keys = openKeys(invocation, settings, { ...options, log: options.fetches ? log : () => undefined });
  hostLog.hide(keys);
  const ports: Ports = {
    dataFolder: folder,
    ...(engineModule && { engineModule }),
    ...(gaveUp && { gaveUp }),
    clock: systemClock,
    log,
    settings,
    capabilities: {
      ...NO_DESKTOP,
      version: appVersion(),
      platform: process.platform,
      locale,
    },
    source: (current: Settings) =>
      resolveNewsSource({
        option: newsOption,
        demo: wanted,
        environment: newsEnvironment,
        settings: current,
        startDemo: () => demo.start(localeOf(current.language, locale)),
      }),
    gateway: (current: Settings, news: NewsSource) =>
      resolveGateway({
        option: invocation.modelsOption,
        demo: wanted,
        environment: invocation.modelsEnvironment,
        settings: current,
        news,
      }),
    keys,
    folderKeys: new FolderKeyFile(folder, options.savesFolderKeys ?? false, log),
    commandLine: [process.execPath, COMMAND_FILE],
    openExternal: (url) =>
      options.opensLinks
        ? shell.browser.open(url)
        : Promise.reject(new BroadsheetError('link_refused', 'This host cannot open links. The browser opens them.')),
  };
  return { ports, close: demo.close };
}

/** There is no keychain: keys are in memory, and may come from the environment or from a file that was asked for. */
function openKeys(
  { dataFolder, modelsOption, modelsEnvironment, modelsKey }: Invocation,
  settings: SettingsStore,
  { log, savesKey = false }: { log: Log; savesKey?: boolean },
): KeyStore {
  const address = modelsOption ?? modelsEnvironment ?? settings.get().modelsAddress;
  if (modelsKey && !address)
    log('warn', `${KEY_VARIABLE} is ignored: no model service is set. Use --models or BROADSHEET_MODELS_URL`);
  const given = bindKey(address, modelsKey);
  const saved = readKeyFile(dataFolder, log);
  return saved || savesKey ? new KeyFile(dataFolder, given, saved) : new RunCredentials(given);
}

// The writing code is loaded only if needed: `list` and `status` start twice as fast without it.
async function openSettings(folder: string, log: Log, writable: boolean): Promise<SettingsStore> {
  if (writable) return (await import('./settings-store.ts')).openSettingsStore({ folder, clock: systemClock, log });
  const { settings } = readSettings({ folder, log });
  return { get: () => settings, set: () => undefined };
}
