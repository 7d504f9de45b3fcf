import { app } from 'electron';
import type { Log } from '../contract/ports.ts';
import { parseLink, DEEP_LINK_SCHEME, type Target } from '../contract/refs.ts';
import type { Commands } from './commands.ts';
import { HIDDEN_ARGUMENT } from './startup-rules.ts';

export function handleActivation(first: LaunchArguments, commands: Commands, links: OpenedLinks, log: Log): void {
  runLaunch(first, commands);
  app.on('second-instance', (_event, argv) => {
    const request = launchArguments(argv.slice(1));
    // A login item may start after the user did, and a refresh from the jump list needs no window.
    if (!request.hidden && request.target === null && request.task === null) commands.open();
    runLaunch(request, commands);
    // Windows starts a second instance if the first has not listened yet. What was clicked is lost with it.
    if (request.toast) commands.goTo({ view: 'notifications' });
  });
  app.on('activate', () => commands.open());
  links.deliverTo((link) => openLinked(link, commands));
  claimLinks(log);
}

export function needsWindow({ target, task, toast }: LaunchArguments): boolean {
  return target !== null || task === 'latestDaily' || toast;
}

function runLaunch({ target, task }: LaunchArguments, commands: Commands): void {
  if (target) commands.goTo(target);
  if (task === 'latestDaily') commands.openLatestDaily();
  if (task === 'refresh') commands.refresh();
}

function openLinked(link: string, commands: Commands): void {
  const target = parseLink(link);
  if (target) commands.goTo(target);
  else commands.open();
}

/** Buffers the links that macOS delivers, possibly before the app is ready, until `deliverTo` is called. */
export class OpenedLinks {
  readonly #early: string[] = [];
  #deliver: (link: string) => void = (link) => this.#early.push(link);

  constructor() {
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#deliver(link);
    });
  }

  deliverTo(deliver: (link: string) => void): void {
    this.#deliver = deliver;
    for (const link of this.#early.splice(0)) deliver(link);
  }
}

/** Leaves the scheme to another program that has it, and under `npm start`, where plain Electron would open links. */
export function claimLinks(log: Log): void {
  if (!app.isPackaged || app.isDefaultProtocolClient(DEEP_LINK_SCHEME)) return;
  if (app.getApplicationNameForProtocol(`${DEEP_LINK_SCHEME}://`) !== '') return;
  if (!app.setAsDefaultProtocolClient(DEEP_LINK_SCHEME))
    log('info', 'Could not register Broadsheet for broadsheet: links');
}

export interface LaunchArguments {
  hidden: boolean;
  target: Target | null;
  task: 'latestDaily' | 'refresh' | null;
  /** Windows started this program because a notification was clicked. */
  toast: boolean;
}

export const TASK_ARGUMENTS = { latestDaily: '--latest-daily', refresh: '--refresh' } as const;

/** Appended by Windows when it starts the notification activator, a COM server ("LocalServer32"). */
const COM_ARGUMENT = '-embedding';

/** Accepts exact matches of our own arguments only: Chromium adds others, and links can contain anything. */
export function launchArguments(args: readonly string[]): LaunchArguments {
  const has = (task: keyof typeof TASK_ARGUMENTS): boolean => args.includes(TASK_ARGUMENTS[task]);
  const link = args.find(isLink);
  const toast = link === undefined && args.some((argument) => argument.toLowerCase() === COM_ARGUMENT);
  return {
    hidden: link === undefined && !toast && args.includes(HIDDEN_ARGUMENT),
    target: link === undefined ? null : parseLink(link),
    task: link !== undefined ? null : has('latestDaily') ? 'latestDaily' : has('refresh') ? 'refresh' : null,
    toast,
  };
}

function isLink(argument: string): boolean {
  return argument.toLowerCase().startsWith(`${DEEP_LINK_SCHEME}:`);
}
