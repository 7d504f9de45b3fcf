/**
 * A core in a separate process, with an engine that is busy for ever: `node stop-child.ts FOLDER js|native`. Stops at a
 * signal like the commands do.
 */
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { createCore } from '../../src-main/core/core.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { onShutdownSignal } from '../../src-main/node/shutdown-signals.ts';
import { memoryKeys } from './keys.ts';

const [folder = '', version = ''] = process.argv.slice(2);
const core = await createCore({
  dataFolder: folder,
  engineModule: new URL('busy-engine.ts', import.meta.url),
  clock: systemClock,
  log: () => undefined,
  settings: { get: () => DEFAULT_SETTINGS, set: () => undefined },
  capabilities: {
    host: 'node',
    version,
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
  source: async () => ({ address: 'http://127.0.0.1:9', demo: false, from: 'option' }),
  gateway: () => null,
  keys: memoryKeys(null),
  openExternal: async () => undefined,
});
onShutdownSignal(() => void core.close().then(() => process.exit(0)), { watchStdin: false });
await core.wire.call('items.mark', { ids: ['an item'], mark: 'star' });
void core.wire.call('health.check', {});
setInterval(() => undefined, 60_000);
