/**
 * One operation on user data in a separate process that a test can kill:
 * `node data-child.ts FOLDER import FILE | restore NAME | rebuild`. Prints `begun` before it starts.
 */
import { readFileSync } from 'node:fs';
import { createCore } from '../../src-main/core/core.ts';
import { plainPorts } from './plain-ports.ts';

const [folder = '', what = '', argument = ''] = process.argv.slice(2);
const core = await createCore(plainPorts({ dataFolder: folder }));
const { wire } = core;
const text = what === 'import' ? readFileSync(argument, 'utf8') : '';
process.stdout.write('begun\n');
if (what === 'import') await wire.call('data.import', { text });
if (what === 'restore') await wire.call('data.restore', { name: argument });
if (what === 'rebuild') await wire.call('data.rebuildMirror', {});
process.stdout.write('done\n');
await core.close();
