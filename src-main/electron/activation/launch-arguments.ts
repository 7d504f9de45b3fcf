import { DEEP_LINK_SCHEME, targetOfLink, type Target } from '../../contract/targets.ts';
import { HIDDEN_ARGUMENT } from '../startup-rules.ts';

/** What a start asks for, the first one or one that found Broadsheet running. */
export interface LaunchArguments {
  hidden: boolean;
  target: Target | null;
  task: 'latestDaily' | 'refresh' | null;
}

/** What the taskbar's jump list starts Broadsheet with. */
export const TASK_ARGUMENTS = { latestDaily: '--latest-daily', refresh: '--refresh' } as const;

/**
 * What is asked for by these arguments. Only whole arguments of ours count: Chromium adds its own, and a system hands over
 * what a link says, whoever made it.
 */
export function launchArguments(args: readonly string[]): LaunchArguments {
  const isAsked = (task: keyof typeof TASK_ARGUMENTS): boolean => args.includes(TASK_ARGUMENTS[task]);
  const link = args.find(isLink);
  return {
    // A link is there to be seen.
    hidden: link === undefined && args.includes(HIDDEN_ARGUMENT),
    target: link === undefined ? null : targetOfLink(link),
    task: link !== undefined ? null : isAsked('latestDaily') ? 'latestDaily' : isAsked('refresh') ? 'refresh' : null,
  };
}

function isLink(argument: string): boolean {
  return argument.toLowerCase().startsWith(`${DEEP_LINK_SCHEME}:`);
}
