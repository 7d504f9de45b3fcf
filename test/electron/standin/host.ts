import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Driver } from './driver.ts';
import type { Answer } from './protocol.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const SOURCE = new URL('../../../src-main/electron/main.ts', import.meta.url).href;

/** Every verb of the driver, answered from the other process. */
type Remote = {
  [Verb in keyof Driver]: (...args: Parameters<Driver[Verb]>) => Promise<Awaited<ReturnType<Driver[Verb]>>>;
};

export interface StandinHost {
  driver: Remote;
  dataFolder: string;
  /** What the host wrote to stderr so far. */
  stderr(): string;
  onEvent(listener: (event: string, payload: unknown) => void): () => void;
  /** The exit code, once the host is gone. */
  exited: Promise<number | null>;
  /** Ends the host, if it still runs, and removes a data folder that was made for it. */
  close(): Promise<void>;
}

export interface HostOptions {
  /** Address of the main module; the sources by default. */
  entry?: string;
  /** Kept afterwards. By default a new one, which is removed. */
  dataFolder?: string;
  environment?: Record<string, string>;
}

/** Runs the Electron host on the stand-in and waits for its window to be loaded, or for its end. */
export async function runHost(options: HostOptions = {}): Promise<StandinHost> {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'broadsheet-electron-')));
  const child = fork(CHILD, [options.entry ?? SOURCE], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...ownEnvironment(), STANDIN_USER_DATA: dataFolder, ...options.environment },
  });
  const errors: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  await Promise.race([untilReady(child), exited]);
  return {
    driver: remote(child, exited, () => errors.join('')),
    dataFolder,
    stderr: () => errors.join(''),
    onEvent: (listener) => listen(child, (answer) => 'event' in answer && listener(answer.event, answer.payload)),
    exited,
    async close() {
      child.kill();
      await exited;
      if (!options.dataFolder) await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Without what the shell of whoever runs the tests may say about Broadsheet. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(BROADSHEET|NODE_OPTIONS|VITEST)/.test(name)),
  );
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const stop = listen(child, (answer) => {
      if (!('ready' in answer)) return;
      stop();
      resolve();
    });
  });
}

function listen(child: ChildProcess, listener: (answer: Answer) => void): () => void {
  const heard = (message: unknown) => listener(message as Answer);
  child.on('message', heard);
  return () => void child.off('message', heard);
}

function remote(child: ChildProcess, exited: Promise<number | null>, stderr: () => string): Remote {
  let last = 0;
  const ask = async (verb: string, args: unknown[]) => {
    const id = ++last;
    const answered = new Promise<unknown>((resolve, reject) => {
      const stop = listen(child, (answer) => {
        if (!('id' in answer) || answer.id !== id) return;
        stop();
        if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer.value);
      });
    });
    if (child.connected) child.send({ id, verb, args });
    const gone = exited.then((code) => Promise.reject(new Error(`The host ended with ${code}: ${stderr()}`)));
    return Promise.race([answered, gone]);
  };
  return new Proxy({} as Remote, {
    // A promise looks for `then` on whatever it is given.
    get: (_target, verb) => (verb === 'then' ? undefined : (...args: unknown[]) => ask(String(verb), args)),
  });
}
