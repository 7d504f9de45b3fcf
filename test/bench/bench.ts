// Run by scripts/bench.mjs, which describes it and passes its options as JSON. A time by itself says little on a shared machine;
// the ratio to the plainest program (floor/) says more.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { performanceChart } from './chart.ts';
import { start, type Child } from './child.ts';
import { changesBetween, figuresIn } from './compare.ts';
import { goalTable } from './goals.ts';
import { measureMirrors, mirrorTable } from './mirrors.ts';
import { newsboatVersion } from './peers.ts';
import { runningTable } from './running-table.ts';
import type { AppReadings } from './running.ts';
import { table } from './table.ts';
import type { Readings } from './work.ts';

interface Options {
  items: string;
  runs?: string;
  only?: string;
  peers: boolean;
  compare?: string;
  limit: string;
}

const values = JSON.parse(process.argv[2] ?? '') as Options;
const { only } = values;
const isWhole = values.items === '5000,20000,100000' && only === undefined;
const limit = Number(values.limit);
// Before the hours of measuring.
const earlier = values.compare === undefined ? null : figuresIn(readFileSync(values.compare, 'utf8'));
if (earlier?.length === 0) throw new Error(`${values.compare ?? ''} has no tables of a benchmark.`);
const GOALS_NOTE =
  'What a line that is missed spends its time on is in [performance notes](performance-notes.md). `npm run soak`, `npm run ' +
  'scale`, `npm run proofs` and the tests of a simulated month measure the goals that are not in this table. ' +
  'Those of the desktop app are [with Electron](electron.md#figures).';
const docs = join(import.meta.dirname, '..', '..', 'docs');
const sizes = values.items.split(',').map(Number);
const parts: string[] = [];
for (const items of only === 'page' ? [] : sizes) {
  // The largest takes most of the time.
  const runs = only === 'running' ? 1 : Number(values.runs ?? (items > 50_000 ? 3 : 5));
  parts.push(`## ${items.toLocaleString('en')} items`, ...(await measure(items, runs)));
}
const page = isWhole || only === 'page' ? measurePage(Math.max(...sizes)) : '';
if (page !== '') parts.push('## The page', page);
const chart = isWhole ? ['![Ratios to the floor](performance.svg)'] : [];
const goals = ['## Goals', `${GOALS_NOTE}\n\n${goalTable(figuresIn(parts.join('\n')), page)}`];
const text =
  ['# Performance', 'Written by `npm run bench`; do not edit.', about(), ...goals, ...chart, ...parts].join('\n\n') +
  '\n';
if (isWhole) {
  writeFileSync(join(docs, 'performance.md'), text);
  writeFileSync(join(docs, 'performance.svg'), performanceChart(figuresIn(text)));
}
process.stdout.write(text);
if (earlier !== null) compareWith(earlier);

/** Measures waiting times of a person in a real browser, as a Markdown table. */
function measurePage(items: number): string {
  const page = join(import.meta.dirname, 'page', 'page.ts');
  const ended = spawnSync(process.execPath, [page, '--items', String(items)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 20 * 60_000,
  });
  if (ended.status !== 0) throw new Error(`The page could not be measured: exit status ${String(ended.status)}.`);
  return ended.stdout.trim();
}

function compareWith(before: ReturnType<typeof figuresIn>): void {
  const changes = changesBetween(before, figuresIn(text));
  const grown = changes.filter(({ growth, judged }) => judged && growth > limit);
  const lines = changes.map(({ part, work, earlier: was, now, growth, judged }) => {
    const said = judged && growth > limit ? '**beyond the limit**' : judged ? '' : 'not judged';
    return [part, work, `${was.toFixed(2)} x`, `${now.toFixed(2)} x`, growth.toFixed(2), said];
  });
  const head = ['part', 'work', 'earlier', 'now', 'growth', ''];
  process.stdout.write(`\n## Compared with ${values.compare ?? ''}\n\n${table(head, lines)}\n`);
  process.stdout.write(
    `\n${String(grown.length)} of ${String(changes.length)} ratios grew beyond ${String(limit)} times.\n`,
  );
  if (grown.length > 0 || changes.length === 0) process.exitCode = 1;
}

async function measure(items: number, runs: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'broadsheet-bench-'));
  const server = start('server.ts', [String(items), ...(values.peers ? ['feed'] : [])]);
  try {
    const address = String(await server.message());
    const mirrors = await measureMirrors(address, folder, { items, runs, peers: values.peers });
    const made = [`Medians of ${String(runs)} alternated runs.`, mirrorTable(mirrors)];
    if (only === 'mirror') return made;
    const running = await measureRunning(server, address, mirrors.folders);
    const readings = runningTable(running);
    return only === 'running' ? [readings] : [...made, readings];
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
