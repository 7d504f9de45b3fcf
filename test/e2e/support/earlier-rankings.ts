import { createCore } from '../../../src-main/core/core.ts';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import type { DemoService } from '../../../src-main/demo/service.ts';
import type { FakeClock } from '../../support/clock.ts';
import { memoryKeys } from '../../support/keys.ts';

const STEP = 3_600_000;

/** Syncs the ranking once an hour of the service's clock, so that topics have a history. */
export async function readRankings(
  dataFolder: string,
  { newsAddress }: DemoService,
  clock: FakeClock,
  hours: number,
): Promise<void> {
  const core = await createCore({
    dataFolder,
    clock,
    log: () => undefined,
    settings: { get: () => DEFAULT_SETTINGS, set: () => undefined },
    capabilities: {
      host: 'node',
      version: '0.0.0',
      platform: 'linux',
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
    source: () => Promise.resolve({ address: newsAddress, demo: false, from: 'settings' }),
    gateway: () => null,
    keys: memoryKeys(),
    openExternal: () => Promise.resolve(),
  });
  for (let hour = 0; hour < hours; hour++) {
    await core.wire.call('sync.run', { urgency: 'now', resources: ['hotTopics'] });
    clock.leap(STEP);
  }
  await core.close();
}
