import { app } from 'electron';
import type { Log } from '../../contract/ports.ts';
import { targetOfLink } from '../../contract/targets.ts';
import type { Commands } from '../commands.ts';
import { claimLinks, type OpenedLinks } from './deep-links.ts';
import { launchArguments, type LaunchArguments } from './launch-arguments.ts';

/** Does what this start asks for, and from then on what further starts, links and the dock do. */
export function handleActivation(first: LaunchArguments, commands: Commands, links: OpenedLinks, log: Log): void {
  follow(first, commands);
  app.on('second-instance', (_event, argv) => {
    const request = launchArguments(argv.slice(1));
    // A login item may come after a start by hand, and what the taskbar's list has refreshed needs no window.
    if (!request.hidden && request.target === null && request.task === null) commands.open();
    follow(request, commands);
  });
  app.on('activate', () => commands.open());
  links.deliverTo((link) => openLinked(link, commands));
  claimLinks({ app, isBare: process.defaultApp, executable: process.execPath, argv: process.argv, log });
}

/** Whether a start asks for something that is there to be seen. */
export function isSeen({ target, task }: LaunchArguments): boolean {
  return target !== null || task === 'latestDaily';
}

/** Does what a start asks for besides a window. */
function follow({ target, task }: LaunchArguments, commands: Commands): void {
  if (target) commands.goTo(target);
  if (task === 'latestDaily') commands.openLatestDaily();
  if (task === 'refresh') commands.refresh();
}

/** A link that leads nowhere shows the window, and says nothing worse. */
function openLinked(link: string, commands: Commands): void {
  const target = targetOfLink(link);
  if (target) commands.goTo(target);
  else commands.open();
}
