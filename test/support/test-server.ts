import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Settings } from '../../src-main/contract/settings.ts';
import { NODE_FLAGS } from '../../src-main/node/project.ts';
import { USED } from './reader-settings.ts';
import { CLI } from './built-node.ts';

/** In ms. No test file takes this long, the proofs on a busy machine included; a server that outlives it is killed. */
const LONGEST_LIFE = 2_400_000;

export interface TestServer {
  /** The printed address, with the token. */
  address: string;
  origin: string;
  dataFolder: string;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** Stops it and waits until it has ended. Removes a data folder that was created for it. */
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** Kept afterwards. Default: a new one, which is removed. */
  dataFolder?: string;
  /** Written to the settings file before the start, over {@link USED}. Default in a new data folder: only those. */
  settings?: Partial<Settings>;
  environment?: Record<string, string>;
  /** Default: a free one. */
  port?: number;
}

export function newDataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'broadsheet-test-'));
}

/** Writes the settings file of somebody who has used Broadsheet before, unless `settings` say otherwise. */
export async function writeSettings(dataFolder: string, settings: Partial<Settings> = {}): Promise<void> {
  await writeFile(join(dataFolder, 'settings.json'), JSON.stringify({ ...USED, ...settings }));
}

/** Runs `broadsheet serve` as a separate process, and waits for the printed address. */
export async function startTestServer(options: ReaderOptions = {}): Promise<TestServer> {
  const dataFolder = options.dataFolder ?? (await newDataFolder());
  if (options.settings || !options.dataFolder) await writeSettings(dataFolder, options.settings);
  const port = String(options.port ?? 0);
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env;
  const child = spawn(process.execPath, [...NODE_FLAGS, CLI, 'serve', '--data', dataFolder, '--port', port], {
    // It stops when its stdin closes, even if this process crashes.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH, HOME, NODE_COMPILE_CACHE, NODE_OPTIONS, ...options.environment },
    timeout: LONGEST_LIFE,
    killSignal: 'SIGKILL',
  });
  const exited = once(child, 'close');
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const line = await Promise.race([firstLine(child.stdout), exited.then(() => null)]);
  if (line === null) throw new Error(`The server ended before it was ready: ${stderr}`);
  const { url } = JSON.parse(line) as { url: string };
  return {
    address: url,
    origin: new URL(url).origin,
    dataFolder,
    stdout: () => stdout,
    stderr: () => stderr,
    async close() {
      child.stdin.end();
      await exited;
      if (!options.dataFolder) await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => createInterface(stream).once('line', resolve));
}
