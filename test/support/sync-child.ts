/** Syncs everything in a separate process that a test can kill: `node sync-child.ts FOLDER ADDRESS [GATEWAY KEY]`. */
import { createCore } from '../../src-main/core/core.ts';
import { memoryKeys } from './keys.ts';
import { plainPorts } from './plain-ports.ts';

const [folder = '', address = '', gateway, key = ''] = process.argv.slice(2);
const core = await createCore({
  ...plainPorts({ dataFolder: folder, address }),
  gateway: () => (gateway === undefined ? null : { address: gateway, demo: false, from: 'option' }),
  keys: memoryKeys(gateway === undefined ? null : { key, origin: gateway }),
});
const reply = await core.wire.call('sync.run', { urgency: 'now' });
await core.close();
process.exitCode = reply.ok && reply.value.ok ? 0 : 1;
