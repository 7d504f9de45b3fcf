import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../../../scripts/setup/build.mjs';
import type { Driver } from './driver.ts';
import type { Answer } from './protocol.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
/** The main module of the sources. */
export const SOURCE = new URL('../../../src-main/electron/main.ts', import.meta.url).href;
/** The built app if it is up to date, as in `npm test`: it needs half as long to start. */
export const HOST = isBuilt() ? new URL('../../../out/main/main.js', import.meta.url).href : SOURCE;

/** The user's home folder during a test; in the data folder, so that it is removed with it. */
export const HOME_FOLDER = 'home';

/** The commands of the driver, executed in the other process. */
type Remote = {
  [Verb in keyof Driver]: (...args: Parameters<Driver[Verb]>) => Promise<Awaited<ReturnType<Driver[Verb]>>>;
};

type EventListener = (event: string, payload: unknown) => void;

export interface FakeHost {
  driver: Remote;
  dataFolder: string;
  pid: number;
  /** The host's stderr so far. */
  stderr(): string;
  /** From now on, writing to the host's stderr fails. */
  closeStderr(): void;
  /** Subscribes to all events of the page. Returns a function that unsubscribes. */
  onEvent(listener: EventListener): () => void;
  /** The exit code, once the host has ended. */
  exited: Promise<number | null>;
  /** Stops the host, and removes a data folder that was created for it. */
  close(): Promise<void>;
}

export interface HostOptions {
  /** Address of the main module. Default: {@link HOST}. */
  entry?: string;
  /** Kept afterwards. Default: a new one, which is removed. */
  dataFolder?: string;
  environment?: Record<string, string>;
  /** The value of `process.platform` in the host. */
  platform?: NodeJS.Platform;
  /** Command-line arguments. */
  args?: string[];
}

/** Runs the Electron host with the fake Electron, and waits until its window has loaded or it has ended. */
export async function runHost(options: HostOptions = {}): Promise<FakeHost> {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'broadsheet-electron-')));
  const child = fork(CHILD, [options.entry ?? HOST, ...(options.args ?? [])], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...ownEnvironment(), ...fakeEnvironment(dataFolder, options), ...options.environment },
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const conversation = new Conversation(child);
  await Promise.race([conversation.ready, exited]);
  return {
    driver: conversation.remote(),
    dataFolder,
    pid: child.pid ?? 0,
    stderr: () => conversation.stderr,
    closeStderr: () => child.stderr?.destroy(),
    onEvent: (listener) => conversation.onEvent(listener),
    exited,
    async close() {
      child.kill();
      await exited;
      if (!options.dataFolder) await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Isolates the host from this computer's desktop: autostart entries, theme, and the user's own folders. */
function fakeEnvironment(dataFolder: string, { platform }: HostOptions): Record<string, string> {
  return {
    BROADSHEET_DATA: dataFolder,
    HOME: join(dataFolder, HOME_FOLDER),
    LOCALAPPDATA: join(dataFolder, HOME_FOLDER),
    XDG_STATE_HOME: join(dataFolder, HOME_FOLDER),
    XDG_CONFIG_HOME: join(dataFolder, 'config'),
    XDG_CURRENT_DESKTOP: '',
    ...(platform ? { FAKE_PLATFORM: platform } : {}),
  };
}

/** Removes Broadsheet's variables from the environment. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(APPIMAGE|BROADSHEET|NODE_OPTIONS|VITEST)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/** Messages to the child and their replies, and events. */
class Conversation {
  readonly ready: Promise<void>;
  stderr = '';
  readonly #child: ChildProcess;
  /** One a subscription: a page has more than an emitter takes for a leak. */
  readonly #listeners = new Set<{ hear: EventListener }>();
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #becomeReady = (): void => undefined;
  #lastId = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.ready = new Promise((resolve) => (this.#becomeReady = resolve));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    child.on('message', (answer) => this.#receive(answer as Answer));
    child.once('close', (code) => {
      for (const { reject } of this.#pending.values()) reject(this.#gone(code));
      this.#pending.clear();
    });
  }

  remote(): Remote {
    return new Proxy({} as Remote, {
      // Resolving a promise checks for `then`.
      get: (_target, verb) => (verb === 'then' ? undefined : (...args: unknown[]) => this.#ask(String(verb), args)),
    });
  }

  onEvent(listener: EventListener): () => void {
    const added = { hear: listener };
    this.#listeners.add(added);
    return () => this.#listeners.delete(added);
  }

  #ask(verb: string, args: unknown[]): Promise<unknown> {
    if (!this.#child.connected) return Promise.reject(this.#gone(this.#child.exitCode));
    const id = ++this.#lastId;
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    this.#child.send({ id, verb, args });
    return pending.promise;
  }

  #receive(answer: Answer): void {
    if ('ready' in answer) this.#becomeReady();
    else if ('event' in answer) {
      for (const { hear } of [...this.#listeners]) hear(answer.event, answer.payload);
    } else {
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if ('error' in answer) pending?.reject(new Error(answer.error));
      else pending?.resolve(answer.value);
    }
  }

  #gone(code: number | null): Error {
    return new Error(`The host ended with ${String(code)}: ${this.stderr}`);
  }
}
