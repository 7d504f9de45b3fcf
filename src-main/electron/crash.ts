import type { Writable } from 'node:stream';
import {
  app,
  BrowserWindow,
  dialog,
  type MessageBoxOptions,
  type RenderProcessGoneDetails,
  type WebContents,
} from 'electron';
import { m } from '../common/i18n/messages.ts';
import type { Clock, Log } from '../contract/ports.ts';
import { traceOf } from '../core/threads.ts';
import { TASK_ARGUMENTS } from './activation.ts';
import { HIDDEN_ARGUMENT } from './startup-rules.ts';
import type { OpenWindow } from './windows/windows.ts';

interface PageGuardPorts {
  clock: Pick<Clock, 'now'>;
  log: Log;
  report(problem: string): void;
  isLeaving(): boolean;
  restart(): void;
  quit(): void;
}

/** Nothing is uploaded: the crash reporter is never started. */
export function guardPages(ports: PageGuardPorts): void {
  const { log, isLeaving } = ports;
  const reloadedAt = new WeakMap<WebContents, number>();
  app.on('render-process-gone', (_event, contents, details) => {
    if (!isLeaving() && !contents.isDestroyed()) handlePageGone(ports, reloadedAt, contents, details);
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode, name = '' }) => {
    log('warn', 'A child process has ended', { type, reason, exitCode, name });
  });
  app.on('browser-window-created', (_event, window) => watchForHangs(window, ports));
}

function handlePageGone(
  { clock, report, restart, quit }: PageGuardPorts,
  reloadedAt: WeakMap<WebContents, number>,
  contents: WebContents,
  { reason, exitCode }: RenderProcessGoneDetails,
): void {
  const now = clock.now();
  const next = afterPageGone(reason, reloadedAt.get(contents) ?? null, now);
  if (next === 'nothing') return;
  report(`A page process has ended: ${reason}, exit code ${exitCode}`);
  if (next === 'reload') {
    reloadedAt.set(contents, now);
    return contents.reload();
  }
  void showBox(BrowserWindow.fromWebContents(contents), {
    type: 'error',
    message: m.dialog_page_gone(),
    detail: m.dialog_page_gone_detail(),
    buttons: [m.dialog_restart(), m.dialog_quit()],
    cancelId: 1,
  }).then((choice) => (choice === 0 ? restart() : quit()));
}

function watchForHangs(window: OpenWindow, { log, isLeaving }: PageGuardPorts): void {
  let question: AbortController | null = null;
  const closeQuestion = (): void => {
    question?.abort();
    question = null;
  };
  window.on('unresponsive', () => {
    if (question || isLeaving()) return;
    const current = new AbortController();
    question = current;
    log('warn', 'A page is not responding');
    void showBox(window, {
      type: 'warning',
      message: m.dialog_page_hangs(),
      detail: m.dialog_page_hangs_detail(),
      buttons: [m.dialog_wait(), m.dialog_reload()],
      cancelId: 0,
      signal: current.signal,
    }).then((choice) => {
      if (question === current) question = null;
      // The handler of `render-process-gone` then reloads the page.
      if (choice === 1 && !current.signal.aborted && !window.isDestroyed())
        window.webContents.forcefullyCrashRenderer();
    });
  });
  window.on('responsive', closeQuestion);
  window.on('closed', closeQuestion);
}

async function showBox(window: OpenWindow | null, box: MessageBoxOptions): Promise<number> {
  const options: MessageBoxOptions = { ...box, defaultId: 0, noLink: true };
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
  return response;
}

/** For a failure after which saved data can still be read, and a restart repairs the rest. */
export async function offerRestart(window: OpenWindow | null, restart: () => void): Promise<void> {
  const choice = await showBox(window, {
    type: 'warning',
    message: m.dialog_crash(),
    detail: m.dialog_crash_detail(),
    buttons: [m.dialog_restart(), m.dialog_go_on()],
    cancelId: 1,
  });
  if (choice === 0) restart();
}

/** Shows a box, because an installed app has no terminal. */
export function giveUp(error: unknown, log: Log, logFolder: string): void {
  log('error', 'Broadsheet could not start', { reason: String(error) });
  const reason = error instanceof Error ? error.message : String(error);
  dialog.showErrorBox(m.dialog_start_failed(), m.dialog_start_failed_detail({ reason, folder: logFolder }));
  app.exit(1);
}

/** Lets the app continue. Call it before anything else. */
export function catchDefects(from: Pick<NodeJS.Process, 'on'>, report: (error: unknown) => void): void {
  from.on('uncaughtException', report);
  from.on('unhandledRejection', report);
}

/** Keeps failed writes (closed terminal or pipe, full disk) from raising errors whose logging would fail again. */
export function ignoreBrokenStreams(...streams: readonly Writable[]): void {
  for (const stream of streams) stream.on('error', () => undefined);
}

/** Logs and buffers uncaught errors until the core is open, then forwards them to it. */
export class Defects {
  readonly #log: Log;
  #buffered: unknown[] = [];
  #forward: ((error: unknown) => void) | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  readonly report = (error: unknown): void => {
    if (this.#forward) return this.#forward(error);
    this.#log('error', 'Unexpected error', { trace: traceOf(error) });
    this.#buffered.push(error);
  };

  forwardTo(forward: (error: unknown) => void): void {
    this.#forward = forward;
    for (const error of this.#buffered.splice(0)) forward(error);
  }
}

const AGAIN_MS = 60_000;

/** Reloads even if the process was killed: its window would stay empty. Times in ms since 1970. */
export function afterPageGone(
  reason: RenderProcessGoneDetails['reason'],
  reloadedAt: number | null,
  now: number,
): 'nothing' | 'reload' | 'ask' {
  if (reason === 'clean-exit') return 'nothing';
  const isAgain = reloadedAt !== null && now >= reloadedAt && now - reloadedAt < AGAIN_MS;
  return isAgain ? 'ask' : 'reload';
}

const OF_THIS_RUN: readonly string[] = [HIDDEN_ARGUMENT, ...Object.values(TASK_ARGUMENTS)];

/** Restarts the AppImage itself, not its mounted contents; with Chromium's switches, without the tasks and links of this run. */
export function relaunchOptions(
  environment: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): { execPath?: string; args: string[] } {
  const { APPIMAGE } = environment;
  // In development, one argument is the app folder. One letter and a colon are a drive, not a link.
  const isLink = (argument: string): boolean => /^[a-z][a-z\d+.-]+:/i.test(argument);
  const args = argv.slice(1).filter((each) => !OF_THIS_RUN.includes(each) && !/^-[^-]/.test(each) && !isLink(each));
  return APPIMAGE ? { execPath: APPIMAGE, args } : { args };
}
