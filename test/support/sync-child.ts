/** Syncs everything in a separate process that a test can kill: `node sync-child.ts FOLDER ADDRESS [GATEWAY KEY]`. */
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { createCore } from '../../src-main/core/core.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { memoryKeys } from './keys.ts';

const [folder = '', address = '', gateway, key = ''] = process.argv.slice(2);
const core = await createCore({
  dataFolder: folder,
  clock: systemClock,
  log: () => undefined,
  settings: { get: () => DEFAULT_SETTINGS, set: () => undefined },
  capabilities: {
    host: 'node',
    version: '1.2.3',
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
  source: async () => ({ address, demo: false, from: 'option' }),
  gateway: () => (gateway === undefined ? null : { address: gateway, demo: false, from: 'option' }),
  keys: memoryKeys(gateway === undefined ? null : { key, origin: gateway }),
  openExternal: async () => undefined,
});
const reply = await core.wire.call('sync.run', { urgency: 'now' });
await core.close();
process.exitCode = reply.ok && reply.value.ok ? 0 : 1;
