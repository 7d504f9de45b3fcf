// npm run bench [-- --items 5000,20000 --runs 5 --only mirror|running --peers]: measures side by side with the plainest program
// (floor/). A time by itself says little on a shared machine; the ratio says more. A whole run writes docs/performance.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { start, type Child } from './child.ts';
import { measureMirrors, mirrorTable } from './mirrors.ts';
import { newsboatVersion } from './peers.ts';
import { runningTable } from './running-table.ts';
import type { AppReadings } from './running.ts';
import type { Readings } from './work.ts';

const WHOLE = '5000,20000,100000';
const { values } = parseArgs({
  options: {
    items: { type: 'string', default: WHOLE },
    runs: { type: 'string' },
    only: { type: 'string' },
    peers: { type: 'boolean', default: false },
  },
});
const { only } = values;
if (only !== undefined && only !== 'mirror' && only !== 'running') throw new Error('--only takes mirror or running.');
const isWhole = values.items === WHOLE && only === undefined;
const parts: string[] = [];
for (const items of values.items.split(',').map(Number)) {
  // The largest takes most of the time.
  const runs = only === 'running' ? 1 : Number(values.runs ?? (items > 50_000 ? 3 : 5));
  parts.push(`## ${items.toLocaleString('en')} items`, ...(await measure(items, runs)));
}
const text = ['# Performance', 'Written by `npm run bench`; do not edit.', about(), ...parts].join('\n\n') + '\n';
if (isWhole) writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'performance.md'), text);
process.stdout.write(text);

async function measure(items: number, runs: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'broadsheet-bench-'));
  const server = start('server.ts', [String(items), ...(values.peers ? ['feed'] : [])]);
  try {
    const address = String(await server.message());
    const mirrors = await measureMirrors(address, folder, { items, runs, peers: values.peers });
    const made = [`Medians of ${String(runs)} alternated runs.`, mirrorTable(mirrors)];
    if (only === 'mirror') return made;
    const running = await measureRunning(server, address, mirrors.folders);
    const table = runningTable(running);
    return only === 'running' ? [table] : [...made, table];
  } finally {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Both read first, each alone; then the service has 1,000 changes, and each takes them. */
async function measureRunning(
  server: Child,
  address: string,
  folders: { floor: string; ours: string },
): Promise<{ floor: Readings; ours: AppReadings }> {
  const floor = start('floor/reads.ts', [address, join(folders.floor, 'floor.db')]);
  await floor.message();
  const ours = start('running.ts', [address, folders.ours]);
  await ours.message();
  server.process.send(1000);
  await server.message();
  floor.process.send('changes');
  const floorReadings = (await floor.message()) as Readings;
  await floor.end();
  ours.process.send('changes');
  const ourReadings = (await ours.message()) as AppReadings;
  await ours.end();
  return { floor: floorReadings, ours: ourReadings };
}

function about(): string {
  const [cpu] = cpus();
  const database = new Database(':memory:');
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  database.close();
  const date = new Date().toISOString().slice(0, 10);
  const peer = values.peers ? `, newsboat ${newsboatVersion() ?? 'not installed'}` : '';
  const machine = `${String(cpus().length)} cores (${cpu?.model ?? 'unknown'}), ${String(Math.round(totalmem() / 2 ** 30))} GB`;
  return (
    `Measured on ${date}: ${machine}, ${process.platform}, Node ${process.versions.node}, SQLite ${version}${peer}. Items have ` +
    'titles of about 60 characters and summaries of about 300, English and Chinese mixed; their ids are random in time. The ' +
    'server answers pages that were serialised before, from a process of its own. The floor is the plainest program for the ' +
    'same work, in one thread (`test/bench/floor/`): no counters, validators, read states or recovery after a crash.'
  );
}
