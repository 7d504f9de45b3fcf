import { app } from 'electron';
import type { Log } from '../../contract/ports.ts';
import { targetOfLink } from '../../contract/targets.ts';
import type { Commands } from '../commands.ts';
import { claimLinks, type OpenedLinks } from './deep-links.ts';
import { launchArguments, type LaunchArguments } from './launch-arguments.ts';

/** Handles the arguments of this start, and later those of second instances, links and the dock. */
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
  claimLinks({ app, log });
}

/** Whether these arguments show something in the window. */
export function needsWindow({ target, task, toast }: LaunchArguments): boolean {
  return target !== null || task === 'latestDaily' || toast;
}

function runLaunch({ target, task }: LaunchArguments, commands: Commands): void {
  if (target) commands.goTo(target);
  if (task === 'latestDaily') commands.openLatestDaily();
  if (task === 'refresh') commands.refresh();
}

/** An invalid link only shows the window. */
function openLinked(link: string, commands: Commands): void {
  const target = targetOfLink(link);
  if (target) commands.goTo(target);
  else commands.open();
}
