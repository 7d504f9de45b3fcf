import type { RenderProcessGoneDetails } from 'electron';

/** A page that dies twice within this time would die a third time. */
const AGAIN_MS = 60_000;

/**
 * What to do about a page whose process is gone. Ended cleanly, it was meant to end; of everything else, also of one that was
 * killed, a window without a page is left. Times in ms since 1970.
 */
export function afterPageGone(
  reason: RenderProcessGoneDetails['reason'],
  reloadedAt: number | null,
  now: number,
): 'nothing' | 'reload' | 'ask' {
  if (reason === 'clean-exit') return 'nothing';
  const isAgain = reloadedAt !== null && now >= reloadedAt && now - reloadedAt < AGAIN_MS;
  return isAgain ? 'ask' : 'reload';
}

/** What a restart starts: the AppImage rather than what is mounted of it, and nothing of what this run was asked for. */
export function relaunchOptions(
  environment: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): { execPath?: string; args: string[] } {
  const { APPIMAGE } = environment;
  // In development the folder of the app is the first argument.
  const args = argv.slice(1).filter((argument) => !argument.startsWith('-') && !/^[a-z]+:/i.test(argument));
  return APPIMAGE ? { execPath: APPIMAGE, args } : { args };
}
