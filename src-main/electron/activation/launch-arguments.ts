import { DEEP_LINK_SCHEME, targetOfLink, type Target } from '../../contract/targets.ts';
import { HIDDEN_ARGUMENT } from '../startup-rules.ts';

/** The parsed arguments of the first start or of a second instance. */
export interface LaunchArguments {
  hidden: boolean;
  target: Target | null;
  task: 'latestDaily' | 'refresh' | null;
  /** Windows started this program because a notification was clicked. */
  toast: boolean;
}

/** Arguments of the entries in the Windows jump list. */
export const TASK_ARGUMENTS = { latestDaily: '--latest-daily', refresh: '--refresh' } as const;

/** Appended by Windows when it starts a COM server: here, the notification activator ("LocalServer32"). */
const COM_ARGUMENT = '-embedding';

/**
 * Only exact matches of our own arguments count: Chromium adds others, and links can contain anything.
 */
export function launchArguments(args: readonly string[]): LaunchArguments {
  const has = (task: keyof typeof TASK_ARGUMENTS): boolean => args.includes(TASK_ARGUMENTS[task]);
  const link = args.find(isLink);
  const toast = link === undefined && args.some((argument) => argument.toLowerCase() === COM_ARGUMENT);
  return {
    // A link or a click on a notification always shows the window.
    hidden: link === undefined && !toast && args.includes(HIDDEN_ARGUMENT),
    target: link === undefined ? null : targetOfLink(link),
    task: link !== undefined ? null : has('latestDaily') ? 'latestDaily' : has('refresh') ? 'refresh' : null,
    toast,
  };
}

function isLink(argument: string): boolean {
  return argument.toLowerCase().startsWith(`${DEEP_LINK_SCHEME}:`);
}
