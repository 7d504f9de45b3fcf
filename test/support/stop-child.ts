/**
 * A core in a separate process, with an engine that is busy for ever: `node stop-child.ts FOLDER js|native`. Stops at a
 * signal like the commands do.
 */
import { createCore } from '../../src-main/core/core.ts';
import { onShutdownSignal } from '../../src-main/node/shutdown-signals.ts';
import { plainPorts } from './plain-ports.ts';

const [folder = '', version = ''] = process.argv.slice(2);
const core = await createCore({
  ...plainPorts({ dataFolder: folder, version }),
  engineModule: new URL('busy-engine.ts', import.meta.url),
});
onShutdownSignal(() => void core.close().then(() => process.exit(0)), { watchStdin: false });
await core.wire.call('items.mark', { ids: ['an item'], mark: 'star' });
void core.wire.call('health.check', {});
setInterval(() => undefined, 60_000);
