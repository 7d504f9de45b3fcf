import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../src-main/node/cli.ts', import.meta.url));

/** No command here takes this long (ms); one that hangs is ended and fails its test. */
const PATIENCE = 45_000;

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Everything it said, once it has ended. */
  ended: Promise<Ended>;
}

/** Starts the command line as its own process. Its stdin is a pipe, so that it ends when this process does. */
export function startCli(args: readonly string[], environment: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...withoutOurs(process.env), ...environment },
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  });
  return { child, ended: hear(child) };
}

/** What the developer has set for a Broadsheet of their own must not reach the one under test. */
function withoutOurs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('BROADSHEET_')));
}

export function runCli(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  return startCli(args, environment).ended;
}

async function hear(child: Running['child']): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** The lines of JSON that a command wrote. */
export function jsonLines<T>(text: string): T[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T);
}
