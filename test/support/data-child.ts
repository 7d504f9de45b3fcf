/**
 * One operation on user data in a separate process that a test can kill:
 * `node data-child.ts FOLDER import FILE | restore NAME | rebuild`. Prints `begun` before it starts.
 */
import { readFileSync } from 'node:fs';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { createCore } from '../../src-main/core/core.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { memoryKeys } from './keys.ts';

const [folder = '', what = '', argument = ''] = process.argv.slice(2);
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
  source: async () => ({ address: 'http://127.0.0.1:9', demo: false, from: 'option' }),
  gateway: () => null,
  keys: memoryKeys(null),
  openExternal: async () => undefined,
});
const { wire } = core;
const text = what === 'import' ? readFileSync(argument, 'utf8') : '';
process.stdout.write('begun\n');
if (what === 'import') await wire.call('data.import', { text });
if (what === 'restore') await wire.call('data.restore', { name: argument });
if (what === 'rebuild') await wire.call('data.rebuildMirror', {});
process.stdout.write('done\n');
await core.close();
