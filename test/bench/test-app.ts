import { createCore, createReadingCore } from '../../src-main/core/core.ts';
import type { Core } from '../../src-main/core/types.ts';
import { RunCredentials } from '../../src-main/core/credentials/run-credentials.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import type { Args, MethodName, Result } from '../../src-main/contract/api.ts';
import { fromFailure } from '../../src-main/contract/errors.ts';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import type { Ports } from '../../src-main/contract/ports.ts';

/** The whole of Broadsheet as its hosts run it, with the engine in its thread. */
export function openTestApp(address: string, dataFolder: string): Promise<Core> {
  return createCore(portsOf(address, dataFolder));
}

/** Broadsheet as commands that only read open it. */
export function openReadingApp(address: string, dataFolder: string): Promise<Core> {
  return createReadingCore(portsOf(address, dataFolder));
}

function portsOf(address: string, dataFolder: string): Ports {
  return {
    dataFolder,
    engineModule: new URL('../../src-main/core/engine/engine-worker.ts', import.meta.url),
    clock: systemClock,
    log: () => undefined,
    settings: { get: () => DEFAULT_SETTINGS, set: () => undefined },
    capabilities: {
      host: 'node',
      version: 'bench',
      platform: process.platform,
      locale: 'en',
      tray: false,
      notifications: false,
      keychain: false,
      opensLinks: false,
      pdf: false,
      windows: false,
      launchAtLogin: false,
      dataFolder: false,
      updates: false,
    },
    source: () => Promise.resolve({ address, demo: false, from: 'option' }),
    gateway: () => null,
    keys: new RunCredentials('host', null),
    openExternal: () => Promise.resolve(),
  };
}

/** A call whose failure is thrown. */
export async function ask<M extends MethodName>(core: Core, method: M, args: Args<M>): Promise<Result<M>> {
  const reply = await core.wire.call(method, args);
  if (reply.ok) return reply.value;
  throw fromFailure(reply.error);
}
