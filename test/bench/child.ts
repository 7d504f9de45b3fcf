import { fork, spawn, type ChildProcess, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectEnvironment } from '../../scripts/setup/project-node.mjs';

const SAMPLE_EVERY_MS = 20;

export const here = (name: string): string => join(import.meta.dirname, name);

/** A process and what it sends. Errors: rejects if it ends first. */
export interface Child {
  process: ChildProcess;
  message(): Promise<unknown>;
  end(): Promise<void>;
}

export function start(module: string, args: readonly string[], options: ForkOptions = {}): Child {
  const child = fork(here(module), [...args], options);
  const ended = once(child, 'exit');
  return {
    process: child,
    message: () =>
      Promise.race([
        once(child, 'message').then(([message]) => message as unknown),
        ended.then(([code]) => {
          throw new Error(`${module} ended with ${String(code)}.`);
        }),
      ]),
    async end() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

export interface Whole<T> {
  /** Duration of the whole process, in ms. */
  process: number;
  /** Most bytes of all write-ahead logs together, seen every 20 ms; in MB. */
  logs: number;
  result: T;
}

/** Runs a module to its end, in an empty folder of its own, and returns what it sent. */
export async function runModule<T>(module: string, address: string, folder: string): Promise<Whole<T>> {
  mkdirSync(folder, { recursive: true });
  return watched(folder, async () => {
    const child = start(module, [address, folder]);
    const result = (await child.message()) as T;
    await child.end();
    return result;
  });
}

/**
 * Runs a command to its end. The result is its peak memory in MB: what it says, or else the most that was seen every 20 ms
 * (on Linux; NaN elsewhere). Errors: rejects for another exit code than 0.
 */
export async function runCommand(folder: string, command: string, args: readonly string[]): Promise<Whole<number>> {
  mkdirSync(folder, { recursive: true });
  const memory = join(folder, 'memory.txt');
  let seen = NaN;
  const whole = await watched(folder, async () => {
    const env = { ...projectEnvironment(), BENCH_MEMORY: memory };
    const child = spawn(command, [...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const timer = setInterval(() => (seen = peakMemory(child.pid) ?? seen), SAMPLE_EVERY_MS);
    const [code] = (await once(child, 'close')) as [number | null];
    clearInterval(timer);
    if (code !== 0) throw new Error(`${command} ended with ${String(code)}.`);
  });
  const said = readdirSync(folder).includes('memory.txt') ? Number(readFileSync(memory, 'utf8')) : seen;
  return { ...whole, result: said };
}

async function watched<T>(folder: string, work: () => Promise<T>): Promise<Whole<T>> {
  let logs = 0;
  const timer = setInterval(() => (logs = Math.max(logs, logBytes(folder))), SAMPLE_EVERY_MS);
  const begun = performance.now();
  try {
    const result = await work();
    return { process: performance.now() - begun, logs: logs / 1e6, result };
  } finally {
    clearInterval(timer);
  }
}

/** The most memory a process has had so far, in MB; null without Linux's own account of it, or once it has ended. */
function peakMemory(pid: number | undefined): number | null {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

/** Bytes of all databases in a folder together, without their logs; in MB. */
export function databaseSize(folder: string): number {
  const files = readdirSync(folder).filter((name) => name.endsWith('.db'));
  return files.reduce((bytes, name) => bytes + statSync(join(folder, name)).size, 0) / 1e6;
}

function logBytes(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('-wal')) continue;
    // It may go away between two looks.
    bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
