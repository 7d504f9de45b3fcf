import type { RenderProcessGoneDetails } from 'electron';

/** A second crash within this time means that another reload would crash too. */
const AGAIN_MS = 60_000;

/**
 * What to do when a page's process is gone. After a clean exit, nothing. Otherwise, even if the process was killed, the
 * window is empty and needs its page back. Times in ms since 1970.
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

/** Options for a restart: the AppImage itself, not its mounted contents, and without the options and links of this run. */
export function relaunchOptions(
  environment: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): { execPath?: string; args: string[] } {
  const { APPIMAGE } = environment;
  // In development, the first argument is the app folder. One letter and a colon are a drive, not a link.
  const args = argv.slice(1).filter((argument) => !argument.startsWith('-') && !/^[a-z][a-z\d+.-]+:/i.test(argument));
  return APPIMAGE ? { execPath: APPIMAGE, args } : { args };
}
