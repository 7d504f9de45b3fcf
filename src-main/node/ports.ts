import { BroadsheetError } from '../contract/errors.ts';
import { NO_DESKTOP, type Capabilities } from '../contract/model/capabilities.ts';
import type { NewsSource } from '../contract/model/sync-status.ts';
import type { Settings } from '../contract/settings.ts';
import type { KeyStore, Log, Ports, SettingsStore } from '../contract/ports.ts';
import { HostLog, openLogFile } from '../core/log.ts';
import { KeyFile, keyInFile, MarksKeyFile } from '../core/credentials/key-files.ts';
import { boundTo, KEY_VARIABLE, RunCredentials } from '../core/credentials/run-credentials.ts';
import { readSettings } from '../core/settings/settings-file.ts';
import { resolveGateway, resolveNewsSource } from '../core/settings/sources.ts';
import { systemClock } from '../core/system-clock.ts';
import { demoStarter, type DemoStarter } from '../demo/starter.ts';
import type { Invocation } from './invocation.ts';
import { createStderrLog } from './shell.ts';
import { appVersion, COMMAND_FILE } from './project.ts';

interface NodePortsOptions {
  writable: boolean;
  /** If false, the demo service is not started. */
  fetches: boolean;
  /** Runs the engine in a separate thread; worthwhile for a long-running process that also serves a page. */
  engineModule?: URL;
  /** Writes the log file in the data folder too. */
  keepsLog?: boolean;
  /** Saves a key in the data folder's file even if there is none yet. */
  savesKey?: boolean;
  savesMarksKeys?: boolean;
  opensLinks?: boolean;
  gaveUp?: (error: unknown) => void;
}

export interface NodePorts {
  ports: Ports;
  close: () => Promise<void>;
}

export async function createNodePorts(invocation: Invocation, options: NodePortsOptions): Promise<NodePorts> {
  const demo = options.fetches ? demoStarter({ clock: systemClock, harsh: invocation.demo === 'harsh' }) : NO_DEMO;
  const { dataFolder: folder, newsOption, newsEnvironment } = invocation;
  const { demo: wanted } = invocation;
  const models = { option: invocation.modelsOption, demo: wanted, environment: invocation.modelsEnvironment };
  const file = options.keepsLog ? [openLogFile({ folder, clock: systemClock })] : [];
  const hostLog = new HostLog(createStderrLog(invocation.shell), ...file);
  const { log } = hostLog;
  const settings = await openSettings(folder, log, options.writable);
  const keys = openKeys(invocation, settings, { ...options, log: options.fetches ? log : () => undefined });
  hostLog.hide(keys);
  const ports: Ports = {
    dataFolder: folder,
    ...(options.engineModule && { engineModule: options.engineModule }),
    ...(options.gaveUp && { gaveUp: options.gaveUp }),
    clock: systemClock,
    log,
    settings,
    capabilities: nodeCapabilities(),
    source: (current: Settings) =>
      resolveNewsSource({
        option: newsOption,
        demo: wanted,
        environment: newsEnvironment,
        settings: current,
        startDemo: demo.start,
      }),
    gateway: (current: Settings, news: NewsSource) => resolveGateway({ ...models, settings: current, news }),
    keys,
    marksKeys: new MarksKeyFile(folder, options.savesMarksKeys ?? false, log),
    commandLine: [process.execPath, COMMAND_FILE],
    openExternal: (url) =>
      options.opensLinks
        ? invocation.shell.browser.open(url)
        : Promise.reject(new BroadsheetError('link_refused', 'This host cannot open links. The browser opens them.')),
  };
  return { ports, close: demo.close };
}

/** There is no keychain: keys are in memory, and may come from the environment or from a file that was asked for. */
function openKeys(
  invocation: Invocation,
  settings: SettingsStore,
  { log, savesKey = false }: { log: Log; savesKey?: boolean },
): KeyStore {
  const { modelsOption, modelsEnvironment, modelsKey } = invocation;
  const address = modelsOption ?? modelsEnvironment ?? settings.get().modelsAddress;
  if (modelsKey && !address)
    log('warn', `${KEY_VARIABLE} is ignored: no model service is set. Use --models or BROADSHEET_MODELS_URL`);
  const given = boundTo(address, modelsKey);
  const saved = keyInFile(invocation.dataFolder, log);
  return saved || savesKey ? new KeyFile(invocation.dataFolder, given, saved) : new RunCredentials('host', given);
}

// The writing code is loaded only if needed: `list` and `status` start twice as fast without it.
async function openSettings(folder: string, log: Log, writable: boolean): Promise<SettingsStore> {
  if (writable) return (await import('./settings-store.ts')).openSettingsStore({ folder, clock: systemClock, log });
  const settings = readSettings({ folder, log });
  return { get: () => settings, set: () => undefined };
}

/** Placeholder address while the demo service is not started. */
export const NO_DEMO_ADDRESS = 'http://127.0.0.1';
const NO_DEMO: DemoStarter = { start: () => Promise.resolve(NO_DEMO_ADDRESS), close: () => Promise.resolve() };

function nodeCapabilities(): Capabilities {
  return {
    ...NO_DESKTOP,
    version: appVersion(),
    platform: process.platform,
    locale: Intl.DateTimeFormat().resolvedOptions().locale,
  };
}
