import type { App, Dialog, MessageBoxOptions, RenderProcessGoneDetails, WebContents } from 'electron';
import { m } from '../common/i18n/messages.ts';
import type { Clock, Log } from '../contract/ports.ts';
import { afterPageGone } from './crash-rules.ts';
import type { OpenWindow } from './windows/page-window.ts';

interface PageGuardPorts {
  app: Pick<App, 'on'>;
  dialog: Pick<Dialog, 'showMessageBox'>;
  windowOf(contents: WebContents): OpenWindow | null;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Into data health. */
  report(defect: Error): void;
  isLeaving(): boolean;
  restart(): void;
  quit(): void;
}

/** Looks after pages that die or hang. Nothing of it leaves the machine: the crash reporter is never started. */
export function guardPages(ports: PageGuardPorts): void {
  const { app, log, isLeaving } = ports;
  const reloadedAt = new WeakMap<WebContents, number>();
  app.on('render-process-gone', (_event, contents, details) => {
    if (!isLeaving() && !contents.isDestroyed()) goOnAfter(ports, reloadedAt, contents, details);
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode, name = '' }) => {
    log('warn', 'A process of the system under the app is gone', { type, reason, exitCode, name });
  });
  app.on('browser-window-created', (_event, window) => guardAgainstHanging(window, ports));
}

function goOnAfter(
  { clock, log, report, windowOf, dialog, restart, quit }: PageGuardPorts,
  reloadedAt: WeakMap<WebContents, number>,
  contents: WebContents,
  { reason, exitCode }: RenderProcessGoneDetails,
): void {
  const now = clock.now();
  const next = afterPageGone(reason, reloadedAt.get(contents) ?? null, now);
  log('warn', 'The process of a page is gone', { reason, exitCode, next });
  if (next === 'nothing') return;
  report(new Error(`The process of a page is gone: ${reason}`));
  if (next === 'reload') {
    reloadedAt.set(contents, now);
    return contents.reload();
  }
  const box = {
    type: 'error',
    message: m.dialog_page_gone(),
    detail: m.dialog_page_gone_detail(),
    defaultId: 0,
    noLink: true,
  } as const;
  void ask(dialog, windowOf(contents), { ...box, buttons: [m.dialog_restart(), m.dialog_quit()], cancelId: 1 }).then(
    (choice) => (choice === 0 ? restart() : quit()),
  );
}

function guardAgainstHanging(window: OpenWindow, { dialog, log, isLeaving }: PageGuardPorts): void {
  let question: AbortController | null = null;
  const withdraw = (): void => {
    question?.abort();
    question = null;
  };
  window.on('unresponsive', () => {
    if (question || isLeaving()) return;
    const asked = new AbortController();
    question = asked;
    log('warn', 'A page does not respond');
    const box = {
      type: 'warning',
      message: m.dialog_page_hangs(),
      detail: m.dialog_page_hangs_detail(),
      defaultId: 0,
      noLink: true,
    } as const;
    void ask(dialog, window, {
      ...box,
      buttons: [m.dialog_wait(), m.dialog_reload()],
      cancelId: 0,
      signal: asked.signal,
    }).then((choice) => {
      if (question === asked) question = null;
      // Its process ends by this, and what looks after that loads the page again.
      if (choice === 1 && !asked.signal.aborted && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
    });
  });
  window.on('responsive', withdraw);
  window.on('closed', withdraw);
}

async function ask(
  dialog: PageGuardPorts['dialog'],
  window: OpenWindow | null,
  options: MessageBoxOptions,
): Promise<number> {
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
  return response;
}

interface OfferPorts {
  dialog: Pick<Dialog, 'showMessageBox'>;
  window: OpenWindow | null;
  restart(): void;
}

/** Where the app can go on only in part: what is stored can be read, and a restart makes it whole. */
export async function offerRestart({ dialog, window, restart }: OfferPorts): Promise<void> {
  const box = {
    type: 'warning',
    message: m.dialog_crash(),
    detail: m.dialog_crash_detail(),
    defaultId: 0,
    noLink: true,
  } as const;
  if ((await ask(dialog, window, { ...box, buttons: [m.dialog_restart(), m.dialog_go_on()], cancelId: 1 })) === 0)
    restart();
}

/** Errors that nobody caught: the app goes on. To be called first of all. */
export function catchDefects(from: Pick<NodeJS.Process, 'on'>, report: (error: unknown) => void): void {
  from.on('uncaughtException', report);
  from.on('unhandledRejection', report);
}

/** Defects of a start that has no core yet go into the log, and to the core once there is one. */
export class Defects {
  readonly #log: Log;
  #waiting: unknown[] = [];
  #tell: ((error: unknown) => void) | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  readonly report = (error: unknown): void => {
    if (this.#tell) return this.#tell(error);
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#log('error', 'Unexpected error', { trace });
    this.#waiting.push(error);
  };

  tellTo(tell: (error: unknown) => void): void {
    this.#tell = tell;
    for (const error of this.#waiting.splice(0)) tell(error);
  }
}
