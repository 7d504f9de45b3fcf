// One cold mirror by Broadsheet, in a process of its own: node test/bench/cold-mirror.ts ADDRESS FOLDER
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ask, openTestApp } from './test-app.ts';

const [address = '', folder = ''] = process.argv.slice(2);
const core = await openTestApp(address, folder);
const delay = monitorEventLoopDelay({ resolution: 1 });
const begun = performance.now();
let rows = 0;
core.wire.on('sync.changed', ({ selectedComplete }) => {
  if (selectedComplete && rows === 0) rows = performance.now() - begun;
});
delay.enable();
const report = await ask(core, 'sync.run', { urgency: 'now', resources: ['selected'] });
const searchable = performance.now() - begun;
delay.disable();
if (!report.ok) throw new Error(JSON.stringify(report));
await core.close();
const loop = { longest: delay.max / 1e6, p99: delay.percentile(99) / 1e6 };
process.send?.({ rows, searchable, memory: process.resourceUsage().maxRSS / 1024, ...loop });
