import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { CLI } from '../support/built-node.ts';

/** In ms. No command takes this long; one that hangs is killed and fails its test. */
const PATIENCE = 45_000;

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** The complete output, once it has ended. */
  ended: Promise<Ended>;
}

/** Starts the command line in a separate process, as another user if `uid` is given. Its stdin is a pipe, so that it ends with this process. */
export function startCli(args: readonly string[], environment: Record<string, string> = {}, uid?: number): Running {
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...withoutOurs(process.env), ...environment },
    ...(uid !== undefined && { uid, gid: uid }),
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  });
  return { child, ended: hear(child) };
}

/** Excludes the developer's own Broadsheet variables. */
function withoutOurs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('BROADSHEET_')));
}

export function runCli(
  args: readonly string[],
  environment: Record<string, string> = {},
  uid?: number,
): Promise<Ended> {
  return startCli(args, environment, uid).ended;
}

async function hear(child: Running['child']): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** Parses the JSON lines printed by a command. */
export function jsonLines<T>(text: string): T[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T);
}
