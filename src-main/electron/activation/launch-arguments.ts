import { DEEP_LINK_SCHEME, targetOfLink, type Target } from '../../contract/targets.ts';
import { HIDDEN_ARGUMENT } from '../startup-rules.ts';

/** The parsed arguments of the first start or of a second instance. */
export interface LaunchArguments {
  hidden: boolean;
  target: Target | null;
  task: 'latestDaily' | 'refresh' | null;
}

/** Arguments of the entries in the Windows jump list. */
export const TASK_ARGUMENTS = { latestDaily: '--latest-daily', refresh: '--refresh' } as const;

/**
 * Only exact matches of our own arguments count: Chromium adds others, and links can contain anything.
 */
export function launchArguments(args: readonly string[]): LaunchArguments {
  const has = (task: keyof typeof TASK_ARGUMENTS): boolean => args.includes(TASK_ARGUMENTS[task]);
  const link = args.find(isLink);
  return {
    // A link always shows the window.
    hidden: link === undefined && args.includes(HIDDEN_ARGUMENT),
    target: link === undefined ? null : targetOfLink(link),
    task: link !== undefined ? null : has('latestDaily') ? 'latestDaily' : has('refresh') ? 'refresh' : null,
  };
}

function isLink(argument: string): boolean {
  return argument.toLowerCase().startsWith(`${DEEP_LINK_SCHEME}:`);
}
