import { NO_DESKTOP } from '../../src-main/contract/model/capabilities.ts';
import type { Ports } from '../../src-main/contract/ports.ts';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { memoryKeys } from './keys.ts';

interface PlainPorts {
  dataFolder: string;
  /** Address of the news service. Default: one where nothing listens. */
  address?: string;
  /** Default: the test's. */
  version?: string;
}

/** Returns the ports of a core in a separate process: real time, default settings, no gateway, nothing of a desktop. */
export function plainPorts({ dataFolder, address = 'http://127.0.0.1:9', version = '1.2.3' }: PlainPorts): Ports {
  return {
    dataFolder,
    clock: systemClock,
    log: () => undefined,
    settings: { get: () => DEFAULT_SETTINGS, set: () => undefined },
    capabilities: {
      ...NO_DESKTOP,
      version,
      platform: process.platform,
      locale: 'en',
    },
    source: () => Promise.resolve({ address, demo: false, from: 'option' }),
    gateway: () => null,
    keys: memoryKeys(null),
    openExternal: () => Promise.resolve(),
  };
}
