import { rm } from 'node:fs/promises';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import type { Capabilities } from '../../src-main/contract/model/capabilities.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { READER_SETTINGS } from '../support/reader-settings.ts';
import type { Ports } from '../../src-main/contract/ports.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { createCore } from '../../src-main/core/core.ts';
import { RunCredentials } from '../../src-main/core/credentials/key-stores.ts';
import { resolveGateway, resolveNewsSource } from '../../src-main/core/settings/sources.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { connectThroughFake } from '../electron/fake/index.ts';
import { newDataFolder, startTestServer, writeSettings } from '../support/test-server.ts';
import { openPageOf } from './page-of-http.ts';
import { ENGINE_MODULE } from '../support/built-node.ts';

export interface OpenWire {
  wire: Wire;
  close(): Promise<void>;
}

export interface WireKind {
  name: string;
  host: Capabilities['host'];
  /** A new installation with the news service at `newsAddress` in its settings. */
  open(newsAddress: string): Promise<OpenWire>;
}

/** All ways for a page or a program to call the core. */
export const WIRES: readonly WireKind[] = [
  { name: 'in process, in memory', host: 'node', open: (address) => openInProcess(address, ':memory:') },
  {
    name: 'with the engine in its own thread',
    host: 'node',
    open: (address) => inNewFolder((...where) => openInProcess(...where, { engineModule: ENGINE_MODULE }), address),
  },
  { name: "over the Node host's HTTP", host: 'node', open: (address) => inNewFolder(openOverHttp, address) },
  {
    name: "over Electron's IPC, stood in for",
    host: 'electron',
    open: (address) => inNewFolder(openThroughElectron, address),
  },
];

async function openInProcess(newsAddress: string, dataFolder: string, more: Partial<Ports> = {}): Promise<OpenWire> {
  let settings: Settings = { ...READER_SETTINGS, newsAddress };
  const core = await createCore({
    dataFolder,
    clock: systemClock,
    log: () => undefined,
    settings: { get: () => settings, set: (changed) => (settings = changed) },
    capabilities: NO_HOST,
    source: (current) => resolveNewsSource({ settings: current, startDemo: noDemo }),
    gateway: (current, news) => resolveGateway({ settings: current, news }),
    keys: new RunCredentials(null),
    openExternal: () => Promise.resolve(),
    ...more,
  });
  return { wire: core.wire, close: () => core.close() };
}

const NO_HOST: Capabilities = {
  host: 'node',
  version: '0.0.0',
  platform: process.platform,
  locale: 'en',
  unsandboxed: false,
  tray: false,
  notifications: false,
  opensLinks: true,
  pdf: false,
  windows: false,
  launchAtLogin: false,
  dataFolder: false,
  updates: false,
};

function noDemo(): Promise<never> {
  return Promise.reject(new BroadsheetError('unreachable', 'This test has no demo service.'));
}

async function openOverHttp(newsAddress: string, dataFolder: string): Promise<OpenWire> {
  const reader = await startTestServer({ dataFolder, settings: { newsAddress } });
  const page = await openPageOf(reader.address);
  return {
    wire: page.wire,
    async close() {
      await page.leave();
      await reader.close();
    },
  };
}

async function openThroughElectron(newsAddress: string, dataFolder: string): Promise<OpenWire> {
  await writeSettings(dataFolder, { newsAddress });
  return connectThroughFake({ dataFolder });
}

async function inNewFolder(
  open: (newsAddress: string, dataFolder: string) => Promise<OpenWire>,
  newsAddress: string,
): Promise<OpenWire> {
  const folder = await newDataFolder();
  const { wire, close } = await open(newsAddress, folder);
  return {
    wire,
    async close() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
