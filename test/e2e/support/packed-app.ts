import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getRawHeader } from '@electron/asar';

/** How long a program on a busy machine may take to open its window. */
const START_LIMIT_MS = 120_000;
const POLL_MS = 200;

/** A program of an installer. */
export interface PackedProgram {
  name: string;
  path: string;
  /** Path of the archive; null if it is inside the file, as in an AppImage. */
  archive: string | null;
}

/** The programs in a folder that run on this machine: what electron-builder packed, or an installed app. */
export function programsIn(
  folder: string,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'>,
): PackedProgram[] {
  const unpacked: Partial<Record<NodeJS.Platform, string[]>> = {
    linux: ['broadsheet', `linux-${arch === 'x64' ? '' : `${arch}-`}unpacked/broadsheet`],
    darwin: [`mac${arch === 'x64' ? '' : `-${arch}`}/Broadsheet.app/Contents/MacOS/Broadsheet`],
    win32: ['broadsheet.exe', `win-${arch === 'x64' ? '' : `${arch}-`}unpacked/broadsheet.exe`],
  };
  const found = (unpacked[platform] ?? []).filter((name) => existsSync(join(folder, name)));
  const images = platform === 'linux' ? globSync('*.AppImage', { cwd: folder }) : [];
  return [
    ...found.map((name) => ({ name, path: join(folder, name), archive: archiveOf(join(folder, name), platform) })),
    ...images.map((name) => ({ name, path: join(folder, name), archive: null })),
  ];
}

function archiveOf(program: string, platform: NodeJS.Platform): string {
  const resources = platform === 'darwin' ? '../Resources' : 'resources';
  return join(dirname(program), resources, 'app.asar');
}

/** A started program whose page can be asked. */
export interface Started {
  /** The value of an expression in its page; a promise is awaited. Errors: the page's. */
  evaluate(expression: string): Promise<unknown>;
  stop(): Promise<void>;
}

interface StartOptions {
  env: Record<string, string>;
  /** The start of the address of the page to ask. */
  page: string;
}

/**
 * Starts a program with Chromium's remote debugging, which no fuse turns off. Playwright would need Node's inspector,
 * which the fuses do. Errors: if it ends, or does not show the page in time; with what it wrote.
 */
export async function startPacked(program: string, { env, page }: StartOptions): Promise<Started> {
  const child = spawn(program, ['--remote-debugging-port=0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    // In its own process group, so that everything it started ends with it.
    detached: process.platform !== 'win32',
  });
  try {
    const address = await debuggerOf(child);
    const evaluate = await connect(address, page);
    return { evaluate, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** The host and port of the debugger, as Chromium writes them to its standard error. */
function debuggerOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let written = '';
  const collect = (text: Buffer): void => {
    written = (written + text.toString()).slice(-20_000);
    const [, address] = /DevTools listening on ws:\/\/([^/\s]+)\//.exec(written) ?? [];
    if (address !== undefined) resolve(address);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.once('error', reject);
  child.once('exit', (code, signal) => {
    reject(new Error(`The program ended (${String(signal ?? code)}). It wrote:\n${written}`));
  });
  const timer = setTimeout(() => {
    reject(new Error(`The program did not start in time. It wrote:\n${written}`));
  }, START_LIMIT_MS);
  return promise.finally(() => {
    clearTimeout(timer);
  });
}

async function connect(address: string, page: string): Promise<Started['evaluate']> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const answer = await fetch(`http://${address}/json/list`);
    const targets = (await answer.json()) as { type: string; url: string; webSocketDebuggerUrl: string }[];
    const target = targets.find(({ type, url }) => type === 'page' && url.startsWith(page));
    if (target) return (expression) => evaluate(target.webSocketDebuggerUrl, expression);
    const urls = targets.map(({ url }) => url).join(', ');
    if (Date.now() > deadline) throw new Error(`The program shows no ${page}, only: ${urls}`);
    await pause(POLL_MS);
  }
}

interface Evaluated {
  error?: { message: string };
  result?: { exceptionDetails?: { text: string }; result: { value?: unknown } };
}

/** One connection for each question: none is left open when the program ends. */
async function evaluate(address: string, expression: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<Evaluated>();
  const socket = new WebSocket(address);
  const params = { expression, awaitPromise: true, returnByValue: true };
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
  });
  socket.addEventListener('message', ({ data }) => {
    resolve(JSON.parse(String(data)) as Evaluated);
  });
  for (const event of ['error', 'close']) {
    socket.addEventListener(event, () => {
      reject(new Error('The connection to the page ended.'));
    });
  }
  const { error, result } = await promise.finally(() => {
    socket.close();
  });
  const problem = error?.message ?? result?.exceptionDetails?.text;
  if (problem !== undefined) throw new Error(problem);
  return result?.result.value;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid, 'SIGKILL');
  await ended;
}

interface Entry {
  files?: Record<string, Entry>;
  offset?: string;
}

/** Changes one byte of a file in an archive. Returns a function that changes it back. */
export function tamper(archive: string, path: readonly string[]): () => void {
  const { header, headerSize } = getRawHeader(archive);
  let entry = header as unknown as Entry;
  for (const name of path) entry = entry.files?.[name] ?? {};
  if (entry.offset === undefined) throw new Error(`${path.join('/')} is not in ${archive}`);
  // The archive begins with the size of its header, in eight bytes.
  const at = 8 + headerSize + Number(entry.offset);
  const flip = (): void => {
    const bytes = readFileSync(archive);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(archive, bytes);
  };
  flip();
  return flip;
}
