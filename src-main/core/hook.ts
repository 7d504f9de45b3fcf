import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, type Stats } from 'node:fs';
import { access, lstat, readFile, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import pLimit from 'p-limit';
import { z } from 'zod';
import { bareLine } from '../common/text.ts';
import { safeLink } from '../contract/addresses.ts';
import { BroadsheetError, logFields } from '../contract/errors.ts';
import { HOOK_EVENTS, type HookEvent, type NewNotification } from '../contract/model/notification.ts';
import type { Clock, Log } from '../contract/ports.ts';
import { writeLink } from '../contract/refs.ts';
import { makeDataFolder } from '../store/index.ts';
import { explainWriteError, writeAtomically } from './files/atomic-write.ts';
import { followLinks } from './files/chosen-file.ts';

/** A program of the reader's that runs when a sync finds news. No method sets it or starts it: docs/decisions/122. */
export interface Hook {
  on: readonly HookEvent[];
  /** The program, as an absolute path, and its arguments. */
  command: readonly string[];
}

export interface LastRun {
  at: string;
  event: string;
  ok: boolean;
  outcome: string;
}

export interface HookRun extends Pick<LastRun, 'ok' | 'outcome'> {
  /** The end of a long one. */
  output: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const HOOK_FILE = 'hook.json';
const LAST_RUN_FILE = 'hook-last.json';
const HOOK: z.ZodType<Hook> = z.object({
  on: z.array(z.enum(HOOK_EVENTS)).min(1),
  command: z.tuple([z.string().refine(isAbsolute)], z.string()),
});
const LAST_RUN: z.ZodType<LastRun> = z.object({
  at: z.iso.datetime(),
  event: z.string(),
  ok: z.boolean(),
  outcome: z.string(),
});

/** Null without one. Errors: `file_refused` if others could have written it, `data_unreadable`. */
export async function readHook(folder: string): Promise<Hook | null> {
  const file = join(folder, HOOK_FILE);
  const found = await lstat(file).catch(whenMissing);
  if (found === null) return null;
  ensureOurs(file, found);
  const hook = await readJson(file, HOOK);
  if (found.isFile() && hook) return hook;
  throw new BroadsheetError(
    'data_unreadable',
    `${file} is no hook. Set it again, or remove it: broadsheet hook remove.`,
  );
}

/** Errors: `disk_full`, `data_read_only`. */
export async function saveHook(folder: string, hook: Hook): Promise<void> {
  try {
    makeDataFolder(folder);
    await writeAtomically(join(folder, HOOK_FILE), `${JSON.stringify(hook, null, 2)}\n`);
    await rm(join(folder, LAST_RUN_FILE), { force: true });
  } catch (cause) {
    throw explainWriteError(folder, cause);
  }
}

export async function removeHook(folder: string): Promise<boolean> {
  const isSet = existsSync(join(folder, HOOK_FILE));
  for (const name of [HOOK_FILE, LAST_RUN_FILE]) await rm(join(folder, name), { force: true });
  return isSet;
}

export function readLastRun(folder: string): Promise<LastRun | null> {
  return readJson(join(folder, LAST_RUN_FILE), LAST_RUN);
}

async function readJson<T>(file: string, type: z.ZodType<T>): Promise<T | null> {
  try {
    return type.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

function whenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

/** Finds a program as a shell does, and checks it. Errors: `not_found`, `file_refused`. */
export async function findProgram(name: string, folder: string, { PATH = '' }: Environment): Promise<string> {
  const isPath = name.includes('/') || name.includes(sep);
  const places = isPath ? [resolve(folder, name)] : PATH.split(delimiter).filter(isAbsolute);
  const endings = process.platform === 'win32' ? ['', '.exe', '.com', '.cmd', '.bat'] : [''];
  for (const place of places) {
    for (const ending of endings) {
      const program = `${isPath ? place : join(place, name)}${ending}`;
      if (!(await isProgram(program))) continue;
      await checkProgram(program);
      return program;
    }
  }
  const words = isPath ? `${places.join('')} is no program that you may run.` : `There is no program ${name} in PATH.`;
  throw new BroadsheetError('not_found', words);
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Refuses a program that others could exchange: by the file, a folder above it or a link on the way. */
export async function checkProgram(program: string, platform = process.platform): Promise<void> {
  if (platform === 'win32' && !/\.(?:exe|com)$/i.test(program)) {
    const words =
      'Windows runs it by a shell, which would read the arguments as commands. Name the program that runs it.';
    throw new BroadsheetError('file_refused', `${program} is no .exe or .com: ${words}`);
  }
  const file = await followLinks(program, {
    folder: async (folder) => ensureOurs(folder, await stat(folder)),
    link: ensureOwner,
  });
  if (!(await isProgram(file))) throw new BroadsheetError('not_found', `${program} is no program that you may run.`);
  ensureOurs(file, await stat(file));
}

const ADMINISTRATOR = 0;
const [BY_GROUP, BY_ALL, STICKY] = [0o020, 0o002, 0o1000];

function ensureOurs(path: string, found: Stats): void {
  ensureOwner(path, found);
  const isFolder = found.isDirectory();
  // In a folder of the administrator's, its group is the administrator's choice.
  const others = isFolder && found.uid === ADMINISTRATOR ? BY_ALL : BY_ALL | BY_GROUP;
  const isSafe = (found.mode & others) === 0 || (isFolder && (found.mode & STICKY) !== 0);
  if (isSafe || process.platform === 'win32') return;
  throw new BroadsheetError('file_refused', `Others may change ${path}. Allow only yourself: chmod go-w '${path}'`);
}

function ensureOwner(path: string, { uid }: Stats): void {
  if (process.platform === 'win32' || uid === ADMINISTRATOR || uid === process.getuid?.()) return;
  throw new BroadsheetError('file_refused', `${path} belongs to another user, who could change what runs.`);
}

/** Ordinary ones, and those by which a program shows something on the desktop. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_TIME', 'TZ', 'TMPDIR'],
  ...['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'],
  ...['SystemRoot', 'SystemDrive', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP', 'TMP', 'PATHEXT'],
];
const LONGEST = { title: 300, name: 200, id: 512, url: 2_048 };

export type Variables = Readonly<Record<`BROADSHEET_${string}`, string>> & { BROADSHEET_EVENT: HookEvent };

/** Texts of the service on one line, without control characters. Null for what no hook runs for. */
export function variablesOf(news: NewNotification): Variables | null {
  const { kind, target, title, label, count, item, priceChanged } = news;
  if (kind === 'models' && !priceChanged) return null;
  const url = item ? (safeLink(item.link) ?? writeLink({ view: 'item', id: item.id })) : writeLink(target);
  return {
    BROADSHEET_EVENT: kind === 'models' ? 'price' : kind === 'saved' ? 'search' : kind,
    BROADSHEET_TITLE: bareLine(title, LONGEST.title),
    BROADSHEET_NAME: kind === 'saved' ? bareLine(label ?? '', LONGEST.name) : '',
    BROADSHEET_ID: bareLine(item?.id ?? idOf(target), LONGEST.id),
    BROADSHEET_URL: url !== null && url.length <= LONGEST.url ? url : '',
    BROADSHEET_COUNT: String(count),
  };
}

function idOf(target: NewNotification['target']): string {
  if ('publicId' in target) return target.publicId;
  if ('label' in target) return target.label;
  return target.view === 'model' ? target.id : '';
}

/** In ms. Closing takes two seconds at most. */
const [LIMIT, GRACE, CLOSING_GRACE, DRAIN] = [60_000, 3_000, 500, 250];
const MAX_OUTPUT = 8_000;

interface RunPorts {
  folder: string;
  environment: Environment;
  clock: Clock;
  /** In ms. */
  limit?: number;
}

/** Runs it without a shell, as a group of its own. Never rejects. */
export async function runHook(
  { command: [program = '', ...args] }: Hook,
  variables: Variables,
  { folder, environment, clock, limit = LIMIT }: RunPorts,
  stop: AbortSignal = new AbortController().signal,
): Promise<HookRun> {
  let output = '';
  try {
    await checkProgram(program);
    const passed = PASSED_ON.flatMap((name) =>
      environment[name] === undefined ? [] : [[name, environment[name]] as const],
    );
    const child = spawn(program, args, {
      cwd: homedir(),
      env: { ...Object.fromEntries(passed), BROADSHEET_DATA: folder, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-MAX_OUTPUT)));
    }
    const failure = await whenEnded(child, { clock, limit, stop });
    return { ok: failure === null, outcome: failure ?? 'succeeded', output };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      error instanceof BroadsheetError ? error.message : `could not be started (${code ?? 'unknown error'})`;
    return { ok: false, outcome: reason, output };
  }
}

/** Returns null, or what went wrong. Errors: those of starting it. */
async function whenEnded(
  child: ChildProcess,
  { clock, limit, stop }: { clock: Clock; limit: number; stop: AbortSignal },
): Promise<string | null> {
  const ended: { reason: string | null } = { reason: null };
  const timers: (() => void)[] = [];
  const end = (why: string, grace: number): void => {
    ended.reason ??= why;
    signal(child, 'SIGTERM');
    timers.push(clock.after(grace, () => signal(child, 'SIGKILL')));
  };
  const close = (): void => end('was ended, because Broadsheet was closed', CLOSING_GRACE);
  timers.push(clock.after(limit, () => end(`was ended after ${String(limit / 1_000)} s`, GRACE)));
  stop.addEventListener('abort', close);
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  try {
    if (stop.aborted) close();
    const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (ended.reason !== null) signal(child, 'SIGKILL');
    // A program that goes on in the background may keep the pipes.
    await Promise.race([closed, new Promise<void>((resolve) => timers.push(clock.after(DRAIN, resolve)))]);
    if (ended.reason !== null || code === 0) return ended.reason;
    return code === null ? `was ended by ${String(by)}` : `ended with exit code ${String(code)}`;
  } finally {
    for (const cancel of timers) cancel();
    stop.removeEventListener('abort', close);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // It has just ended.
  }
}

const MAX_WAITING = 100;
const LOGGED_LINES = 3;
const LONGEST_LOGGED = 200;

/** Runs the hook for what it is given, one after the other. A failure is logged, and stops nothing else. */
export class HookRunner {
  readonly #ports: RunPorts & { log: Log };
  readonly #inTurn = pLimit(1);
  readonly #stop = new AbortController();

  constructor(ports: RunPorts & { log: Log }) {
    this.#ports = ports;
  }

  get isSet(): boolean {
    return existsSync(join(this.#ports.folder, HOOK_FILE));
  }

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  get #waiting(): number {
    return this.#inTurn.activeCount + this.#inTurn.pendingCount;
  }

  take(notifications: readonly NewNotification[]): void {
    const news = notifications.flatMap((one) => variablesOf(one) ?? []);
    const taken = news.slice(0, Math.max(0, MAX_WAITING - this.#waiting));
    for (const variables of taken) void this.#inTurn(() => this.#run(variables));
    const left = news.length - taken.length;
    if (left > 0) this.#ports.log('warn', 'The hook is too slow: some news is left out', { left });
  }

  /** Resolves once it has run for all that was taken. */
  settled(): Promise<void> {
    return this.#inTurn(() => undefined);
  }

  stop(): Promise<void> {
    this.#stop.abort();
    return this.settled();
  }

  async #run(variables: Variables): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { folder, log, clock } = this.#ports;
    const { BROADSHEET_EVENT: event, BROADSHEET_ID: id = '' } = variables;
    const failed = `The hook failed for ${event}`;
    try {
      const hook = await readHook(folder);
      if (!hook?.on.includes(event)) return;
      const { ok, outcome, output } = await runHook(hook, variables, this.#ports, this.#stop.signal);
      if (!ok) log('warn', failed, { event, id, reason: [outcome, lastLines(output)].filter(Boolean).join(': ') });
      const last: LastRun = { at: new Date(clock.now()).toISOString(), event, ok, outcome };
      await writeAtomically(join(folder, LAST_RUN_FILE), `${JSON.stringify(last)}\n`);
    } catch (error) {
      log('warn', failed, { event, id, ...logFields(error) });
    }
  }
}

function lastLines(output: string): string {
  const lines = output.split('\n').map((line) => bareLine(line, LONGEST_LOGGED));
  return lines
    .filter((line) => line !== '')
    .slice(-LOGGED_LINES)
    .join(' | ');
}
