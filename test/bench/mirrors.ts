import { join } from 'node:path';
import { databaseSize, here, runCommand, runModule, type Whole } from './child.ts';
import { newsboat, newsboatVersion } from './peers.ts';
import { figure, median, table } from './table.ts';
import { NODE_FLAGS } from '../../src-main/node/project.ts';
import { CLI } from '../support/built-node.ts';

interface Floor {
  rows: number;
  searchable: number;
  memory: number;
}

interface Ours extends Floor {
  longestStep: number;
  p99Step: number;
  longestRead: number;
  p99Read: number;
}

export interface Mirrors {
  floor: Whole<Floor>[];
  ours: Whole<Ours>[];
  /** The command `sync`; the result is its peak memory in MB. */
  command: Whole<number>[];
  /** Null if it was not asked for or is not installed. */
  newsboat: Whole<number> | null;
  /** Where the last mirrors are. */
  folders: { floor: string; ours: string };
}

const MEMORY = here('memory-at-exit.ts');

/** Cold mirrors, alternated: the floor, Broadsheet inside a process that also reads, and the whole command `sync`. */
export async function measureMirrors(
  address: string,
  folder: string,
  { items, runs, peers }: { items: number; runs: number; peers: boolean },
): Promise<Mirrors> {
  const mirrors: Mirrors = { floor: [], ours: [], command: [], newsboat: null, folders: { floor: '', ours: '' } };
  for (let run = 1; run <= runs; run += 1) {
    const place = (name: string): string => join(folder, `${name}-${String(run)}`);
    mirrors.folders = { floor: place('floor'), ours: place('command') };
    mirrors.floor.push(await runModule<Floor>('floor/run.ts', address, place('floor')));
    mirrors.ours.push(await runModule<Ours>('cold-mirror.ts', address, place('ours')));
    const sync = [...NODE_FLAGS, '--import', MEMORY, CLI, 'sync', '--news', address, '--data', place('command')];
    mirrors.command.push(await runCommand(place('command'), process.execPath, sync));
    process.stderr.write(`${String(items)} items: run ${String(run)} of ${String(runs)}\n`);
  }
  if (peers && newsboatVersion() !== null) mirrors.newsboat = await newsboat(address, join(folder, 'newsboat'));
  return mirrors;
}

/** First download: what the floor takes, what Broadsheet takes, and the ratio. */
export function mirrorTable({ floor, ours, command, newsboat: peer, folders }: Mirrors): string {
  const base = (of: (run: Whole<Floor>) => number): number => median(floor.map(of));
  const own = (of: (run: Whole<Ours>) => number): number => median(ours.map(of));
  const whole = (of: (run: Whole<number>) => number): number => median(command.map(of));
  const line = (work: string, a: number | null, b: number, peers?: number): string[] => [
    work,
    a === null ? '' : figure(a),
    figure(b),
    a === null ? '' : `${(b / a).toFixed(2)} x`,
    ...(peer === null ? [] : [peers === undefined ? '' : figure(peers)]),
  ];
  return table(
    ['first download', 'floor', 'Broadsheet', 'ratio', ...(peer === null ? [] : ['newsboat'])],
    [
      line(
        'rows visible, in process, ms',
        base(({ result }) => result.rows),
        own(({ result }) => result.rows),
        peer?.process,
      ),
      line(
        'everything searchable, in process, ms',
        base(({ result }) => result.searchable),
        own(({ result }) => result.searchable),
        peer?.process,
      ),
      line(
        'whole process, everything searchable, ms',
        base((run) => run.process),
        whole((run) => run.process),
        peer?.process,
      ),
      line(
        'peak memory of the whole process, MB',
        base(({ result }) => result.memory),
        whole(({ result }) => result),
        peer?.result,
      ),
      line(
        'peak memory in process, MB',
        base(({ result }) => result.memory),
        own(({ result }) => result.memory),
      ),
      line(
        'largest write-ahead logs, MB',
        base(({ logs }) => logs),
        Math.max(...command.map(({ logs }) => logs), ...ours.map(({ logs }) => logs)),
      ),
      line('size of the databases, MB', databaseSize(folders.floor), databaseSize(folders.ours)),
      line(
        'longest step of the main loop meanwhile, ms',
        null,
        Math.max(...ours.map(({ result }) => result.longestStep)),
      ),
      line(
        '99th percentile of these steps, ms',
        null,
        own(({ result }) => result.p99Step),
      ),
      line('longest read of 50 rows meanwhile, ms', null, Math.max(...ours.map(({ result }) => result.longestRead))),
      line(
        '99th percentile of these reads, ms',
        null,
        own(({ result }) => result.p99Read),
      ),
    ],
  );
}
