// npm run bench [-- --items 20000 --runs 5]: measures side by side with the floor, prints the tables and writes them into
// docs/performance.md. A time by itself says little on a shared machine; the ratio says more.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runningApp } from './running.ts';
import { figure, median, table } from './table.ts';

interface Mirror {
  rows: number;
  searchable: number;
  memory: number;
  longest?: number;
  p99?: number;
}

const { values } = parseArgs({
  options: { items: { type: 'string', default: '20000' }, runs: { type: 'string', default: '5' } },
});
const items = Number(values.items);
const runs = Number(values.runs);
const folder = mkdtempSync(join(tmpdir(), 'broadsheet-bench-'));
const here = (name: string): string => join(import.meta.dirname, name);

const service = fork(here('service.ts'), [String(items)]);
try {
  const address = String((await once(service, 'message'))[0]);
  // Once unmeasured: the service writes its texts when they are first asked for.
  await mirror('floor/run.ts', address, join(folder, 'warm.db'));
  const { floor, ours } = await coldMirrors(address);
  const running = await runningApp(address, join(folder, `ours-${String(runs)}`), service);
  report([
    '## First download',
    coldTable(floor, ours),
    '## A running app',
    table(
      ['work', 'ms'],
      running.map(({ work, ms }) => [work, figure(ms)]),
    ),
  ]);
} finally {
  service.disconnect();
  rmSync(folder, { recursive: true, force: true });
}

async function coldMirrors(address: string): Promise<{ floor: Mirror[]; ours: Mirror[] }> {
  const floor: Mirror[] = [];
  const ours: Mirror[] = [];
  for (let run = 1; run <= runs; run += 1) {
    floor.push(await mirror('floor/run.ts', address, join(folder, `floor-${String(run)}.db`)));
    ours.push(await mirror('cold_mirror.ts', address, join(folder, `ours-${String(run)}`)));
    process.stderr.write(`run ${String(run)} of ${String(runs)}\n`);
  }
  return { floor, ours };
}

async function mirror(module: string, address: string, place: string): Promise<Mirror> {
  const child: ChildProcess = fork(here(module), [address, place]);
  const [result] = (await once(child, 'message')) as [Mirror];
  if (child.exitCode === null) await once(child, 'exit');
  return result;
}

function coldTable(floor: Mirror[], ours: Mirror[]): string {
  const line = (work: string, of: (mirror: Mirror) => number): string[] => {
    const [a, b] = [median(floor.map(of)), median(ours.map(of))];
    return [work, figure(a), figure(b), `${(b / a).toFixed(2)} x`];
  };
  const alone = (work: string, of: (mirror: Mirror) => number): string[] => [
    work,
    '',
    figure(median(ours.map(of))),
    '',
  ];
  return table(
    ['work', 'floor', 'Broadsheet', 'ratio'],
    [
      line('all rows saved, ms', (mirror) => mirror.rows),
      line('everything searchable, ms', (mirror) => mirror.searchable),
      line('peak memory, MB', (mirror) => mirror.memory),
      alone('main loop meanwhile: longest delay, ms', (mirror) => mirror.longest ?? NaN),
      alone('main loop meanwhile: 99th percentile, ms', (mirror) => mirror.p99 ?? NaN),
    ],
  );
}

function report(parts: string[]): void {
  const about =
    `${items.toLocaleString('en')} items, English and Chinese mixed, from the demo service over loopback; medians of ` +
    `${String(runs)} alternated runs; ${String(cpus().length)} cores, Node ${process.versions.node}. The floor is the simplest program ` +
    'for the same work (`test/bench/floor/`): no counters, validators, read states or crash recovery.';
  const text = ['# Performance', 'Written by `npm run bench`; do not edit.', about, ...parts].join('\n\n') + '\n';
  writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'performance.md'), text);
  process.stdout.write(text);
}
