// One cold mirror by Broadsheet, in a process of its own: node test/bench/cold-mirror.ts ADDRESS FOLDER. Meanwhile its main loop
// reads a list every 10 ms, as an open window does.
import { setTimeout as wait } from 'node:timers/promises';
import type { ItemsQuery } from '../../src-main/contract/model/item.ts';
import { MARKER, MARKERS } from './data.ts';
import { LoopSteps } from './loop-steps.ts';
import { percentile } from './table.ts';
import { ask, openTestApp } from './test-app.ts';

const SELECTED: ItemsQuery = { scope: 'selected', window: 'any', state: 'any' };
const READ_EVERY_MS = 10;

const [address = '', folder = ''] = process.argv.slice(2);
const core = await openTestApp(address, folder);
const reads: number[] = [];
const begun = performance.now();
let rows = 0;
let done = false;
const steps = new LoopSteps();
const reading = readAllTheTime();
const report = await ask(core, 'sync.run', { urgency: 'now', resources: ['selected'] });
if (!report.ok) throw new Error(JSON.stringify(report));
while ((await markersFound()) < MARKERS) await wait(READ_EVERY_MS);
const searchable = performance.now() - begun;
done = true;
await reading;
const step = steps.end();
await core.close();
process.send?.({
  rows,
  searchable,
  memory: process.resourceUsage().maxRSS / 1024,
  longestStep: step.longest,
  p99Step: step.p99,
  longestRead: Math.max(...reads),
  p99Read: percentile(reads, 0.99),
});

async function readAllTheTime(): Promise<void> {
  while (!done) {
    const from = performance.now();
    const page = await ask(core, 'items.page', { query: SELECTED, limit: 50 });
    reads.push(performance.now() - from);
    // The set is shown once it is complete.
    if (rows === 0 && page.rows.length > 0) rows = performance.now() - begun;
    await wait(READ_EVERY_MS);
  }
}

async function markersFound(): Promise<number> {
  return (await ask(core, 'items.page', { query: { ...SELECTED, text: MARKER }, limit: 50 })).rows.length;
}

// The bench was stopped.
process.once('disconnect', () => process.exit());
